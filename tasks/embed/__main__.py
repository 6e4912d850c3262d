"""`python -m tasks.embed`: documents and nodes to rows and vectors in data/embed/."""

from __future__ import annotations

import time
from pathlib import Path

from tasks.core.errors import run_stage
from tasks.core.files import write_json
from tasks.core.params import load_params
from tasks.embed.opening import open_embedder
from tasks.embed.pipeline import Places, embed


def main() -> None:
    """Run the stage."""
    params = load_params()
    out = Path("data/embed")
    embedder = open_embedder(params)
    places = Places(
        documents=Path("data/ingest/documents.arrow"),
        nodes=Path("data/extract/nodes.arrow"),
        rows=out / "rows.arrow",
        vectors=out / "vectors.arrow",
    )
    begun = time.perf_counter()
    summary, fresh = embed(places, params.embed, embedder)
    seconds = round(time.perf_counter() - begun, 3)
    write_json(out / "timing.json", {"seconds": seconds, "items": fresh})
    write_json(out / "summary.json", summary)
    print(f"embed: {summary['vectors']:,} vectors, {summary['rows']:,} rows")


if __name__ == "__main__":
    run_stage(main)

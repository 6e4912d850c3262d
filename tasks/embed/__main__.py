"""`python -m tasks.embed`: documents and nodes to rows and vectors in data/embed/."""

from __future__ import annotations

import time
from pathlib import Path

from tasks.core.errors import run_stage
from tasks.core.files import write_json
from tasks.core.params import load_params
from tasks.core.plugins import load
from tasks.core.store import Store
from tasks.embed.cached import CachedEmbedder
from tasks.embed.pipeline import Places, embed


def main() -> None:
    """Run the stage."""
    params = load_params()
    out = Path("data/embed")
    spec = params.weights.embedders[params.embed.model]
    make = load("tasks.embed.embedders", spec.backend, "make")
    embedder = make(Path("models") / params.embed.model, spec, batch_size=params.embed.batch_size)
    places = Places(
        documents=Path("data/ingest/documents.arrow"),
        nodes=Path("data/extract/nodes.arrow"),
        rows=out / "rows.arrow",
        vectors=out / "vectors.arrow",
    )
    begun = time.perf_counter()
    summary, fresh = embed(places, params.embed, CachedEmbedder(embedder, Store("embeddings")))
    seconds = round(time.perf_counter() - begun, 3)
    write_json(out / "timing.json", {"seconds": seconds, "items": fresh})
    write_json(out / "summary.json", summary)
    print(f"embed: {summary['vectors']:,} vectors, {summary['rows']:,} rows")


if __name__ == "__main__":
    run_stage(main)

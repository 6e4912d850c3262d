"""`python -m tasks.extract`: data/ingest/documents.arrow to data/extract/."""

from __future__ import annotations

import time
from pathlib import Path

from tasks.core.errors import run_stage
from tasks.core.files import write_json
from tasks.core.params import load_params
from tasks.extract.pipeline import extract


def main() -> None:
    """Run the stage."""
    processes = load_params().extract.processes
    out = Path("data/extract")
    begun = time.perf_counter()
    summary = extract(
        Path("data/ingest/documents.arrow"),
        nodes=out / "nodes.arrow",
        edges=out / "edges.arrow",
        processes=processes,
    )
    seconds = round(time.perf_counter() - begun, 3)
    write_json(out / "timing.json", {"seconds": seconds, "items": summary["nodes"]})
    write_json(out / "summary.json", summary)
    print(f"extract: {summary['nodes']:,} nodes, {summary['edges']:,} edges")


if __name__ == "__main__":
    run_stage(main)

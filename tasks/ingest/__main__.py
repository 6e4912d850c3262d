"""Stage `ingest`: params `ingest` -> data/ingest/documents.arrow, summary.json."""

from __future__ import annotations

import time
from pathlib import Path

from tasks.core.errors import run_stage
from tasks.core.files import write_json
from tasks.core.params import load_params
from tasks.ingest.pipeline import connect_all, write_documents

OUT = Path("data/ingest")


def main() -> None:
    """Read all sources into one table of documents."""
    start = time.perf_counter()
    sources = connect_all(load_params().ingest.sources)
    summary = write_documents(sources, OUT / "documents.arrow")
    write_json(OUT / "summary.json", summary)
    seconds = round(time.perf_counter() - start, 3)
    write_json(OUT / "timing.json", {"seconds": seconds, "items": summary["documents"]})
    print(
        f"ingest: {summary['documents']:,} documents, {summary['bytes']:,} bytes, "
        f"{summary['duplicates']:,} duplicates removed, skipped {summary['skipped']}"
    )


if __name__ == "__main__":
    run_stage(main)

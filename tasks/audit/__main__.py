"""Stage `audit BENCH`: documents, problems, answers -> data/audit/BENCH/."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tasks.audit.run import audit
from tasks.core.errors import run_stage
from tasks.core.files import write_json
from tasks.core.params import load_params


def main() -> None:
    """Look for near-copies of one benchmark and write the deny-list."""
    parser = argparse.ArgumentParser(prog="python -m tasks.audit", description=__doc__)
    parser.add_argument("benchmark")
    slug = parser.parse_args().benchmark
    start = time.perf_counter()
    summary = audit(
        documents=Path("data/ingest/documents.arrow"),
        problems=Path("data/problems") / slug,
        out=Path("data/audit") / slug,
        options=load_params().audit,
    )
    seconds = round(time.perf_counter() - start, 3)
    timing = {"seconds": seconds, "items": summary["documents"]}
    write_json(Path("data/audit") / slug / "timing.json", timing)
    print(
        f"audit: {summary['documents_matched']:,} of {summary['documents']:,} documents hold "
        f"near-copies of {summary['problems_matched']:,} problems of {slug}; "
        f"{summary['documents_denied']:,} withheld"
    )


if __name__ == "__main__":
    run_stage(main)

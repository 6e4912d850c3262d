"""`python -m tasks.bench [NAME ...]`: measure all or some speeds; writes reports/bench.json."""

from __future__ import annotations

import sys
from pathlib import Path

from tasks.bench.runner import names, print_results, run_all, write_results
from tasks.core.errors import run_stage

OUT = Path("reports/bench.json")


def main() -> None:
    """Run, print and write; exit code 1 if a benchmark failed."""
    results = run_all(sys.argv[1:] or names())
    write_results(OUT, results)
    print_results(results)
    print(f"Figures: {OUT}")
    if any("error" in result for result in results.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    run_stage(main)

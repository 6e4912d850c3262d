"""Stage `problems BENCH`: a benchmark -> data/problems/BENCH/{problems,answers}.arrow."""

from __future__ import annotations

import argparse
from pathlib import Path

from tasks.core.errors import run_stage
from tasks.core.params import load_params
from tasks.problems.run import read_items, write_items


def main() -> None:
    """Read one benchmark and write its problems apart from its answers."""
    parser = argparse.ArgumentParser(prog="python -m tasks.problems", description=__doc__)
    parser.add_argument("benchmark")
    slug = parser.parse_args().benchmark
    items = read_items(slug, load_params().benchmark)
    write_items(items, Path("data/problems") / slug)
    print(f"problems: {len(items):,} of {slug}")


if __name__ == "__main__":
    run_stage(main)

"""`python -m tasks.spotcheck BENCHMARK MODEL`."""

from __future__ import annotations

import sys
from pathlib import Path

from tasks.core.errors import CodeGraftError, run_stage
from tasks.core.files import write_json
from tasks.core.params import load_params
from tasks.spotcheck.check import spot_check


def main() -> None:
    """Check one benchmark and model."""
    if len(sys.argv) != 3:
        raise CodeGraftError("usage: python -m tasks.spotcheck BENCHMARK MODEL")
    benchmark, model = sys.argv[1:]
    result = spot_check(load_params(), benchmark, model)
    write_json(Path("data/spotcheck") / benchmark / model / "spotcheck.json", result)


if __name__ == "__main__":
    run_stage(main)

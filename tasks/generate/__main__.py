"""`python -m tasks.generate BENCHMARK MODEL CONDITION`."""

from __future__ import annotations

import sys

from tasks.core.errors import CodeGraftError, run_stage
from tasks.core.params import load_params
from tasks.generate.cell import Cell, solve_cell


def main() -> None:
    """Run one cell of the matrix."""
    if len(sys.argv) != 4:
        raise CodeGraftError(
            "usage: python -m tasks.generate BENCHMARK MODEL CONDITION",
            remedy="or run `dvc repro`, which knows the cells",
        )
    solve_cell(load_params(), Cell(*sys.argv[1:]))


if __name__ == "__main__":
    run_stage(main)

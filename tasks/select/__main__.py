"""`python -m tasks.select BENCHMARK MODEL`."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from tasks.core.errors import CodeGraftError, run_stage
from tasks.core.params import load_params
from tasks.core.tables import write_table
from tasks.select.load import load_pool, open_encoder
from tasks.select.run import checked_options, run_selectors
from tasks.select.schema import SELECTIONS


def main() -> None:
    """Run the enabled selectors on one benchmark and model."""
    if len(sys.argv) != 3:
        raise CodeGraftError("usage: python -m tasks.select BENCHMARK MODEL")
    benchmark, model = sys.argv[1:]
    params = load_params()
    options = checked_options(params.select)
    pool = load_pool(
        benchmark,
        model,
        solvers=params.solvers,
        data=Path("data"),
        encoder=cache(lambda: open_encoder(params)),
    )
    out = Path("data/select") / benchmark / model / "selections.arrow"
    write_table(out, SELECTIONS, run_selectors(pool, options))


if __name__ == "__main__":
    run_stage(main)

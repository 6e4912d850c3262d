"""`python -m tasks.report BENCHMARK MODEL` writes a report; `... show` prints the finished ones."""

from __future__ import annotations

import sys
from pathlib import Path

from tasks.core.errors import CodeGraftError, run_stage
from tasks.core.files import write_json
from tasks.core.params import load_params
from tasks.core.store import store_root
from tasks.report.costs import build_costs
from tasks.report.inputs import load_inputs
from tasks.report.show import show
from tasks.report.write import write_report

REPORTS = Path("reports")


def main() -> None:
    """Write one report, or show all."""
    if sys.argv[1:] == ["show"]:
        show(REPORTS)
        return
    if len(sys.argv) != 3:
        raise CodeGraftError("usage: python -m tasks.report BENCHMARK MODEL | show")
    benchmark, model = sys.argv[1:]
    params = load_params()
    folder = REPORTS / benchmark / model
    write_report(load_inputs(params, benchmark, model), params.report, folder)
    costs = build_costs(
        benchmark, model, data=Path("data"), models=Path("models"), store=store_root()
    )
    write_json(folder / "costs.json", costs)


if __name__ == "__main__":
    run_stage(main)

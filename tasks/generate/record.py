"""`python -m tasks.generate.record BENCHMARK MODEL`: write the record of the last run.

Takes the enabled conditions' generations as they stand in the record and this machine's store, so
it needs no model run; it refuses when a cell was never run.
"""

from __future__ import annotations

import json
import sys

from tasks.core.errors import CodeGraftError, run_stage
from tasks.core.params import Params, load_params
from tasks.generate.backend import Completion
from tasks.generate.cell import Cell, open_generator, solve_cell
from tasks.generate.recorded import record_path, write_record


def record(params: Params, benchmark: str, model: str) -> int:
    """Solve each enabled cell from the store and write what was used; return the entry count."""
    entries: dict[str, tuple[str, Completion]] = {}
    for condition in params.solvers:
        cell = Cell(benchmark, model, condition)
        if not (cell.folder / "candidates.arrow").is_file():
            raise CodeGraftError(
                f"condition {condition} was not run on {benchmark} with {model}",
                where=str(cell.folder),
                remedy="run `dvc repro` first, or take it out of `solvers`",
            )
        entries.update(solve_cell(params, cell).used)
    made_by = json.dumps(open_generator(params, model).identity, sort_keys=True)
    write_record(record_path(benchmark, model), entries, made_by)
    return len(entries)


def main() -> None:
    """Write one record."""
    if len(sys.argv) != 3:
        raise CodeGraftError("usage: python -m tasks.generate.record BENCHMARK MODEL")
    benchmark, model = sys.argv[1:]
    count = record(load_params(), benchmark, model)
    print(f"{count} generations recorded in {record_path(benchmark, model)}")


if __name__ == "__main__":
    run_stage(main)

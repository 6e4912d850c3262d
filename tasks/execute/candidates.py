"""The candidates of exactly the enabled solvers, for the stages that run them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tasks.core.errors import CodeGraftError
from tasks.core.tables import join, read_frame, require_unique
from tasks.generate.schema import CANDIDATES, KEY

CODE = [*KEY, "code", "raw"]


def read_candidates(
    problems: pl.DataFrame, *, folder: Path, solvers: Sequence[str]
) -> pl.DataFrame:
    """task_id, condition, sample, code and raw of the `solvers`' candidates below `folder`.

    In the order of solvers, then of the tables. The folders of other conditions, left from earlier
    runs, are not opened. Raises CodeGraftError if a solver's table is missing or holds another
    condition's rows, if a key is doubled, or if problems and candidates do not match.
    """
    tables = []
    for solver in solvers:
        path = folder / solver / "candidates.arrow"
        table = read_frame(path, CANDIDATES).select(CODE)
        if foreign := sorted(set(table["condition"]) - {solver}):
            raise CodeGraftError(
                f"the table holds candidates of {foreign}, not of {solver!r}",
                where=str(path),
                remedy="delete it and run `dvc repro`",
            )
        made = table.select("task_id").unique()
        join(problems.select("task_id"), made, on=["task_id"], cardinality="1:1", where=str(path))
        tables.append(table)
    candidates = pl.concat(tables)
    require_unique(candidates, KEY, where=str(folder))
    return candidates

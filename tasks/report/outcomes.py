"""Per-problem outcomes: the numbers from which every mean and comparison is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from tasks.core.tables import join
from tasks.generate.schema import KEY
from tasks.report.inputs import Inputs
from tasks.report.stats import Floats, pass_at_k


@dataclass(frozen=True)
class Outcomes:
    """Arrays of shape [problems] in benchmark order, values in [0, 1].

    `conditions` holds the unbiased pass@1 of each problem. `oracle` is 1 where any candidate of
    the pool passes; `random` is the chance that a candidate drawn from the same pool passes, and
    `random_filtered` the same for the candidates that the selection's filter leaves. `samples` is
    the least number of candidates that a condition has for a problem.
    """

    conditions: Mapping[str, Floats]
    selected: Mapping[str, Floats]
    oracle: Floats
    random: Floats
    random_filtered: Floats
    samples: int


def outcomes_of(inputs: Inputs) -> Outcomes:
    """Compute the outcomes of all conditions, selectors and references."""
    table = inputs.candidates
    counts = table.group_by("task_id", "condition").agg(pl.len().alias("n"))
    return Outcomes(
        conditions={solver: condition_pass_at_k(inputs, solver, 1) for solver in inputs.solvers},
        selected={name: _selected(inputs, name) for name in inputs.selectors},
        oracle=_per_task(inputs, table, pl.col("passed").any()),
        random=_per_task(inputs, table, pl.col("passed").mean()),
        random_filtered=_per_task(inputs, filtered(table), pl.col("passed").mean()),
        samples=int(counts["n"].to_numpy().min()),
    )


def condition_pass_at_k(inputs: Inputs, condition: str, k: int) -> Floats:
    """Unbiased pass@k of each problem under one condition, shape [problems].

    Raises ValueError if a problem has fewer than `k` samples.
    """
    rows = inputs.candidates.filter(pl.col("condition") == condition)
    counts = rows.group_by("task_id").agg(pl.len().alias("n"), pl.col("passed").sum().alias("c"))
    by_task = {task: pass_at_k(n, c, k) for task, n, c in counts.iter_rows()}
    return np.array([by_task[task] for task in inputs.tasks], dtype=np.float64)


def filtered(candidates: pl.DataFrame) -> pl.DataFrame:
    """The candidates that the filter leaves: survivors, else those that parse, else all."""
    tier = pl.when(survives()).then(2).when(pl.col("parse") == "pass").then(1).otherwise(0)
    return candidates.filter(tier == tier.max().over("task_id"))


def survives() -> pl.Expr:
    """Whether a candidate passes every probe of the filter, A(c) and R(c) (SPEC 1.4)."""
    return pl.all_horizontal(pl.col("parse", "names", "load") == "pass")


def _selected(inputs: Inputs, selector: str) -> Floats:
    chosen = inputs.selections.filter(pl.col("selector") == selector)
    rows = join(chosen, inputs.candidates, on=KEY, cardinality="m:1", where=f"selector {selector}")
    return _per_task(inputs, rows, pl.col("passed").mean())


def _per_task(inputs: Inputs, rows: pl.DataFrame, value: pl.Expr) -> Floats:
    by_task = dict(rows.group_by("task_id").agg(value.cast(pl.Float64)).iter_rows())
    return np.array([by_task[task] for task in inputs.tasks], dtype=np.float64)

"""Per-problem rows as CSV, without any text of problems, contexts or candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tasks.core.tables import join
from tasks.generate.schema import KEY
from tasks.report.inputs import CELL, Inputs
from tasks.report.outcomes import survives


def problem_rows(inputs: Inputs) -> pl.DataFrame:
    """One row a problem, condition and sample, in the order of benchmark and params.yaml.

    `selected_by` names the selectors that chose the candidate, `context_tokens` counts the tokens
    of what was retrieved for the problem.
    """
    chosen = inputs.selections.group_by(KEY).agg(
        pl.col("selector").sort().str.join(" ").alias("selected_by")
    )
    shown = inputs.contexts.select(*CELL, pl.col("tokens").alias("context_tokens"))
    rows = join(inputs.candidates, shown, on=CELL, cardinality="m:1", where="problems.csv")
    rows = rows.join(chosen, on=KEY, how="left").with_columns(pl.col("selected_by").fill_null(""))
    task = pl.col("task_id").cast(pl.Enum(inputs.tasks))  # sorts in the order of its categories
    solver = pl.col("condition").cast(pl.Enum(inputs.solvers))
    return rows.sort(task, solver, "sample").select(
        *KEY,
        "passed",
        "raw_passed",
        "status",
        "error_type",
        survives().alias("survives_filter"),
        "selected_by",
        "finish_reason",
        "tokens_in",
        "tokens_out",
        "context_tokens",
        "origin",
    )


def which_solves(inputs: Inputs) -> list[dict[str, Any]]:
    """The regions of the Venn figure: each set of conditions that solves some problem exclusively.

    One row a set, largest first: a 0/1 column a condition, `problems`, `task_ids`. A condition
    solves a problem if one of its samples passes.
    """
    solved = inputs.candidates.filter("passed").select(CELL).unique().rows()
    found = set(solved)
    regions: dict[tuple[int, ...], list[str]] = {}
    for task in inputs.tasks:
        signature = tuple(int((task, solver) in found) for solver in inputs.solvers)
        regions.setdefault(signature, []).append(task)
    ordered = sorted(regions.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        {
            **dict(zip(inputs.solvers, signature, strict=True)),
            "problems": len(tasks),
            "task_ids": " ".join(tasks),
        }
        for signature, tasks in ordered
    ]


def csv_text(rows: pl.DataFrame | Sequence[Mapping[str, Any]]) -> str:
    """CSV with a header line and Unix line ends."""
    frame = rows if isinstance(rows, pl.DataFrame) else pl.DataFrame(list(rows))
    return frame.write_csv()

"""Grades of all candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tasks.sandbox import Job, Limits, run_cached

# Suite -> the column that it grades.
SUITES = {"tests": "code", "raw": "raw"}


def grade_candidates(
    candidates: pl.DataFrame,
    checks: Mapping[str, str],
    *,
    limits: Limits,
    backend: str,
    workers: int,
) -> list[dict[str, Any]]:
    """Rows of the grades table: both suites of each candidate, in the candidates' order.

    `candidates` has task_id, condition, sample, code and raw; `checks` is by task_id. A program
    that several candidates of a problem share is run once.
    """
    rows = list(candidates.iter_rows(named=True))
    outcomes = run_cached(
        (
            Job(f"{number} {suite}", row[column], checks[row["task_id"]])
            for number, row in enumerate(rows)
            for suite, column in SUITES.items()
        ),
        limits=limits,
        backend=backend,
        workers=workers,
        stage="grade",
    )
    grades = []
    for number, row in enumerate(rows):
        key = {name: row[name] for name in ("task_id", "condition", "sample")}
        for suite in SUITES:
            outcome = outcomes[f"{number} {suite}"]
            verdict = {
                "status": outcome.status,
                "passed": outcome.status == "pass",
                "error_type": outcome.error_type,
            }
            grades.append({**key, "suite": suite, **verdict})
    return grades

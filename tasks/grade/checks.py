"""The source that decides whether a program solves its problem."""

from __future__ import annotations

import polars as pl

from tasks.core.errors import CodeGraftError
from tasks.core.tables import join


def check_sources(problems: pl.DataFrame, answers: pl.DataFrame) -> dict[str, str]:
    """task_id -> source to run in the candidate's namespace; it ends without error on a pass.

    Style "check" is called on the entry point (HumanEval), style "asserts" runs as it is (MBPP).
    Raises CodeGraftError for another style, or if problems and answers do not match.
    """
    asked = problems.select("task_id", "entry_point")
    both = join(asked, answers, on=["task_id"], cardinality="1:1", where="problems and answers")
    checks = {}
    for row in both.iter_rows(named=True):
        match row["style"]:
            case "check":
                call = f"\ncheck({row['entry_point']})\n"
            case "asserts":
                call = ""
            case other:
                raise CodeGraftError(
                    f"unknown style of tests: {other!r}",
                    where=f"answers, {row['task_id']}",
                    remedy="a benchmark's tests are of style check or asserts",
                )
        checks[row["task_id"]] = row["test"] + call
    return checks

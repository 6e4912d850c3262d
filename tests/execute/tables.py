"""Tables of problems and candidates for the stages that run programs."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from tasks.core.tables import write_table
from tasks.generate.schema import CANDIDATES
from tasks.problems.schema import ANSWERS, PROBLEMS


def write_problems(folder: Path, answers: Mapping[str, tuple[str, str, str]]) -> None:
    """Problems asking for `f`; `answers` maps task_id -> (reference, test, style)."""
    problems = [
        {
            "task_id": task,
            "lang": "python",
            "prompt": "def f(x):",
            "entry_point": "f",
            "signature": "def f(x):",
            "examples": "",
        }
        for task in answers
    ]
    write_table(folder / "problems.arrow", PROBLEMS, problems)
    rows = [
        {"task_id": task, "reference": reference, "test": test, "style": style}
        for task, (reference, test, style) in answers.items()
    ]
    write_table(folder / "answers.arrow", ANSWERS, rows)


def write_candidates(
    folder: Path, condition: str, codes: Mapping[str, str], raw: Mapping[str, str] | None = None
) -> None:
    """One candidate a problem, `codes` by task_id, as `condition` would write them."""
    rows = [
        {
            "task_id": task,
            "condition": condition,
            "sample": 0,
            "code": code,
            "raw": (raw or codes)[task],
            "completion": code,
            "finish_reason": "stop",
            "logprob_mean": None,
            "logprob_sum": None,
            "tokens_in": 1,
            "tokens_out": 1,
            "origin": "fresh",
        }
        for task, code in codes.items()
    ]
    write_table(folder / condition / "candidates.arrow", CANDIDATES, rows)


def frame(*rows: tuple[str, str, str]) -> pl.DataFrame:
    """Candidates (task_id, condition, code), sample 0."""
    return pl.DataFrame(
        [
            {"task_id": task, "condition": condition, "sample": 0, "code": code, "raw": code}
            for task, condition, code in rows
        ]
    )

"""What a point reached, read from the commit of its experiment."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.core.errors import CodeGraftError
from tasks.sweep.git import show
from tasks.sweep.plan import BASELINE, Job


@dataclass(frozen=True)
class Score:
    """One condition's figures on one benchmark: shares of problems, and mean context tokens.

    The comparison with the baseline is None where the condition is the baseline.
    """

    condition: str
    problems: int
    rate: float
    interval: tuple[float, float]
    tokens: float
    baseline: float | None
    difference: float | None
    difference_interval: tuple[float, float] | None
    helped: int | None
    hurt: int | None
    p: float | None


def read_scores(root: Path, commit: str, job: Job, conditions: Sequence[str]) -> list[Score]:
    """Scores of the conditions from the experiment's details.json.

    Raises CodeGraftError if the experiment holds no report of the job, or one of other conditions.
    """
    path = f"reports/{job.benchmark}/{job.model}/details.json"
    try:
        details = json.loads(show(root, commit, path))
        return [_score(details, condition) for condition in conditions]
    except (ValueError, KeyError, TypeError) as error:
        raise CodeGraftError(
            f"an experiment holds no usable report: {error!r}",
            where=f"git show {commit[:10]}:{path}",
            remedy="remove it with `dvc exp remove` and start the sweep again",
        ) from None


def read_rates(root: Path, commit: str, job: Job, conditions: Sequence[str]) -> dict[str, float]:
    """Each problem's share of passing candidates from the experiment's problems.csv.

    The mean over the conditions; problems in the benchmark's order.
    """
    text = show(root, commit, f"reports/{job.benchmark}/{job.model}/problems.csv")
    rows = [row for row in csv.DictReader(text.splitlines()) if row["condition"] in conditions]
    passed: dict[str, list[bool]] = {}
    for row in rows:
        passed.setdefault(row["task_id"], []).append(row["passed"] == "true")
    return {task: sum(values) / len(values) for task, values in passed.items()}


def _score(details: dict[str, Any], condition: str) -> Score:
    against = details["vs_none"].get(condition)
    return Score(
        condition=condition,
        problems=details["problems"],
        rate=details["pass@1"][condition],
        interval=tuple(details["intervals"][condition]),
        tokens=details["context"][condition]["tokens"],
        baseline=details["pass@1"].get(BASELINE),
        difference=against and against["difference"],
        difference_interval=against and tuple(against["interval"]),
        helped=against and against["helped"],
        hurt=against and against["hurt"],
        p=against and against["mcnemar_p"],
    )

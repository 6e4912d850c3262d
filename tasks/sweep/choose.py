"""The best point, by the development set alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.sweep.plan import Job, Plan
from tasks.sweep.points import Point
from tasks.sweep.results import Score


@dataclass(frozen=True)
class DevResult:
    """A point's scores on the development set; nothing else can be made into one."""

    point: Point
    scores: tuple[Score, ...]

    @classmethod
    def of(cls, plan: Plan, job: Job, scores: Sequence[Score]) -> DevResult:
        """Raises ValueError for scores of any other set than the plan's development set."""
        if job != plan.dev_job(job.point):
            raise ValueError(f"not a job of the development set: {job.benchmark}")
        return cls(job.point, tuple(scores))

    @property
    def rate(self) -> float:
        """Mean pass@1 of the measured conditions."""
        return sum(score.rate for score in self.scores) / len(self.scores)

    @property
    def tokens(self) -> float:
        """Mean context tokens of the measured conditions."""
        return sum(score.tokens for score in self.scores) / len(self.scores)


def best(results: Sequence[DevResult]) -> DevResult | None:
    """Highest pass@1; among equals fewer context tokens, then the first. None without results."""
    return max(results, key=lambda result: (round(result.rate, 9), -result.tokens), default=None)

"""All that a sweep found, in the form that its report is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tasks.sweep.choose import DevResult, best
from tasks.sweep.engine import Outcome
from tasks.sweep.naming import label
from tasks.sweep.plan import Plan
from tasks.sweep.points import Point
from tasks.sweep.results import Score, read_scores


@dataclass(frozen=True)
class Entry:
    """A point on one benchmark: its scores, or the reason why there are none."""

    point: Point
    label: str
    scores: tuple[Score, ...]
    experiment: str
    seconds: float | None
    reason: str

    @classmethod
    def of(cls, root: Path, plan: Plan, outcome: Outcome) -> Entry:
        """Read the scores from the outcome's experiment."""
        job = outcome.job
        scores = read_scores(root, outcome.commit, job, plan.measured) if outcome.commit else []
        text = label(job.point, plan.keys)
        return cls(job.point, text, tuple(scores), outcome.name, outcome.seconds, outcome.reason)


@dataclass(frozen=True)
class Findings:
    """The points on the development set in order, the place of the best, and the benchmark's.

    `best` is None as long as no point has succeeded. `final` holds the best point and the present
    parameters on the benchmark; it came after the choice and has no way back to it.
    """

    plan: Plan
    points: tuple[Entry, ...]
    best: int | None
    final: dict[str, Entry] = field(default_factory=dict)


def choose(root: Path, plan: Plan, outcomes: Sequence[Outcome]) -> Findings:
    """The points' entries, and the best of them by the development set alone."""
    entries = tuple(Entry.of(root, plan, outcome) for outcome in outcomes)
    rated = {
        place: DevResult.of(plan, outcome.job, entry.scores)
        for place, (outcome, entry) in enumerate(zip(outcomes, entries, strict=True))
        if entry.scores
    }
    winner = best(list(rated.values()))
    place = next((place for place, result in rated.items() if result is winner), None)
    return Findings(plan, entries, place)

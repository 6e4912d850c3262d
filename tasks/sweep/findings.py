"""All that a sweep found, in the form that its report is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tasks.core.params import Report
from tasks.report.stats import Comparison, compare
from tasks.sweep.choose import DevResult, best
from tasks.sweep.engine import Outcome
from tasks.sweep.naming import label
from tasks.sweep.plan import Plan
from tasks.sweep.points import Point
from tasks.sweep.results import Score, read_rates, read_scores


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
    parameters on the benchmark, `gain` compares the two problem by problem; both came after the
    choice and have no way back to it.
    """

    plan: Plan
    points: tuple[Entry, ...]
    best: int | None
    final: dict[str, Entry] = field(default_factory=dict)
    gain: Comparison | None = None


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


def with_final(root: Path, found: Findings, outcomes: Mapping[str, Outcome]) -> Findings:
    """The findings with what came out on the benchmark, by role (best, default)."""
    entries = {role: Entry.of(root, found.plan, outcome) for role, outcome in outcomes.items()}
    return replace(found, final=entries, gain=_gain(root, found.plan, outcomes))


def _gain(root: Path, plan: Plan, outcomes: Mapping[str, Outcome]) -> Comparison | None:
    """The best point against the present parameters on the same problems of the benchmark."""
    if any(not outcome.commit for outcome in outcomes.values()):
        return None
    best, default = (
        read_rates(root, outcomes[role].commit, outcomes[role].job, plan.measured)
        for role in ("best", "default")
    )
    if not best or best.keys() != default.keys():
        return None
    report = Report.model_validate(plan.raw["report"])
    return compare(
        np.array(list(best.values())),
        np.array([default[task] for task in best]),
        confidence=report.confidence,
        resamples=report.bootstrap,
        seed=report.seed,
    )

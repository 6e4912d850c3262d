"""points.csv and benchmark.csv: the sweep's figures, one row a point and measured condition."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tasks.report.rows import csv_text
from tasks.sweep.findings import Entry, Findings
from tasks.sweep.results import Score
from tasks.sweep.values import spell


def points_csv(found: Findings) -> str:
    """All points on the development set."""
    rows = []
    for place, entry in enumerate(found.points):
        head = {"point": place + 1, "best": place == found.best}
        rows += [{**head, **row} for row in _rows(found, entry)]
    return csv_text(rows)


def benchmark_csv(found: Findings) -> str:
    """The best point and the present parameters on the benchmark."""
    return csv_text(
        [{"role": role, **row} for role, e in found.final.items() for row in _rows(found, e)]
    )


def _rows(found: Findings, entry: Entry) -> Iterable[dict[str, Any]]:
    chosen = dict(entry.point.settings)
    keys = {key: spell(chosen[key]) if key in chosen else None for key in found.plan.keys}
    tail = {
        "seconds": entry.seconds,
        "state": "failed" if entry.reason else "done",
        "reason": " ".join(entry.reason.split()),
        "experiment": entry.experiment,
    }
    if not entry.scores:
        yield {**keys, **_cells(None, ""), **tail}
    for score in entry.scores:
        yield {**keys, **_cells(score, score.condition), **tail}


def _cells(score: Score | None, condition: str) -> dict[str, Any]:
    low, high = score.interval if score else (None, None)
    dlow, dhigh = (score and score.difference_interval) or (None, None)
    return {
        "condition": condition,
        "problems": score and score.problems,
        "pass@1": score and score.rate,
        "low": low,
        "high": high,
        "none": score and score.baseline,
        "difference": score and score.difference,
        "difference_low": dlow,
        "difference_high": dhigh,
        "helped": score and score.helped,
        "hurt": score and score.hurt,
        "mcnemar_p": score and score.p,
        "context_tokens": score and score.tokens,
    }

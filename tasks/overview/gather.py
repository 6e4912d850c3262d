"""The finished reports as rows of one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tasks.figures.draw import load_details
from tasks.figures.rows import BASELINE, Rows, rates
from tasks.page.headline import headline
from tasks.report.results import interval_text, percent


@dataclass(frozen=True)
class Cell:
    """One condition's pass@1 in percent with its interval; empty if it was not run."""

    rate: str = ""
    interval: str = ""
    best: bool = False


@dataclass(frozen=True)
class Line:
    """One report: where its page and table are ("" if there is none), and a cell a condition."""

    benchmark: str
    model: str
    problems: int
    headline: str
    page: str
    table: str
    cells: tuple[Cell, ...]
    selected: tuple[tuple[str, str], ...]
    oracle: str
    rates: Rows


def gather(folder: Path) -> tuple[list[str], list[Line]]:
    """Conditions of all reports below `folder`, `none` first, and a line a report.

    Raises CodeGraftError for a details.json that is not a report's.
    """
    places = sorted(path.parent for path in folder.glob("*/*/details.json"))
    found = [(place, load_details(place)) for place in places]
    names = dict.fromkeys(name for _, details in found for name in details["solvers"])
    conditions = sorted(names, key=lambda name: name != BASELINE)
    return conditions, [_line(folder, place, conditions) for place in places]


def _line(folder: Path, place: Path, conditions: Sequence[str]) -> Line:
    details = load_details(place)
    rate, intervals = details["pass@1"], details["intervals"]
    best = max(rate.values())

    def link(name: str) -> str:
        path = place / name
        return path.relative_to(folder).as_posix() if path.is_file() else ""

    return Line(
        benchmark=details["benchmark"],
        model=details["model"],
        problems=details["problems"],
        headline=headline(details),
        page=link("page.html"),
        table=link("table.md"),
        cells=tuple(
            Cell(percent(rate[name]), interval_text(intervals[name]), rate[name] == best)
            if name in rate
            else Cell()
            for name in conditions
        ),
        selected=tuple((name, percent(v)) for name, v in sorted(details["selected"].items())),
        oracle=percent(details["oracle"]),
        rates=rates(details),
    )

"""A sweep on the terminal: one line a point, the running stage below it, a table at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.status import Status
from rich.table import Table

from flows.progress import Meter, clock
from tasks.report.results import p_text, percent
from tasks.sweep.findings import Entry, Findings
from tasks.sweep.results import Score

WIDTH = 80


class QuietScreen:
    """Says nothing: for sweeps that somebody looks at in Prefect's UI."""

    def began(self, number: int, total: int, label: str) -> None:
        """A point was started."""

    def progressed(self, meter: Meter) -> None:
        """A stage of the point told how far it is."""

    def ended(self, entry: Entry, state: str, left_s: float | None) -> None:
        """A point ended; `left_s` is the estimate for the others."""

    def found(self, findings: Findings, folder: Path) -> None:
        """The sweep is done and its report lies in the folder."""


class Screen(QuietScreen):
    """Lines in a log; on a terminal also a line that moves."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = Status("", console=console) if console.is_terminal else None
        self._label = ""
        self._findings: Findings | None = None
        self._folder = Path()
        self.failures = 0

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Keep the moving line while the block runs."""
        if self._status is None:
            yield
            return
        with self._status:
            yield

    def began(self, number: int, total: int, label: str) -> None:
        """Name the point."""
        self._label = f"\\[{number}/{total}] {escape(label)}"
        if self._status:
            self._status.update(self._label)

    def progressed(self, meter: Meter) -> None:
        """Move the line."""
        if self._status:
            self._status.update(f"{self._label}  {escape(str(meter))}")

    def ended(self, entry: Entry, state: str, left_s: float | None) -> None:
        """Leave a line that stays."""
        if entry.reason:
            self.failures += 1
            said = f"failed: {escape(entry.reason)}"
        else:
            said = ", ".join(f"{s.condition} {percent(s.rate)}" for s in entry.scores)
            took = f", {entry.seconds:.0f} s" if entry.seconds is not None else ""
            said += " (unchanged)" if state == "kept" else took
        left = f"; about {clock(left_s)} left" if left_s else ""
        self._console.print(f"{self._label}: {said}{left}", soft_wrap=True)

    def found(self, findings: Findings, folder: Path) -> None:
        """Keep what `summary` prints."""
        self._findings, self._folder = findings, folder

    def summary(self) -> None:
        """Print the tables, at most 80 columns wide."""
        if self._findings is None:
            return
        plan, plain = self._findings.plan, not self._console.is_terminal
        out = self._console
        if out.width > WIDTH:
            out = Console(file=out.file, width=WIDTH, highlight=False)
        rows = [
            ("* " if place == self._findings.best else "  ", entry)
            for place, entry in enumerate(self._findings.points)
        ]
        title = f"{plan.dev}, first {plan.dev_limit} problems (* best)"
        out.print(_table(title, rows, plain=plain))
        final = [(f"{role}: ", entry) for role, entry in self._findings.final.items()]
        if final:
            out.print(_table(f"{plan.benchmark}, all problems", final, plain=plain))
        out.print(f"Report: {self._folder / 'report.md'}", soft_wrap=True)


def _table(title: str, rows: list[tuple[str, Entry]], *, plain: bool) -> Table:
    table = Table(
        title=title, title_justify="left", box=box.ASCII2 if plain else box.SIMPLE, padding=(0, 0)
    )
    table.add_column("point", overflow="fold")
    table.add_column("condition", overflow="fold")
    for name in ("pass@1", "vs none", "helped", "hurt", "p", "tokens", "s"):
        table.add_column(name, justify="right", no_wrap=True)
    for mark, entry in rows:
        name = escape(mark + entry.label)
        took = f"{entry.seconds:.0f}" if entry.seconds is not None else ""
        for score in entry.scores:
            table.add_row(name, *_cells(score), took)
        if entry.reason:
            table.add_row(name, "failed")
    return table


def _cells(score: Score) -> tuple[str, ...]:
    known = score.difference is not None and score.p is not None
    return (
        score.condition,
        percent(score.rate),
        f"{100 * (score.difference or 0):+.1f}" if known else "",
        str(score.helped) if known else "",
        str(score.hurt) if known else "",
        p_text(score.p or 0.0) if known else "",
        f"{score.tokens:.0f}",
    )

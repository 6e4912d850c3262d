"""A run on the terminal: a live table, or in a log one line for each thing that happens."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from rich import box
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table

from flows.outcomes import Outcome
from flows.progress import Meter, clock

WIDTH = 80
COLOURS = {"Completed": "green", "Cached": "blue", "Failed": "red", "Crashed": "bright_red"}
_QUIET_S = 30.0


class Board(Protocol):
    """Where a run tells how it goes. Stages call it from several threads."""

    outcomes: list[Outcome]

    def waits(self, stage: str, why: str) -> None:
        """A stage could start, but for something that another run holds."""

    def started(self, stage: str) -> None:
        """A stage was started."""

    def progressed(self, stage: str, meter: Meter) -> None:
        """A stage told how far it is."""

    def ended(self, outcome: Outcome) -> None:
        """A stage ended, or needs no run."""


class QuietBoard:
    """Says nothing: for runs that somebody looks at in Prefect's UI."""

    outcomes: list[Outcome] = []

    def waits(self, stage: str, why: str) -> None:
        """Say nothing."""

    def started(self, stage: str) -> None:
        """Say nothing."""

    def progressed(self, stage: str, meter: Meter) -> None:
        """Say nothing."""

    def ended(self, outcome: Outcome) -> None:
        """Say nothing."""


BOARD: ContextVar[Board] = ContextVar("BOARD", default=QuietBoard())  # noqa: B039


class LineBoard:
    """For logs and pipes: stages that run and end, and how far they are every half minute."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said: dict[str, float] = {}
        self.outcomes: list[Outcome] = []

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Lines need no frame."""
        yield

    def _line(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def waits(self, stage: str, why: str) -> None:
        """Say so."""
        self._line(f"{stage}: {why}")

    def started(self, stage: str) -> None:
        """Say so."""
        self._said[stage] = time.monotonic()
        self._line(f"{stage}: running")

    def progressed(self, stage: str, meter: Meter) -> None:
        """Say so if the last word about this stage is long ago."""
        if time.monotonic() - self._said.get(stage, 0.0) >= _QUIET_S:
            self._said[stage] = time.monotonic()
            self._line(f"{stage}: {meter.done:,} of {meter.total:,} {meter.unit} {meter.pace()}")

    def ended(self, outcome: Outcome) -> None:
        """Say so, unless the stage needed no run."""
        self.outcomes.append(outcome)
        if outcome.stage in self._said or not outcome.good:
            reason = "" if outcome.kind == "Completed" else f": {outcome.reason}"
            self._line(f"{outcome.stage}: {outcome.kind}, {outcome.seconds:.1f} s{reason}")


class LiveBoard:
    """For a terminal: one redrawn table of what runs and what has run, and how much is left."""

    def __init__(self, console: Console) -> None:
        self._begun: dict[str, float] = {}
        self._waiting: set[str] = set()
        self._meters: dict[str, Meter] = {}
        self._ended: dict[str, Outcome] = {}
        self.outcomes: list[Outcome] = []
        self._console = console

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Keep the table on the terminal while the block runs."""
        with Live(
            console=self._console,
            get_renderable=self._table,
            refresh_per_second=4,
            transient=True,
            redirect_stderr=False,
        ):
            yield

    def waits(self, stage: str, why: str) -> None:
        """Add a row."""
        self._waiting.add(stage)
        self._begun[stage] = time.monotonic()

    def started(self, stage: str) -> None:
        """Add a row."""
        self._waiting.discard(stage)
        self._begun[stage] = time.monotonic()

    def progressed(self, stage: str, meter: Meter) -> None:
        """Move the row's bar."""
        self._meters[stage] = meter

    def ended(self, outcome: Outcome) -> None:
        """Settle the row."""
        self.outcomes.append(outcome)
        self._ended[outcome.stage] = outcome

    def _table(self) -> Table:
        counts = Counter(outcome.kind for outcome in self._ended.values())
        running = [stage for stage in self._begun if stage not in self._ended]
        parts = [f"{count} {kind}" for kind, count in counts.items()]
        table = Table(box=None, padding=(0, 1, 0, 0), width=WIDTH, show_header=False)
        table.add_column(no_wrap=True, overflow="ellipsis", width=38)
        table.add_column(width=12)
        table.add_column(no_wrap=True, overflow="ellipsis")
        for stage in self._begun:
            table.add_row(*self._row(stage))
        table.caption = ", ".join([*parts, f"{len(running)} running"])
        table.caption_justify = "left"
        return table

    def _row(self, stage: str) -> tuple[str | ProgressBar, ...]:
        if outcome := self._ended.get(stage):
            return (escape(stage), coloured(outcome.kind), f"{outcome.seconds:.1f} s")
        meter = self._meters.get(stage)
        if meter is None:
            state = "waiting" if stage in self._waiting else "running"
            return (escape(stage), state, clock(time.monotonic() - self._begun[stage]))
        bar = ProgressBar(total=100, completed=meter.percent, width=11)
        return (escape(stage), bar, f"{meter.percent:.0f}% {meter.pace()}")


def coloured(kind: str) -> str:
    """A state in its colour."""
    return f"[{COLOURS[kind]}]{kind}[/]" if kind in COLOURS else kind


def outcome_table(outcomes: Iterable[Outcome], *, plain: bool) -> Table:
    """Stages with states and seconds, at most 80 columns wide; reasons where some ended badly."""
    rows = list(outcomes)
    table = Table(box=box.ASCII2 if plain else box.SIMPLE, padding=(0, 0))
    table.add_column("stage", overflow="fold")
    table.add_column("state", no_wrap=True)
    table.add_column("seconds", justify="right", no_wrap=True)
    if reasons := any(not outcome.good for outcome in rows):
        table.add_column("why", overflow="fold")
    for outcome in rows:
        why = "" if outcome.good else outcome.reason
        cells = (escape(outcome.stage), coloured(outcome.kind), f"{outcome.seconds:.1f}")
        table.add_row(*cells, *([escape(why)] if reasons else []))
    return table

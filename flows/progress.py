"""Progress events as a share and a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def clock(seconds: float) -> str:
    """Seconds as m:ss or h:mm:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@dataclass
class Meter:
    """Follows one stage's events; what was done before the first of them does not enter the rate.

    A stage may count several things in turn; each new label starts anew.
    """

    label: str = ""
    done: int = 0
    total: int = 0
    unit: str = ""
    elapsed_s: float = 0.0
    _first: tuple[int, float] = field(default=(0, 0.0))

    def update(self, event: dict[str, Any]) -> None:
        """Take in an event {stage, done, total, unit, elapsed_s}; any other dict is passed over."""
        try:
            label, unit = str(event["stage"]), str(event["unit"])
            done, total = int(event["done"]), int(event["total"])
            elapsed_s = float(event["elapsed_s"])
        except (KeyError, TypeError, ValueError):
            return
        if label != self.label or elapsed_s < self.elapsed_s:
            self._first = (done, elapsed_s)
        self.label, self.unit, self.done, self.total = label, unit, done, total
        self.elapsed_s = elapsed_s

    @property
    def percent(self) -> float:
        """Share done, 0 to 100."""
        return min(100.0, 100.0 * self.done / self.total) if self.total > 0 else 0.0

    @property
    def rate(self) -> float:
        """Items a second since the first event; 0 while it is unknown."""
        span = self.elapsed_s - self._first[1]
        return (self.done - self._first[0]) / span if span > 0 else 0.0

    def pace(self) -> str:
        """For example `2.4/s, 0:31 left`; empty while the rate is unknown."""
        if self.rate <= 0:
            return ""
        left = (self.total - self.done) / self.rate
        return f"{self.rate:.1f}/s, {clock(left)} left" if left > 0 else f"{self.rate:.1f}/s"

    def __str__(self) -> str:
        text = f"{self.label}: {self.done:,} of {self.total:,} {self.unit}"
        return f"{text}, {self.pace()}" if self.pace() else text

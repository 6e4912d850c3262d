"""Progress of long work: a bar on a terminal, a line now and then in a log, events for a flow."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TextIO


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """Counts finished items of one long step.

    On a terminal one line is redrawn; elsewhere a line appears every `quiet_s` seconds. When
    $CODEGRAFT_PROGRESS names a file, each report is also appended there as a JSON line
    {stage, done, total, unit, elapsed_s}, which is how a flow feeds its progress bars.
    """

    def __init__(
        self,
        stage: str,
        total: int,
        unit: str,
        *,
        quiet_s: float = 30.0,
        stream: TextIO = sys.stderr,
    ) -> None:
        self.stage, self.total, self.unit = stage, total, unit
        self.done = 0
        self._start = time.monotonic()
        self._cached = 0
        self._stream = stream
        self._interval = 0.2 if stream.isatty() else quiet_s
        self._last = self._start if not stream.isatty() else 0.0
        self._events = os.environ.get("CODEGRAFT_PROGRESS")

    def skip(self, count: int) -> None:
        """Count items that were finished before this run; they do not enter the rate."""
        self._cached += count
        self.add(count)

    def add(self, count: int = 1) -> None:
        """Count finished items."""
        self.done += count
        now = time.monotonic()
        if now - self._last >= self._interval:
            self._last = now
            self._report()

    def _line(self) -> str:
        elapsed = time.monotonic() - self._start
        fresh = self.done - self._cached
        rate = fresh / elapsed if elapsed > 0 else 0.0
        text = f"{self.stage}: {self.done:,}/{self.total:,} {self.unit}"
        if fresh and rate > 0:
            text += f", {rate:.1f}/s, {_clock((self.total - self.done) / rate)} left"
        return text

    def _report(self) -> None:
        if self._stream.isatty():
            self._stream.write(f"\r\x1b[K{self._line()[:79]}")
        else:
            self._stream.write(self._line() + "\n")
        self._stream.flush()
        if self._events:
            event = {
                "stage": self.stage,
                "done": self.done,
                "total": self.total,
                "unit": self.unit,
                "elapsed_s": round(time.monotonic() - self._start, 3),
            }
            with open(self._events, "a", encoding="utf-8") as sink:
                sink.write(json.dumps(event) + "\n")

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._report()
        if self._stream.isatty():
            self._stream.write("\n")

"""Progress of long work: a bar on a terminal, a line now and then in a log, events for a flow."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TextIO

_EVENT_S = 1.0


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """Counts finished items of one long step.

    On a terminal one line is redrawn; elsewhere a line appears every `quiet_s` seconds. When
    $CODEGRAFT_PROGRESS names a file, a JSON line {stage, done, skipped, total, unit, elapsed_s} is
    also appended there, once a second at most, which is how a flow feeds its progress bars.
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
        self._last_event = self._start

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
            self._show()
        if now - self._last_event >= _EVENT_S:
            self._last_event = now
            self._emit()

    def _line(self) -> str:
        elapsed = time.monotonic() - self._start
        fresh = self.done - self._cached
        rate = fresh / elapsed if elapsed > 0 else 0.0
        text = f"{self.stage}: {self.done:,}/{self.total:,} {self.unit}"
        if fresh and rate > 0:
            text += f", {rate:.1f}/s, {_clock((self.total - self.done) / rate)} left"
        return text

    def _show(self) -> None:
        if self._stream.isatty():
            self._stream.write(f"\r\x1b[K{self._line()[:79]}")
        else:
            self._stream.write(self._line() + "\n")
        self._stream.flush()

    def _emit(self) -> None:
        if self._events:
            event = {
                "stage": self.stage,
                "done": self.done,
                "skipped": self._cached,
                "total": self.total,
                "unit": self.unit,
                "elapsed_s": round(time.monotonic() - self._start, 3),
            }
            with open(self._events, "a", encoding="utf-8") as sink:
                sink.write(json.dumps(event) + "\n")

    def __enter__(self) -> Progress:
        self._emit()
        return self

    def __exit__(self, *_: object) -> None:
        self._show()
        self._emit()
        if self._stream.isatty():
            self._stream.write("\n")

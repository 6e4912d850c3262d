"""A bar on a terminal, rare lines in a log, events for a flow."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tasks.core import progress as module
from tasks.core.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def test_a_log_gets_a_line_per_interval_and_one_at_the_end(clock: Clock):
    log = io.StringIO()
    with Progress("embed", 100, "texts", quiet_s=30, stream=log) as progress:
        for _ in range(100):
            clock.now += 0.7
            progress.add()
    assert log.getvalue().splitlines() == [
        "embed: 43/100 texts, 1.4/s, 0:39 left",
        "embed: 86/100 texts, 1.4/s, 0:09 left",
        "embed: 100/100 texts, 1.4/s, 0:00 left",
    ]


def test_a_terminal_redraws_one_line(clock: Clock):
    terminal = Terminal()
    with Progress("embed", 3, "texts", stream=terminal) as progress:
        for _ in range(3):
            clock.now += 1
            progress.add()
    text = terminal.getvalue()
    assert text.count("\r\x1b[K") == 4
    assert text.endswith("\r\x1b[Kembed: 3/3 texts, 1.0/s, 0:00 left\n")


def test_what_was_done_before_does_not_enter_the_rate(clock: Clock):
    log = io.StringIO()
    with Progress("embed", 100, "texts", stream=log) as progress:
        progress.skip(90)
        clock.now += 5
        progress.add(5)
    assert log.getvalue() == "embed: 95/100 texts, 1.0/s, 0:05 left\n"


def test_nothing_done_divides_by_nothing(clock: Clock):
    log = io.StringIO()
    with Progress("embed", 0, "texts", stream=log):
        pass
    assert log.getvalue() == "embed: 0/0 texts\n"


def test_long_waits_are_told_in_hours(clock: Clock):
    log = io.StringIO()
    with Progress("generate", 7300, "prompts", stream=log) as progress:
        clock.now += 100
        progress.add(100)
    assert log.getvalue().splitlines()[-1] == "generate: 100/7,300 prompts, 1.0/s, 2:00:00 left"


def test_events_for_a_flow_do_not_wait_for_the_log(clock: Clock, tmp_path: Path, monkeypatch):
    events = tmp_path / "events"
    monkeypatch.setenv("CODEGRAFT_PROGRESS", str(events))
    with Progress("embed", 9, "texts", quiet_s=30, stream=io.StringIO()) as progress:
        progress.skip(4)
        for _ in range(3):
            clock.now += 0.6
            progress.add()
    same = {"stage": "embed", "skipped": 4, "total": 9, "unit": "texts"}
    assert [json.loads(line) for line in events.read_text().splitlines()] == [
        {**same, "skipped": 0, "done": 0, "elapsed_s": 0.0},
        {**same, "done": 6, "elapsed_s": 1.2},
        {**same, "done": 7, "elapsed_s": 1.8},
    ]

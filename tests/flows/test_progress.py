"""Shares, rates and estimates from progress events."""

from __future__ import annotations

from typing import Any

import pytest

from flows.progress import Meter


def _event(done: int, elapsed_s: float, **more: Any) -> dict[str, Any]:
    base = {"stage": "embed", "total": 1000, "unit": "texts"}
    return {**base, "done": done, "elapsed_s": elapsed_s, **more}


def test_rate_and_estimate() -> None:
    meter = Meter()
    meter.update(_event(0, 0.0))
    assert str(meter) == "embed: 0 of 1,000 texts"
    meter.update(_event(200, 10.0))
    assert str(meter) == "embed: 200 of 1,000 texts, 20.0/s, 0:40 left"
    assert meter.percent == 20


def test_slow_items_are_told_by_their_seconds() -> None:
    meter = Meter()
    meter.update(_event(0, 0.0))
    meter.update(_event(2, 50.0))
    assert meter.pace() == "25.0 s each, 6:55:50 left"


def test_what_was_skipped_does_not_enter_the_rate() -> None:
    meter = Meter()
    meter.update(_event(0, 0.0, skipped=0))
    meter.update(_event(910, 1.0, skipped=900))
    assert meter.pace() == "10.0/s, 0:09 left"


def test_a_new_label_starts_anew() -> None:
    meter = Meter()
    meter.update(_event(1000, 5.0))
    meter.update(_event(10, 0.5, stage="index"))
    assert str(meter) == "index: 10 of 1,000 texts"


@pytest.mark.parametrize("event", [{}, {"stage": "embed"}, _event(1, 1.0, total="many")])
def test_other_lines_are_passed_over(event: dict[str, Any]) -> None:
    meter = Meter()
    meter.update(event)
    assert meter == Meter()


def test_nothing_to_do_is_no_share() -> None:
    meter = Meter()
    meter.update(_event(0, 0.0, total=0))
    assert meter.percent == 0

"""What DVC's exit code and output say about a stage."""

from __future__ import annotations

import pytest

from flows.outcomes import is_busy, judge

RAN = ["Running stage 'x':", "> python -m tasks.x"]
FAILED = "ERROR: failed to reproduce 'x': failed to run: python -m tasks.x, exited with "


@pytest.mark.parametrize(
    ("lines", "kind", "reason"),
    [
        ([*RAN, "Updating lock file 'dvc.lock'"], "Completed", ""),
        (["Stage 'x' didn't change, skipping"], "Cached", "inputs did not change"),
        (
            ["Stage 'x' is cached - skipping run, checking out outputs"],
            "Cached",
            "outputs taken from the run cache",
        ),
    ],
)
def test_good_ends(lines: list[str], kind: str, reason: str) -> None:
    outcome = judge("x", 0, lines, 1.0)
    assert (outcome.kind, outcome.reason) == (kind, reason)


@pytest.mark.parametrize(
    ("code", "lines", "kind", "reason"),
    [
        (255, [*RAN, "x: 1/2", "error: no\n", "  remedy: do", FAILED + "2"], "Failed",
         "error: no\n\n  remedy: do"),
        (255, [*RAN, "Traceback (most recent call last):", "  File", "KeyError: 'k'", FAILED + "1"],
         "Failed", "KeyError: 'k'"),
        (255, [*RAN, FAILED + "-11"], "Crashed", "killed by SIGSEGV"),
        (255, [*RAN, FAILED + "137"], "Crashed", "killed by SIGKILL (often: out of memory)"),
        (143, RAN, "Crashed", "killed by SIGTERM"),
        (255, [*RAN, FAILED + "1"], "Failed",
         "failed to reproduce 'x': failed to run: python -m tasks.x, exited with 1"),
        (255, ["ERROR: output 'o' is not there"], "Failed", "ERROR: output 'o' is not there"),
        (3, [], "Failed", "exit code 3"),
    ],
)  # fmt: skip
def test_bad_ends(code: int, lines: list[str], kind: str, reason: str) -> None:
    outcome = judge("x", code, lines, 1.0)
    assert (outcome.kind, outcome.reason) == (kind, reason)
    assert not outcome.good


def test_another_dvc_at_work_is_told_from_a_failure() -> None:
    assert is_busy(["ERROR: '/p/o' is busy, it is being blocked by:", "  (PID 1): dvc repro"])
    assert not is_busy([FAILED + "1"])

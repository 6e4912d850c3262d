from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.sandbox.capture import Raw
from tasks.sandbox.verdict import judge

NONCE = "5eed"
READY = b"5eed\tready\t\t\n"
RAW = Raw(exit_code=0, timed_out=False, channel=READY, stdout=b"", stderr=b"", wall_s=0.1)


def _status(raw, oom_kills=0):
    return judge(raw, NONCE, isolation="none", oom_kills=oom_kills).status


@pytest.mark.parametrize(
    ("frames", "status"),
    [
        (b"5eed\tpass\t\t\n", "pass"),
        (b"5eed\tfail\tNameError\tname 'x'\n", "fail"),
        (b"5eed\toom\tMemoryError\t\n", "oom"),
        (b"0000\tpass\t\t\n", "tampered"),
        (b"5eed\tpass\n", "tampered"),
        (b"5eed\tbetter\t\t\n", "tampered"),
        (b"5eed\tfail\tE\t\n5eed\tpass\t\t\n", "tampered"),
        (b"x" * 20000, "tampered"),
        (b"", "crash"),
    ],
)
def test_only_the_harness_gives_a_verdict(frames, status):
    assert _status(replace(RAW, channel=READY + frames)) == status


@pytest.mark.parametrize(
    ("exit_code", "timed_out", "status", "detail", "suspect"),
    [
        (0, False, "crash", "ended without a verdict, exit code 0", False),
        (139, False, "crash", "ended by signal 11", False),
        (137, False, "crash", "ended by signal 9", True),
        (-9, False, "crash", "ended by signal 9", True),
        (152, False, "timeout", "processor time", False),
        (124, False, "timeout", "wall time", True),
        (-9, True, "timeout", "wall time", True),
    ],
)
def test_what_an_end_without_verdict_means(exit_code, timed_out, status, detail, suspect):
    raw = replace(RAW, exit_code=exit_code, timed_out=timed_out)
    outcome = judge(raw, NONCE, isolation="none", oom_kills=0)
    assert (outcome.status, outcome.detail, outcome.suspect) == (status, detail, suspect)


def test_a_worker_that_did_not_start_is_no_ones_failure():
    raw = replace(RAW, channel=b"", stderr=b"bwrap: first\nbwrap: no space\n", exit_code=1)
    outcome = judge(raw, NONCE, isolation="none", oom_kills=0)
    assert (outcome.status, outcome.detail) == (
        "infra",
        "the worker did not start: bwrap: no space",
    )


def test_who_exceeded_the_memory_did_not_pass():
    passed = replace(RAW, channel=READY + b"5eed\tpass\t\t\n")
    assert _status(passed) == "pass"
    assert _status(passed, oom_kills=1) == "oom"
    assert _status(replace(RAW, exit_code=137), oom_kills=1) == "oom"


@given(st.binary(max_size=200))
def test_no_bytes_without_the_nonce_make_a_pass(noise):
    assert _status(replace(RAW, channel=READY + noise)) != "pass"

from __future__ import annotations

import threading

import pytest
import torch

from tasks.embed.cores import run_each


def test_each_item_once_with_one_thread_each():
    seen: list[tuple[int, int]] = []
    run_each(lambda i: seen.append((i, torch.get_num_threads())), range(20), workers=3)
    assert sorted(seen) == [(i, 1) for i in range(20)]


def test_workers_run_side_by_side():
    meeting = threading.Barrier(2, timeout=20)

    def work(_: int) -> None:
        meeting.wait()

    run_each(work, [1, 2], workers=2)
    assert not meeting.broken


def test_a_failure_is_raised_and_the_rest_left_undone():
    done: list[int] = []

    def work(item: int) -> None:
        if item == 0:
            raise OSError("no")
        threading.Event().wait(0.01)
        done.append(item)

    with pytest.raises(OSError, match="no"):
        run_each(work, range(500), workers=1)
    assert len(done) < 499

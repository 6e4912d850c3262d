"""MBPP (Austin et al. 2021), test split: tasks 11 to 510."""

from __future__ import annotations

from tasks.core.strict import Strict
from tasks.problems.benchmarks._mbpp import HUB, read_rows, to_item
from tasks.problems.types import Item


class Options(Strict):
    """`benchmark.mbpp`: a JSONL file, and the hub's dataset to read where there is no such file."""

    path: str | None = None
    hub: str | None = HUB


def read(options: Options) -> list[Item]:
    """The 500 problems of the test split, in the order of their numbers."""
    rows = read_rows(options.path, hub=options.hub, key="benchmark.mbpp.path")
    return [to_item(row) for row in rows if 11 <= row["task_id"] <= 510]

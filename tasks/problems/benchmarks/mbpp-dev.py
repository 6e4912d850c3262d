"""The development set: MBPP tasks 601 to 974 that are not in MBPP+ (SPEC 5).

Prompts, thresholds and rankers are tuned here and nowhere else.
"""

from __future__ import annotations

from tasks.core.strict import Strict
from tasks.problems.benchmarks._mbpp import HUB, PLUS_HUB, read_rows, to_item
from tasks.problems.types import Item


class Options(Strict):
    """`benchmark.mbpp-dev`: MBPP, and the MBPP+ file whose tasks are left out."""

    path: str | None = None
    exclude: str | None = None
    hub: str | None = HUB
    exclude_hub: str | None = PLUS_HUB


def read(options: Options) -> list[Item]:
    """The problems of the development set, in the order of their numbers."""
    rows = read_rows(options.path, hub=options.hub, key="benchmark.mbpp-dev.path")
    plus = read_rows(options.exclude, hub=options.exclude_hub, key="benchmark.mbpp-dev.exclude")
    taken = {row["task_id"] for row in plus}
    return [
        to_item(row) for row in rows if 601 <= row["task_id"] <= 974 and row["task_id"] not in taken
    ]

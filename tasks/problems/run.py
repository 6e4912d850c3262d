"""From a benchmark plugin to its two tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path

from tasks.core import plugins
from tasks.core.errors import CodeGraftError
from tasks.core.params import Benchmarks
from tasks.core.strict import validated
from tasks.core.tables import write_table
from tasks.problems.schema import ANSWERS, PROBLEMS
from tasks.problems.types import Item

PLUGINS = "tasks.problems.benchmarks"


def read_items(slug: str, benchmark: Benchmarks) -> list[Item]:
    """The benchmark's problems, the first `benchmark.limit` of them.

    Raises CodeGraftError for an unknown benchmark, one without problems or a doubled task_id.
    """
    read = plugins.load(PLUGINS, slug, "read")
    model = plugins.load(PLUGINS, slug, "Options")
    where = f"params.yaml: benchmark.{slug}"
    items: list[Item] = read(validated(model, benchmark.options(slug), where=where))
    counts = Counter(item.task_id for item in items)
    if doubled := sorted(task for task, count in counts.items() if count > 1):
        raise CodeGraftError(
            f"{len(doubled)} task_ids occur more than once, e.g. {doubled[0]}",
            where=where,
            remedy="remove the doubled rows from the benchmark's file",
        )
    if not items:
        raise CodeGraftError(
            "the benchmark has no problems", where=where, remedy="check that its path is right"
        )
    return items[: benchmark.limit]


def write_items(items: list[Item], folder: Path) -> None:
    """Write problems.arrow and answers.arrow, both in the benchmark's order."""
    rows = [asdict(item) for item in items]
    write_table(folder / "problems.arrow", PROBLEMS, rows)
    write_table(folder / "answers.arrow", ANSWERS, rows)

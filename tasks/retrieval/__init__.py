"""Retrieval: a knowledge base, the conditions that search it, and one entry point for both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tasks.core.errors import CodeGraftError
from tasks.core.plugins import load
from tasks.core.strict import validated
from tasks.retrieval.types import Context, Problem

if TYPE_CHECKING:
    from tasks.retrieval.knowledge import KnowledgeBase

CONDITIONS = "tasks.conditions"


def retrieve(
    kb: KnowledgeBase, condition: str, problems: Sequence[Problem], raw_options: Mapping[str, Any]
) -> dict[str, list[Context]]:
    """Contexts by task_id, best first, in the order of `problems`.

    Every problem has exactly one entry; an empty one says that nothing was found or similar
    enough. Raises CodeGraftError for an unknown condition, invalid options, a doubled task_id, or
    a condition whose answer does not match the problems one to one.
    """
    options = validated(
        load(CONDITIONS, condition, "Options"),
        dict(raw_options),
        where=f"params.yaml: conditions.{condition}",
    )
    counts = Counter(problem.task_id for problem in problems)
    if doubled := sorted(task_id for task_id, count in counts.items() if count > 1):
        raise CodeGraftError(
            f"{len(doubled)} problems occur more than once, e.g. {doubled[0]}",
            where="problems given to retrieval",
            remedy="remove the doubled rows from the benchmark",
        )
    found: dict[str, list[Context]] = load(CONDITIONS, condition, "retrieve")(kb, problems, options)
    _check(condition, list(counts), found)
    return {task_id: found[task_id] for task_id in counts}


def _check(condition: str, wanted: list[str], found: Mapping[str, list[Context]]) -> None:
    """Join by task_id or fail: contexts once went to the wrong problems by position (SPEC 1.4)."""
    lost, invented = set(wanted) - set(found), set(found) - set(wanted)
    strays = [
        context.task_id
        for task_id, contexts in found.items()
        for rank, context in enumerate(contexts)
        if (context.task_id, context.condition, context.rank) != (task_id, condition, rank)
    ]
    if lost or invented or strays:
        raise CodeGraftError(
            f"contexts do not match the problems: {len(lost)} without entry, "
            f"{len(invented)} unknown, {len(strays)} contexts under a foreign key",
            where=f"tasks/conditions/{condition}.py",
            remedy="a condition must return one entry for each problem, keyed by its task_id",
        )

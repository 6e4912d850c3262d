"""No retrieval: what the model does by itself."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.core.strict import Strict
from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.types import Context, Problem


class Options(Strict):
    """This condition has no parameters."""


def retrieve(
    kb: KnowledgeBase, problems: Sequence[Problem], options: Options
) -> dict[str, list[Context]]:
    """No context for any problem; the knowledge base is not opened."""
    return {problem.task_id: [] for problem in problems}

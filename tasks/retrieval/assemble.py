"""From hits to the contexts that a condition returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tasks.retrieval.budget import to_contexts
from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.types import Context, Hit


def contexts_of(
    kb: KnowledgeBase, condition: str, found: Mapping[str, Sequence[Hit]], *, token_budget: int
) -> dict[str, list[Context]]:
    """Contexts by task within the budget; a task without hits keeps its entry, empty."""
    return {
        task_id: to_contexts(
            task_id, condition, hits, token_budget=token_budget, count_tokens=kb.count_tokens
        )
        for task_id, hits in found.items()
    }

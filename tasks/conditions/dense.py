"""Whole rows by cosine: the dense baseline on unstructured text (SPEC 1.3)."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.retrieval.assemble import contexts_of
from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.options import DenseOptions as Options
from tasks.retrieval.search import nearest
from tasks.retrieval.types import Context, Problem

__all__ = ["Options", "retrieve"]


def retrieve(
    kb: KnowledgeBase, problems: Sequence[Problem], options: Options
) -> dict[str, list[Context]]:
    """Contexts by task: the k rows most similar to the prompt, if similar enough."""
    found = nearest(kb, "Row", problems, k=options.k, min_similarity=options.min_similarity)
    return contexts_of(kb, "dense", found, token_budget=options.token_budget)

"""Whole rows by BM25: the lexical baseline on unstructured text (SPEC 1.3)."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.retrieval.assemble import contexts_of
from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.options import LexicalOptions as Options
from tasks.retrieval.search import lexical
from tasks.retrieval.types import Context, Problem

__all__ = ["Options", "retrieve"]


def retrieve(
    kb: KnowledgeBase, problems: Sequence[Problem], options: Options
) -> dict[str, list[Context]]:
    """Contexts by task: the k rows with the highest BM25 score."""
    found = lexical(kb, "Row", problems, k=options.k)
    return contexts_of(kb, "bm25", found, token_budget=options.token_budget)

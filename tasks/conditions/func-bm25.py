"""Functions by BM25: lexical search over the graph's Impl nodes (SPEC 1.3)."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.retrieval.assemble import contexts_of
from tasks.retrieval.expansion import expand
from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.options import LexicalCodeOptions as Options
from tasks.retrieval.search import lexical
from tasks.retrieval.types import Context, Problem

__all__ = ["Options", "retrieve"]


def retrieve(
    kb: KnowledgeBase, problems: Sequence[Problem], options: Options
) -> dict[str, list[Context]]:
    """Contexts by task: the k functions with the highest BM25 score."""
    found = lexical(kb, "Impl", problems, k=options.k)
    if options.expand_calls:
        found = expand(kb, found, token_budget=options.token_budget)
    return contexts_of(kb, "func-bm25", found, token_budget=options.token_budget)

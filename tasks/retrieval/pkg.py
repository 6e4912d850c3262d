"""Retrieval from the programming knowledge graph at one granularity (paper 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from tasks.retrieval.assemble import contexts_of
from tasks.retrieval.expansion import expand
from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.options import PkgOptions
from tasks.retrieval.pruning import Prunable, prune
from tasks.retrieval.search import Found, nearest
from tasks.retrieval.trees import tree_of
from tasks.retrieval.types import Context, Problem


def retrieve_nodes(
    kb: KnowledgeBase,
    kind: Literal["Impl", "Block"],
    problems: Sequence[Problem],
    options: PkgOptions,
    *,
    condition: str,
) -> dict[str, list[Context]]:
    """Contexts by task: nearest nodes of one type, pruned, expanded, cut to the budget."""
    found = nearest(kb, kind, problems, k=options.k, min_similarity=options.min_similarity)
    if options.prune != "never":
        found = _pruned(kb, problems, found, options)
    if options.expand_calls:
        found = expand(kb, found, token_budget=options.token_budget)
    return contexts_of(kb, condition, found, token_budget=options.token_budget)


def _pruned(
    kb: KnowledgeBase, problems: Sequence[Problem], found: Found, options: PkgOptions
) -> Found:
    """The hits with the variant that pruning chose as their text, all chosen together."""
    assert options.prune != "never"
    queries = dict(zip((p.task_id for p in problems), kb.query_vectors(problems), strict=True))
    hits = [(task_id, hit) for task_id, items in found.items() for hit in items]
    variants = prune(
        [Prunable(queries[task_id], tree_of(kb, hit.node_id)) for task_id, hit in hits],
        mode=options.prune,
        depth=options.prune_depth,
        text=options.prune_text,
        encode=kb.document_vectors,
    )
    pruned: Found = {task_id: [] for task_id in found}
    for (task_id, hit), variant in zip(hits, variants, strict=True):
        pruned[task_id].append(
            replace(hit, text=variant.text, full=variant.full, spans=variant.spans)
        )
    return pruned

"""Blocks by cosine, pruned: paper eq. 5 to 9 over the graph's Block nodes (SPEC 1.3)."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.options import PkgOptions as Options
from tasks.retrieval.pkg import retrieve_nodes
from tasks.retrieval.types import Context, Problem

__all__ = ["Options", "retrieve"]


def retrieve(
    kb: KnowledgeBase, problems: Sequence[Problem], options: Options
) -> dict[str, list[Context]]:
    """Contexts by task: the k most similar blocks, each without the branch that helps least."""
    return retrieve_nodes(kb, "Block", problems, options, condition="block-pkg")

"""Call expansion: append the bodies of functions that retrieved code calls (2025 paper, 2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.types import Hit

SEPARATOR = "\n\n"


def expand(
    kb: KnowledgeBase, found: Mapping[str, Sequence[Hit]], *, token_budget: int
) -> dict[str, list[Hit]]:
    """The hits, each followed by the functions it calls, as far as whole ones fit the budget.

    The hits of a problem share the budget in order of rank, and come first: only what all of them
    leave over is used.
    """
    expanded: dict[str, list[Hit]] = {}
    for task_id, hits in found.items():
        room = token_budget - sum(kb.count_tokens(hit.text) for hit in hits)
        expanded[task_id] = []
        for hit in hits:
            longer = _expanded(kb, hit, room)
            room -= kb.count_tokens(longer.text) - kb.count_tokens(hit.text)
            expanded[task_id].append(longer)
    return expanded


def _expanded(kb: KnowledgeBase, hit: Hit, room: int) -> Hit:
    """The hit with the bodies of its callees in order of first call, one level deep.

    A body that finds no room is passed over in favour of a later, shorter one.
    """
    text = hit.text
    limit = kb.count_tokens(text) + room
    for callee in _callees(kb, hit):
        body = kb.graph.text(callee)
        longer = f"{text.rstrip()}{SEPARATOR}{body}"
        if body not in text and kb.count_tokens(longer) <= limit:
            text = longer
    return replace(hit, text=text)


def _callees(kb: KnowledgeBase, hit: Hit) -> list[str]:
    """Functions called from what pruning left of the hit, in order of first call.

    Functions in denied documents are left out, as in any search.
    """
    node = kb.graph.node(hit.node_id)
    content = kb.source(node.doc_id)
    ends = [i for i, character in enumerate(hit.full) if character == "\n"]
    starts = [0, *(end + 1 for end in ends)]
    callees: dict[str, None] = {}
    for site in kb.graph.call_sites(hit.node_id):
        # A removed branch consists of whole lines, so the line tells whether the call is left.
        line = starts[content.count(b"\n", node.start_byte, site.start_byte)]
        if any(start <= line < end for start, end in hit.spans):
            continue
        if kb.graph.node(site.function_id).doc_id not in kb.denied:
            callees[site.function_id] = None
    return list(callees)

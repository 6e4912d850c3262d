"""Parse a piece of source once and list its statements, calls and imports in source order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from tree_sitter import Node, Parser, QueryCursor, Tree

from tasks.extract.grammar import ERRORS, KIND_OF, LANGUAGE, STRUCTURE

_EMPTY: list[int] = []


@dataclass(frozen=True)
class Scan:
    """What the query found, sorted by start and, for equal starts, outermost first.

    `kinds`, `starts`, `ends` (bytes) and `nodes` are parallel; `tree` keeps the nodes alive.
    """

    kinds: list[int]
    starts: list[int]
    ends: list[int]
    nodes: list[Node]
    tree: Tree
    error_regions: int
    error_bytes: int


def scan(source: bytes) -> Scan:
    """Scan one piece of Python source; what does not parse is counted, never raised."""
    tree = Parser(LANGUAGE).parse(source)
    root = tree.root_node
    regions, size = _errors(root) if root.has_error else (0, 0)
    nodes = QueryCursor(STRUCTURE).captures(root).get("n")
    if not nodes:
        return Scan(_EMPTY, _EMPTY, _EMPTY, [], tree, regions, size)
    starts = np.array([node.start_byte for node in nodes], np.int64)
    ends = np.array([node.end_byte for node in nodes], np.int64)
    order = np.lexsort((-ends, starts))
    positions = cast(list[int], order.tolist())
    sorted_nodes = [nodes[position] for position in positions]
    return Scan(
        [KIND_OF[node.kind_id] for node in sorted_nodes],
        starts[order].tolist(),
        ends[order].tolist(),
        sorted_nodes,
        tree,
        regions,
        size,
    )


def _errors(root: Node) -> tuple[int, int]:
    """Number of outermost error regions and missing tokens, and the bytes they cover.

    At least one: some errors (a stray comma) lie in nodes that no query sees.
    """
    nodes = QueryCursor(ERRORS).captures(root).get("e", [])
    found = sorted((node.start_byte, node.end_byte) for node in nodes)
    regions, size, reached = 0, 0, -1
    for start, end in found:
        if start < reached:
            continue
        regions += 1
        size += end - start
        reached = end
    return max(regions, 1), size

"""Cutting branches out of a node's text (SPEC 1.3, paper eq. 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tasks.retrieval.types import Span
from tasks.retrieval.validity import clause_keyword, is_valid


@dataclass(frozen=True, slots=True)
class Branch:
    """The subtree of one direct child of a node.

    A child is a compound statement or clause, so it takes up whole lines: `first_line` to
    `last_line`, both included, counted from 0 at the node's first line. `payloads` are the texts
    of the subtree's nodes in document order.
    """

    first_line: int
    last_line: int
    payloads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """A retrieved node's dedented text and its direct branches in document order."""

    text: str
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """A node's text without some branches; `spans` are the characters removed from `full`."""

    full: str
    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    start: int
    end: int
    filler: str


def source_variant(tree: Tree, removed: tuple[int, ...]) -> Variant | None:
    """The source without the branches of these indices, or None if no valid Python remains.

    A body that would be left empty becomes `...`. The last `except` and the last `case` stay, and
    so does whatever else the statement cannot do without (`finally` where nothing is excepted).
    A text that does not parse loses a branch only if what breaks it goes with that branch.
    """
    cuts: tuple[_Cut, ...] = ()
    for count, index in enumerate(removed):
        if _is_last_of_kind(tree, index, removed[:count]):
            return None
        line_span = _span(tree.text, tree.branches[index])
        if line_span is None:
            return None
        tried = ((*cuts, _Cut(*line_span, filler)) for filler in ("", _ellipsis(tree, index)))
        found = next((t for t in tried if is_valid(_render(tree.text, t))), None)
        if found is None:
            return None
        cuts = found
    ordered = sorted(cuts, key=lambda cut: cut.start)
    spans = tuple((cut.start, cut.end) for cut in ordered)
    return Variant(full=tree.text, text=_render(tree.text, cuts), spans=spans)


def payload_variant(tree: Tree, removed: tuple[int, ...]) -> Variant:
    """The paper's serialisation: the payloads of the remaining nodes, one after the other.

    A node's payload holds its children's text too, so a removed branch stays visible inside the
    node's own payload; that is the paper's way and the reason for `source_variant`.
    """
    pieces = [(True, tree.text)]
    for index, branch in enumerate(tree.branches):
        pieces += [(index not in removed, payload) for payload in branch.payloads]
    spans: list[Span] = []
    end = 0
    for kept, piece in pieces:
        start, end = end, end + len(piece) + (1 if end else 0)  # 1: the line end before it
        if not kept:
            spans.append((start, end))
    return Variant(
        full="\n".join(piece for _, piece in pieces),
        text="\n".join(piece for kept, piece in pieces if kept),
        spans=tuple(spans),
    )


def _is_last_of_kind(tree: Tree, index: int, removed: tuple[int, ...]) -> bool:
    lines = tree.text.split("\n")
    kinds = [clause_keyword(lines[branch.first_line]) for branch in tree.branches]
    rest = [kind for i, kind in enumerate(kinds) if i != index and i not in removed]
    return kinds[index] in ("except", "case") and kinds[index] not in rest


def _ellipsis(tree: Tree, index: int) -> str:
    line = tree.text.split("\n")[tree.branches[index].first_line]
    return line[: len(line) - len(line.lstrip())] + "..."


def _span(text: str, branch: Branch) -> Span | None:
    """Characters of the branch's lines; the line end before them goes, the one after stays.

    None where the branch starts on the node's first line: then it is not on lines of its own.
    """
    if branch.first_line < 1:
        return None
    ends = list(_line_ends(text))
    return ends[branch.first_line - 1], ends[branch.last_line]


def _line_ends(text: str) -> Iterator[int]:
    """Position of the line feed (or of the text's end) that closes each line."""
    position = text.find("\n")
    while position >= 0:
        yield position
        position = text.find("\n", position + 1)
    yield len(text)


def _render(text: str, cuts: tuple[_Cut, ...]) -> str:
    pieces: list[str] = []
    position = 0
    for cut in sorted(cuts, key=lambda cut: cut.start):
        pieces.append(text[position : cut.start])
        if cut.filler:
            pieces.append("\n" + cut.filler)
        position = cut.end
    pieces.append(text[position:])
    return "".join(pieces)

"""A retrieved text as shown: what was kept, pruned, cut by the budget, and added."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Kind = Literal["kept", "pruned", "cut", "added"]
Piece = tuple[Kind, str]
Span = tuple[int, int]

_FILLER = re.compile(r"\n[ \t]*\.\.\.")  # stands for a body that pruning emptied


def pieces(full: str, pruned: Sequence[Span], shown: str) -> list[Piece]:
    """Align what the model was shown with the text it comes from.

    `pruned` are the spans of `full` that pruning removed. The kept and added pieces make `shown`,
    the others and the kept ones make `full`, both in order.
    """
    found: list[Piece] = []
    rest, cut = shown, False
    for is_pruned, text in _alternating(full, pruned):
        if is_pruned:
            found.append(("pruned", text))
            continue
        if not cut and found and (filler := _filler(rest, text)):
            found.append(("added", filler))
            rest = rest[len(filler) :]
        kept = "" if cut else text[: _common(text, rest)]
        cut = cut or len(kept) < len(text)
        rest = rest[len(kept) :]
        found += [("kept", kept), ("cut", text[len(kept) :])]
    found.append(("added", rest))  # a filler at the end, or the bodies of called functions
    return _merged(found)


def _alternating(full: str, pruned: Sequence[Span]) -> list[tuple[bool, str]]:
    """The text as stretches, each with whether it was pruned."""
    stretches, position = [], 0
    for start, end in sorted(pruned):
        stretches += [(False, full[position:start]), (True, full[start:end])]
        position = max(position, end)
    return [*stretches, (False, full[position:])]


def _filler(rest: str, text: str) -> str:
    """The filler at the head of `rest`, where `text` goes on only after it."""
    match = _FILLER.match(rest)
    if match is None or not text or rest.startswith(text):
        return ""
    return match.group() if rest.startswith(text, match.end()) else ""


def _common(one: str, other: str) -> int:
    """Length of the longest common beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _merged(found: Sequence[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for kind, text in found:
        if not text:
            continue
        if merged and merged[-1][0] == kind:
            merged[-1] = (kind, merged[-1][1] + text)
        else:
            merged.append((kind, text))
    return merged

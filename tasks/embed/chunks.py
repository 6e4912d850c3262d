"""Naive chunks of a text: the unstructured baseline that people use today (SPEC 1.3, "Row")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def chunks(text: str, *, size: int, overlap: float) -> Iterator[tuple[int, int]]:
    """Spans (start, end) in characters that cover `text`, cut at line ends.

    A chunk takes whole lines up to `size` characters; the next one begins with the last lines of
    it, up to `overlap * size` characters. A line longer than `size` is cut into pieces of `size`.
    Spans of white space alone are left out.
    """
    ends = _line_ends(text, size)
    first, end = 0, 0
    while end < len(text):
        start = ends[first - 1] if first else 0
        last = _last_line(ends, first, start + size)
        end = ends[last]
        if text[start:end].strip():
            yield start, end
        if end < len(text):
            # The overlap also leaves room for the next line: a chunk inside the last adds nothing.
            earliest = max(end - int(overlap * size), ends[last + 1] - size)
            first = _next_first(ends, first, last, earliest)


def _line_ends(text: str, size: int) -> list[int]:
    """Ascending positions after each line, and after each `size` characters of a longer line."""
    ends, start = [], 0
    while start < len(text):
        newline = text.find("\n", start, start + size)
        start = newline + 1 if newline >= 0 else min(start + size, len(text))
        ends.append(start)
    return ends


def _last_line(ends: Sequence[int], first: int, limit: int) -> int:
    """Index of the last line that ends within `limit`; at least `first`."""
    last = first
    while last + 1 < len(ends) and ends[last + 1] <= limit:
        last += 1
    return last


def _next_first(ends: Sequence[int], first: int, last: int, earliest: int) -> int:
    """Index of the line that the next chunk begins with: not before `earliest`, and onwards."""
    following = last + 1
    while following - 1 > first and ends[following - 2] >= earliest:
        following -= 1
    return following

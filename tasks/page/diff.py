"""The lines of a candidate against those of the baseline's, with marks inside changed lines."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

from tasks.page.highlight import units

Row = list[Any]
_WORDS = re.compile(r"\w+|\s+|.", re.DOTALL)
ALIKE = 0.5  # lines less alike than this are shown as replaced, without marks inside


def diff_rows(old: str, new: str) -> list[Row]:
    """Rows of a unified diff: ["=", i, j, n], ["-", i, marks] and ["+", j, marks].

    `i` and `j` are line numbers from 0 in old and new, n is the length of an equal stretch, and
    marks are [start, end) UTF-16 positions in the line. Equal texts give no rows.
    """
    if old == new:
        return []
    before, after = old.split("\n"), new.split("\n")
    rows: list[Row] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            rows.append(["=", i1, j1, i2 - i1])
            continue
        pairs = [line_marks(a, b) for a, b in zip(before[i1:i2], after[j1:j2], strict=False)]
        marks = iter([*pairs, *[([], [])] * (max(i2 - i1, j2 - j1) - len(pairs))])
        both = list(marks)
        rows += [["-", i, both[i - i1][0]] for i in range(i1, i2)]
        rows += [["+", j, both[j - j1][1]] for j in range(j1, j2)]
    return rows


def line_marks(old: str, new: str) -> tuple[list[list[int]], list[list[int]]]:
    """What differs between two lines, by words; nothing where the lines are hardly alike."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < ALIKE:
        return [], []
    removed: list[list[int]] = []
    added: list[list[int]] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        if i2 > i1:
            removed.append(_extent(before, i1, i2))
        if j2 > j1:
            added.append(_extent(after, j1, j2))
    return removed, added


def _extent(words: list[str], start: int, end: int) -> list[int]:
    first = units("".join(words[:start]))
    return [first, first + units("".join(words[start:end]))]

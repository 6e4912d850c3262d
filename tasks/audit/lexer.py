"""Tokens of Python source, or of any text that looks somewhat like it.

A near-copy may differ in layout, quotes and comments, and need not parse. So the lexer is one
regular expression over bytes that cannot fail: identifiers, numbers and operators are tokens; so
are the words in strings and comments. White space, quotes, string prefixes, backslashes, comment
marks, back quotes and doctest prompts are not. Letters count without case (ASCII).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_TOKEN = re.compile(
    rb"(?![rbfut]{1,2}['\"])[a-z_\x80-\xff][\w\x80-\xff]*"
    rb"|\d+(?:\.\d+)?\w*"
    rb"|\*\*=?|//=?|<<=?|>>=?|->|:=|[-+*/%@&|^<>=!]=|[-+*/%@&|^~<>=()\[\]{},:;.!?$]"
)


@dataclass(frozen=True)
class Tokens:
    """Lower-case tokens and the byte offset at which each starts, ascending."""

    words: list[bytes]
    starts: NDArray[np.int64]

    def within(self, start: int, end: int) -> tuple[int, int]:
        """The range [i, j) of tokens that start within the byte span."""
        i, j = np.searchsorted(self.starts, (start, end))
        return int(i), int(j)

    def without(self, spans: list[tuple[int, int]]) -> Tokens:
        """The tokens that start in none of the byte spans."""
        keep = np.ones(len(self.words), bool)
        for start, end in spans:
            i, j = self.within(start, end)
            keep[i:j] = False
        kept = np.flatnonzero(keep)
        return Tokens([self.words[i] for i in kept.tolist()], self.starts[kept])


def tokens(text: bytes) -> Tokens:
    """All tokens of a text."""
    found = list(_TOKEN.finditer(text.lower().replace(b">>>", b"   ")))
    starts = np.fromiter((match.start() for match in found), np.int64, len(found))
    return Tokens([match.group() for match in found], starts)

"""Tokens of code and prose for lexical search."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PART_BEYOND_ASCII = re.compile(r"[^\W\d_]+|\d+")  # no camel case there


def tokenize(text: str) -> list[str]:
    """Lower-case tokens of a text, in order.

    A word that snake case, camel case or digits divide yields itself and its parts, so that
    `parseHTTPReply` meets both its own name and "parse http reply". Nothing is stemmed and no stop
    word removed: `for`, `not` and `is` mean something in code.
    """
    tokens: list[str] = []
    for word in _WORD.findall(text):
        tokens.extend(_split(word))
    return tokens


@lru_cache(maxsize=200_000)
def _split(word: str) -> tuple[str, ...]:
    pattern = _PART if word.isascii() else _PART_BEYOND_ASCII
    parts = [part.lower() for part in pattern.findall(word)]
    whole = word.lower()
    return (whole,) if parts in ([], [whole]) else (whole, *parts)

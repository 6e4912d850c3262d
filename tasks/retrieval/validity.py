"""Whether a text is valid Python, also when it is a clause that only stands inside a statement."""

from __future__ import annotations

import ast
import re
import warnings
from textwrap import indent

_CLAUSE = re.compile(r"\s*(elif|else|except|finally|case)\b")
# The least statement that each clause can end.
_PARENT = {
    "elif": "if x:\n    pass\n",
    "else": "if x:\n    pass\n",
    "except": "try:\n    pass\n",
    "finally": "try:\n    pass\n",
    "case": "match x:\n",
}


def clause_keyword(text: str) -> str | None:
    """The keyword of a text that starts as a clause (`elif`, `except`, ...), else None."""
    found = _CLAUSE.match(text)
    return found.group(1) if found else None


def is_valid(text: str) -> bool:
    """Whether `text` parses, by itself or, for a clause, at its place in a statement."""
    if _parses(text):
        return True
    keyword = clause_keyword(text)
    if keyword is None:
        return False
    return _parses(_PARENT[keyword] + (indent(text, "    ") if keyword == "case" else text))


def _parses(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # odd escapes in old code are not ours to report
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True

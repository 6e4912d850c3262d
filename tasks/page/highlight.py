"""Syntax highlighting by Pygments, as runs over the plain text rather than as HTML.

The page's script makes elements from runs and sets their text, so no text from a model or a
corpus is ever parsed as HTML. Lengths count UTF-16 units, as JavaScript strings do.
"""

from __future__ import annotations

from functools import cache

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token, _TokenType
from pygments.util import ClassNotFound

# The first of these that a token is in names its class; what is in none stays plain.
CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Token.Comment, "c"),
    (Token.Literal.String.Doc, "d"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "n"),
    (Token.Keyword, "k"),
    (Token.Operator.Word, "k"),
    (Token.Name.Function, "f"),
    (Token.Name.Class, "f"),
    (Token.Name.Builtin, "b"),
    (Token.Name.Exception, "b"),
    (Token.Name.Decorator, "f"),
)


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


@cache
def runs(text: str, lang: str) -> str:
    """Runs as `class + length`, separated by spaces, e.g. "k3 1 f5"; they cover the text."""
    lexer = _lexer(lang)
    if lexer is None:
        return str(units(text)) if text else ""
    found: list[list[str]] = []
    # get_tokens would first change line ends and strip the text
    for _, token, value in lexer.get_tokens_unprocessed(text):
        name = _class(token)
        if found and found[-1][0] == name:
            found[-1].append(value)
        elif value:
            found.append([name, value])
    return " ".join(f"{name}{units(''.join(values))}" for name, *values in found)


@cache
def _lexer(lang: str) -> Lexer | None:
    try:
        return get_lexer_by_name(lang)
    except ClassNotFound:
        return None


@cache
def _class(token: _TokenType) -> str:
    return next((name for kind, name in CLASSES if token in kind), "")

"""Where functions, comments and docstrings lie in source that need not parse."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Parser, Query, QueryCursor

from tasks.extract.grammar import LANGUAGE

_QUERY = Query(
    LANGUAGE,
    """
    (function_definition) @function
    (comment) @prose
    (module . (expression_statement . (string) @prose .))
    (block . (expression_statement . (string) @prose .))
    """,
)


# The parser's recovery takes time that grows with the square of the brackets left open: 80,000 of
# them take 6 s. Source that is not hostile leaves a few open, in strings.
_MOST_UNCLOSED = 10_000


@dataclass(frozen=True)
class Layout:
    """Byte spans in a piece of source: functions (also nested), and comments with docstrings."""

    functions: list[tuple[int, int]]
    prose: list[tuple[int, int]]


def layout(source: bytes, regions: list[tuple[int, int]]) -> Layout:
    """Functions and prose in those regions of a text that hold Python; errors are recovered from.

    The first string of any block counts as prose: where it is no docstring it has no effect.
    """
    functions: list[tuple[int, int]] = []
    prose: list[tuple[int, int]] = []
    for start, end in regions:
        if _unclosed(source[start:end]) > _MOST_UNCLOSED:
            continue
        root = Parser(LANGUAGE).parse(source[start:end]).root_node
        captures = QueryCursor(_QUERY).captures(root)
        for name, spans in (("function", functions), ("prose", prose)):
            spans += (
                (node.start_byte + start, node.end_byte + start) for node in captures.get(name, [])
            )
    return Layout(sorted(functions), sorted(prose))


def _unclosed(source: bytes) -> int:
    return sum(source.count(mark) for mark in (b"(", b"[", b"{")) - sum(
        source.count(mark) for mark in (b")", b"]", b"}")
    )


def function_source(source: bytes, span: tuple[int, int]) -> str:
    """The function at a span as a module of its own, for `ast.parse`.

    An indented one is put under an `if`, since taking the indentation off would change its
    multi-line strings.
    """
    start, end = span
    indent = source[source.rfind(b"\n", 0, start) + 1 : start]
    text = source[start:end].decode("utf-8", "replace")
    if indent and indent.isspace():
        return f"if 1:\n{indent.decode()}{text}\n"
    return text + "\n"

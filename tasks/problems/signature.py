"""The def line of a function, taken from source."""

from __future__ import annotations

import ast


def find_function(source: str, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    """The last top-level definition of `name`, which is the one that calls reach.

    Raises KeyError if there is none and SyntaxError if the source does not parse.
    """
    for node in reversed(ast.parse(source).body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return node
    raise KeyError(name)


def def_line(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """`def name(args) -> result:` on one line, without decorators and body."""
    keyword = "async def" if isinstance(function, ast.AsyncFunctionDef) else "def"
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{keyword} {function.name}({ast.unparse(function.args)}){result}:"

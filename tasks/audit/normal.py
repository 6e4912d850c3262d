"""The normal form of a function: what stays when a copier renames, re-documents and re-types it.

Gone: the function's own name, docstrings and other bare constants, comments and layout,
annotations, decorators, `pass`, and a leading parameter `self` or `cls` (with the method's call
of itself through it), so that a method equals the plain function.
Renamed to numbers in order of first use: every name that the function binds anywhere (one table,
nested scopes included). Kept: free names, attributes and keyword arguments, since they say what
is called. Numbers and strings keep their value, except messages: strings in `raise` and after the
comma of `assert` are all the same.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from tasks.core.ids import digest

Function = ast.FunctionDef | ast.AsyncFunctionDef
_NAMED = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs,
    ast.MatchStar,
)  # fmt: skip
_SKIPPED = {
    "annotation", "ctx", "decorator_list", "kind", "returns", "simple", "type_comment",
    "type_ignores", "type_params",
}  # fmt: skip
_OWN_NAME = "<self>"


def normal_digest(source: str, name: str | None = None) -> str | None:
    """Digest of the normal form of a function in `source`: the first, or the last called `name`.

    None if there is no such function or the source does not parse.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # escapes such as "\d" in foreign code
            tree = ast.parse(source)
        function = _find(tree, name)
        return digest(*_Normal(function).parts(function)) if function else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _find(tree: ast.Module, name: str | None) -> Function | None:
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    if name is None:
        return functions[0] if functions else None
    named = [node for node in functions if node.name == name]
    return named[-1] if named else None


class _Normal:
    """Serialises one function."""

    def __init__(self, function: Function) -> None:
        self._names: dict[str, str] = {}
        self._bound = _bound_names(function)
        self._own = function.name
        first = [*function.args.posonlyargs, *function.args.args][:1]
        self._receiver = first[0] if first and first[0].arg in ("self", "cls") else None

    def parts(self, node: ast.AST, *, message: bool = False) -> Iterator[str]:
        """The normal form as a stream of strings; `message` says that strings do not count."""
        if isinstance(node, ast.Constant | ast.JoinedStr) and message:
            yield "<message>"
        elif isinstance(node, ast.Constant):
            yield repr(node.value)
        elif self._is_own_name(node):
            yield _OWN_NAME
        else:
            kind = type(node).__name__
            yield "(Assign" if isinstance(node, ast.AnnAssign) else f"({kind}"
            for field, value in ast.iter_fields(node):
                if field not in _SKIPPED and not (field == "name" and isinstance(node, Function)):
                    yield from self._field(node, field, value, message=message)
            yield ")"

    def _field(self, node: ast.AST, field: str, value: object, *, message: bool) -> Iterator[str]:
        message = message or isinstance(node, ast.Raise)
        message = message or (isinstance(node, ast.Assert) and field == "msg")
        if isinstance(node, ast.AnnAssign) and field == "target":
            value = [value]  # as in an assignment without annotation
        if isinstance(value, list):
            yield "["
            for item in value:
                if isinstance(item, ast.AST) and not self._is_dropped(item):
                    yield from self.parts(item, message=message)
                elif not isinstance(item, ast.AST):
                    yield self._name(node, field, str(item))
            yield "]"
        elif isinstance(value, ast.AST):
            yield from self.parts(value, message=message)
        elif value is not None:
            yield self._name(node, field, str(value))

    def _name(self, node: ast.AST, field: str, text: str) -> str:
        fixed = isinstance(node, ast.keyword | ast.Attribute) or field in ("module", "kwd_attrs")
        imported = isinstance(node, ast.alias) and field == "name"
        if fixed or imported or text not in self._bound:
            return text
        return self._names.setdefault(text, f"<{len(self._names)}>")

    def _is_own_name(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id == self._own and node.id not in self._bound
        return (
            isinstance(node, ast.Attribute)
            and node.attr == self._own
            and self._receiver is not None
            and isinstance(node.value, ast.Name)
            and node.value.id == self._receiver.arg
        )

    def _is_dropped(self, item: ast.AST) -> bool:
        if isinstance(item, ast.AnnAssign):
            return item.value is None
        if isinstance(item, ast.Expr):
            return isinstance(item.value, ast.Constant)
        return isinstance(item, ast.Pass) or item is self._receiver


def _bound_names(function: Function) -> set[str]:
    """Names that the function or anything in it binds; not its own, unless it binds that too."""
    bound: set[str] = set()
    free: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.Global):
            free.update(node.names)
        elif isinstance(node, ast.MatchMapping):
            bound.add(node.rest or "")
        elif isinstance(node, _NAMED) and node is not function:
            bound.add(node.name or "")
    return bound - free - {""}

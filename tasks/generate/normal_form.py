"""The normal form of a candidate, used by filter, selection and grading alike (SPEC 1.4).

Models echo a benchmark's asserts when a prompt shows them; then "it runs" is an answer key. So
imports, definitions, assignments and configuration calls stay, and top-level asserts, prints,
calls of the candidate's own functions and `if __name__ == "__main__"` bodies go.
"""

from __future__ import annotations

import ast
import warnings

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_KEPT = (*_DEFINITIONS, *_ASSIGNMENTS, ast.Import, ast.ImportFrom)


def normal_form(program: str, entry_point: str) -> str:
    """The program without what only exercises it.

    A program that does not parse is first cut to its longest prefix of lines that parses and
    defines `entry_point` (a reply stopped by the token limit ends in the middle of something);
    where there is none it is returned as it is, and fails the filter's A(c).
    """
    # Lines as Python counts them: str.splitlines also ends them at form feeds and the like.
    program = program.replace("\r\n", "\n").replace("\r", "\n")
    tree = _parse(program)
    if tree is None:
        program = _longest_prefix(program, entry_point) or program
        tree = _parse(program)
    if tree is None:
        return program
    lines = [f"{line}\n" for line in program.split("\n")]
    kept = [_source(lines, node) for node in _kept(tree.body, entry_point)]
    return "\n".join(text.rstrip() + "\n" for text in kept)


def _kept(body: list[ast.stmt], entry_point: str) -> list[ast.stmt]:
    """The statements that stay, in order.

    `result = f(1)` before an assert only exercises `f`, while `PRIMES = sieve(100)` may be needed:
    an assignment that calls the program's own code stays if the rest reads its name.
    """
    own = _own(body)
    staying = [node for node in body if _stays(node, own)]
    trials = [node for node in staying if isinstance(node, _ASSIGNMENTS) and _called(node) & own]
    read = {entry_point}.union(*(_reads(node) for node in staying if node not in trials))
    idle = set()
    for node in reversed(trials):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if read.isdisjoint(name for target in targets for name in _names(target)):
            idle.add(node)
        else:
            read |= _reads(node)
    return [node for node in staying if node not in idle]


def _own(body: list[ast.stmt]) -> set[str]:
    """Names of the functions and classes that the program defines, lambdas included."""
    own = {node.name for node in body if isinstance(node, _DEFINITIONS)}
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            own.update(*(_names(target) for target in node.targets))
    return own


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _reads(node: ast.AST) -> set[str]:
    """Names whose value the node uses; `x += 1` uses x."""
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.AugAssign):
            names |= _names(inner.target)
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
            names.add(inner.id)
    return names


def _parse(program: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _longest_prefix(program: str, entry_point: str) -> str:
    lines = program.splitlines(keepends=True)
    for end in range(len(lines) - 1, 0, -1):
        prefix = "".join(lines[:end])
        if f"def {entry_point}" not in prefix:
            return ""
        tree = _parse(prefix)
        if tree is not None and _has_body(tree, entry_point):
            return prefix
    return ""


def _has_body(tree: ast.Module, entry_point: str) -> bool:
    """Whether the entry point holds more than its docstring."""
    for node in tree.body:
        if isinstance(node, _DEFINITIONS[:2]) and node.name == entry_point:
            return len(node.body) > (ast.get_docstring(node) is not None)
    return False


def _stays(node: ast.stmt, own: set[str]) -> bool:
    if isinstance(node, ast.Assert) or _is_main_guard(node):
        return False
    if isinstance(node, _KEPT):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return False
    # Anything that runs at import may set the module up, unless it prints or tries its own code.
    return not (_called(node) & (own | {"print", "input", "exit", "quit"})) and not _tests(node)


def _called(node: ast.AST) -> set[str]:
    """Names called directly, and the first name of dotted calls (`doctest.testmod()`)."""
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            target = inner.func
            while isinstance(target, ast.Attribute):
                target = target.value
            if isinstance(target, ast.Name):
                names.add(target.id)
    return names


def _tests(node: ast.AST) -> bool:
    if _called(node) & {"doctest", "unittest", "pytest"}:
        return True
    return any(isinstance(inner, ast.Assert) for inner in ast.walk(node))


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and any(
        isinstance(inner, ast.Name) and inner.id == "__name__" for inner in ast.walk(node.test)
    )


def _source(lines: list[str], node: ast.stmt) -> str:
    """The node's own lines, decorators included; several statements on a line are cut by column."""
    first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))])
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    text = lines[first - 1 : end_line]
    text[-1] = text[-1].encode()[:end_column].decode()
    if first == node.lineno:
        text[0] = text[0].encode()[node.col_offset :].decode()
    return "".join(text)

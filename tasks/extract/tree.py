"""The tree of functions and blocks of one document, built from spans alone.

What the scan lists is sorted by start with the outermost first, so that a stack of open spans
gives each item its parent: one pass, no recursion, any depth of nesting.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from tasks.extract.grammar import (
    CALL,
    CLASS,
    DECORATED,
    FIRST_BLOCK,
    FUNCTION,
    IMPORT,
    KIND_NAMES,
    NAME_FIELD,
)
from tasks.extract.rows import (
    BLOCK,
    DEFINITION_BLOCK,
    IMPL,
    NAME,
    SCOPE_CODES,
    Function,
    Rows,
    Scope,
    ScopeKind,
)
from tasks.extract.scan import Scan

_DEFINED = re.compile(rb"(?:async\s+)?(?:def|class)\s+([A-Za-z_]\w*)(?=[\s(:\[])")
_BOUND = re.compile(rb"\b(\w+)(?=\s*(?:=(?!=)|[,):]|\s+in\b))|\bas\s+(\w+)")
_BASES = re.compile(rb"\s*\(([^()]*)\)")
_BASE = re.compile(r"[^\W\d][\w.]*")


@dataclass(frozen=True, slots=True)
class _Open:
    """A span that is open: what blocks, definitions and calls inside it hang from.

    `row` is the Impl or Block (-1 outside functions); `identity` names it among blocks.
    """

    end: int
    row: int
    identity: str
    function: Function | None
    depth: int
    scope: Scope


@dataclass(frozen=True, slots=True)
class Call:
    """A call expression inside a function; `owner` is the row of its innermost Impl or Block."""

    owner: int
    function: Function
    start: int
    end: int
    chained: bool
    node: Node


class DocumentTree:
    """Rows, functions, classes, calls and import statements of one document.

    Regions (the whole file, or each fenced block of an answer) are added one after the other;
    ordinals of same-named siblings run on through all of them.
    """

    def __init__(self, content: bytes, module: str) -> None:
        self.rows = Rows()
        self.functions: list[Function] = []
        self.classes: dict[str, tuple[str, ...]] = {}
        self.calls: list[Call] = []
        self.imports: list[bytes] = []
        self._content = content
        self._module = module
        self._ordinals: dict[tuple[bool, str], int] = {}
        self._children: dict[int | str, int] = {}

    def add_region(self, found: Scan, offset: int) -> None:
        """Add what the scan of content[offset:] found."""
        scope = Scope("module", "", "", None)
        stack = [_Open(len(self._content) + 1, -1, "", None, 0, scope)]
        top = stack[0]
        kinds, nodes, decorated = found.kinds, found.nodes, -1
        last = len(kinds) - 1
        for position, kind in enumerate(kinds):
            start, end = found.starts[position] + offset, found.ends[position] + offset
            while start >= top.end:
                stack.pop()
                top = stack[-1]
            if kind == CALL:
                # the calls of a chain a.b().c() begin at one byte; the innermost comes last
                chained = position < last and found.starts[position + 1] + offset == start
                if top.function is not None:
                    self.calls.append(
                        Call(top.row, top.function, start, end, chained, nodes[position])
                    )
                continue
            if kind >= FIRST_BLOCK:
                if top.function is None:
                    continue
                top = self._block(top, kind, start, end)
            elif kind == IMPORT:
                self.imports.append(self._content[start:end])
                continue
            elif kind == DECORATED:
                decorated = self._definition_of(found, position)
                if decorated < 0:
                    continue
                opened = self._define(top, kinds[decorated], start, end, nodes[decorated])
                if opened is None:
                    continue
                top = opened
            else:
                if position == decorated:
                    continue
                opened = self._define(top, kind, start, end, nodes[position])
                if opened is None:
                    continue
                top = opened
            stack.append(top)

    def bound_names(self, function: Function) -> frozenset[bytes]:
        """Names that the function's text seems to bind as parameters or variables."""
        start, end = self.rows.starts[function.impl], self.rows.ends[function.impl]
        found = _BOUND.finditer(self._content, start, end)
        return frozenset(match.group(1) or match.group(2) for match in found)

    @staticmethod
    def _definition_of(found: Scan, position: int) -> int:
        """Position of the def or class that a decorated definition holds; -1 if it has none."""
        end = found.ends[position]
        for inner in range(position + 1, len(found.kinds)):
            if found.starts[inner] >= end:
                break
            if found.kinds[inner] in (FUNCTION, CLASS) and found.ends[inner] == end:
                return inner
        return -1

    def _define(self, top: _Open, kind: int, start: int, end: int, node: Node) -> _Open | None:
        """Open a function or class; None if error recovery left it without a name."""
        offset = end - node.end_byte
        found = _DEFINED.match(self._content, node.start_byte + offset)
        if found:
            name_start, name_end = found.span(1)
        else:
            named = node.child_by_field_id(NAME_FIELD)
            if named is None or named.start_byte == named.end_byte:
                return None
            name_start, name_end = named.start_byte + offset, named.end_byte + offset
        name = self._content[name_start:name_end].decode("utf-8", "replace")
        enclosing = top.scope.identity
        identity = self._identity(True, f"{enclosing}.{name}" if enclosing else name)
        if kind == CLASS:
            return self._class(top, name, identity, (start, end), name_end)
        return self._function(top, name, identity, (start, end), (name_start, name_end))

    def _class(
        self, top: _Open, name: str, identity: str, span: tuple[int, int], header: int
    ) -> _Open:
        scope = top.scope.inner("class", name, identity)
        bases = _BASES.match(self._content, header)
        text = bases.group(1).decode("utf-8", "replace") if bases else ""
        listed = (_BASE.fullmatch(item.strip()) for item in text.split(","))
        self.classes[scope.qualname] = tuple(found.group() for found in listed if found)
        if top.function is None:
            return _Open(span[1], -1, "", None, 0, scope)
        opened = self._block(top, CLASS, *span, name)
        return _Open(span[1], opened.row, opened.identity, top.function, opened.depth, scope)

    def _function(
        self,
        top: _Open,
        name: str,
        identity: str,
        span: tuple[int, int],
        name_span: tuple[int, int],
    ) -> _Open:
        if top.function is not None:
            self._block(top, FUNCTION, *span, name)
        scope = top.scope.inner("function", name, identity)
        qualname = f"{self._module}.{scope.qualname}"
        impl = len(self.rows)
        order = self._next_child(top.scope.identity)
        kind: ScopeKind = top.scope.kind
        for code, (start, end) in ((IMPL, span), (NAME, name_span)):
            self.rows.add(
                code, start, end, name=name, qualname=qualname, identity=identity,
                function=impl, parent=-1, depth=0, order=order, scope=SCOPE_CODES[kind],
            )  # fmt: skip
        function = Function(impl, impl + 1, name, scope)
        self.functions.append(function)
        return _Open(span[1], impl, identity, function, 0, scope)

    def _block(self, top: _Open, kind: int, start: int, end: int, name: str = "") -> _Open:
        """Add a Block; `name` tells definitions of one parent apart, and is their identity."""
        assert top.function is not None
        identity = self._identity(False, f"{top.identity}.{name or KIND_NAMES[kind]}")
        row = self.rows.add(
            DEFINITION_BLOCK if kind == FUNCTION else BLOCK,
            start,
            end,
            name=KIND_NAMES[kind],
            qualname=f"{self._module}.{identity}",
            identity=identity,
            function=top.function.impl,
            parent=top.row,
            depth=top.depth + 1,
            order=self._next_child(top.row),
            scope=0,
        )
        return _Open(end, row, identity, top.function, top.depth + 1, top.scope)

    def _identity(self, definition: bool, base: str) -> str:
        """The base, with an ordinal from the second same-named sibling on."""
        key = (definition, base)
        ordinal = self._ordinals.get(key, 0)
        self._ordinals[key] = ordinal + 1
        return f"{base}[{ordinal}]" if ordinal else base

    def _next_child(self, parent: int | str) -> int:
        order = self._children.get(parent, 0)
        self._children[parent] = order + 1
        return order

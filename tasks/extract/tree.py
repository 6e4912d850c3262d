"""The tree of functions and blocks of one document, built from spans alone.

What the scan lists is sorted by start with the outermost first, so that a stack of open spans
gives each item its parent: one pass, no recursion, any depth of nesting.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

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
_BOUND = re.compile(rb"\s*(?:=(?!=)|[,):])|\s+in\b")
_WORD = re.compile(rb"[\w.]")
_BASES = re.compile(rb"\s*\(([^()]*)\)")
_BASE = re.compile(r"[^\W\d][\w.]*")


class _Open(NamedTuple):
    """A span that is open: what blocks, definitions and calls inside it hang from.

    `row` is the Impl or Block (-1 outside functions); `identity` names it among blocks.
    """

    end: int
    row: int
    identity: str
    function: Function | None
    depth: int
    scope: Scope


# A call expression inside a function: row of its innermost Impl or Block, function, start, end,
# whether an inner call begins at the same byte, node. A plain tuple: there are millions.
Call: TypeAlias = tuple[int, Function, int, int, bool, Node]


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
        self._decorated = -1
        self._ordinals: dict[tuple[bool, str], int] = {}
        self._children: dict[int | str, int] = {}

    def add_region(self, found: Scan, offset: int) -> None:
        """Add what the scan of content[offset:] found."""
        top = _Open(len(self._content) + 1, -1, "", None, 0, Scope("module", "", "", None))
        stack = [top]
        self._decorated = -1
        starts = [start + offset for start in found.starts] if offset else found.starts
        ends = [end + offset for end in found.ends] if offset else found.ends
        position = -1
        for kind, start, end in zip(found.kinds, starts, ends, strict=True):
            position += 1
            while start >= top.end:
                stack.pop()
                top = stack[-1]
            if kind == CALL:
                if top.function is not None:
                    # the calls of a chain a.b().c() begin at one byte; the innermost comes last
                    chained = starts[position + 1 : position + 2] == [start]
                    node = found.nodes[position]
                    self.calls.append((top.row, top.function, start, end, chained, node))
            elif opened := self._open(top, found, position, start, end):
                stack.append(opened)
                top = opened

    def _open(self, top: _Open, found: Scan, position: int, start: int, end: int) -> _Open | None:
        """Open what stands at the position; None if nothing can hang from it."""
        kind = found.kinds[position]
        if kind >= FIRST_BLOCK:
            return self._block(top, kind, start, end) if top.function is not None else None
        if kind == IMPORT:
            self.imports.append(self._content[start:end])
            return None
        if kind == DECORATED:
            # the definition begins with its first decorator
            position = self._decorated = self._definition_of(found, position)
            if position < 0:
                return None
        elif position == self._decorated:
            return None
        return self._define(top, found.kinds[position], start, end, found.nodes[position])

    def binds(self, function: Function, name: bytes) -> bool:
        """Whether the function's text seems to bind the name as a parameter or variable."""
        at, end = self.rows.starts[function.impl], self.rows.ends[function.impl]
        while (at := self._content.find(name, at, end)) >= 0:
            after = at + len(name)
            if _BOUND.match(self._content, after) and not _WORD.match(self._content, at - 1):
                return True
            if self._content.endswith(b"as ", at - 3, at):
                return True
            at = after
        return False

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

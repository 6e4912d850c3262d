"""What a call's callee is called, and what it may be as far as one document can tell."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from tasks.extract.grammar import ATTRIBUTE_FIELD, FUNCTION_FIELD, OBJECT_FIELD
from tasks.extract.rows import Function, Scope
from tasks.extract.tree import Call, DocumentTree

_DOTTED = re.compile(rb"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\(")
_BUILTINS = frozenset(dir(builtins))
# A method of a built-in type called on something unknown says nothing about the corpus.
_BUILTIN_TYPES: tuple[type, ...] = (
    str, bytes, bytearray, list, dict, set, tuple, int, float, complex, type(iter([])),
)  # fmt: skip
_BUILTIN_METHODS = frozenset(name for kind in _BUILTIN_TYPES for name in dir(kind)) | frozenset(
    ("close", "flush", "read", "readline", "readlines", "seek", "tell", "write")
)

# How a call was resolved; the first two within the document, `PENDING` by the corpus.
CLASS_TIER, MODULE_TIER, PENDING, AMBIGUOUS, UNKNOWN = range(5)
TIERS = ("same_class", "same_module", "pending", "ambiguous", "unknown")


class Resolution(NamedTuple):
    """A tier with, if local, the row of the Name, or, if pending, the alternatives.

    Alternatives are joined by `|` and tried in order: `a.b.f` is an absolute qualified name, `f` a
    function and `.f` a method that the corpus has only once.
    """

    tier: int
    name_row: int = -1
    alternatives: str = ""


_OWN = ("self", "cls", "super()")
_UNKNOWN = Resolution(UNKNOWN)
_AMBIGUOUS = Resolution(AMBIGUOUS)


def callee(content: bytes, start: int, chained: bool, node: Node) -> bytes:
    """What is called: `f`, `a.b.f`, `super().f`, `?.f` for any other receiver, empty if nameless
    (`f()()`, `table[i]()`)."""
    if not chained and (found := _DOTTED.match(content, start)):
        return found.group(1)
    function = node.child_by_field_id(FUNCTION_FIELD)
    if function is None:
        return b""
    if function.type == "identifier":
        return function.text or b""
    name = function.child_by_field_id(ATTRIBUTE_FIELD)
    target = function.child_by_field_id(OBJECT_FIELD)
    if function.type != "attribute" or name is None or target is None:
        return b""
    is_super = target.type == "call" and (target.text or b"").startswith(b"super")
    return (b"super()." if is_super else b"?.") + (name.text or b"")


@dataclass(frozen=True)
class Names:
    """The functions and classes of one document by name, and what its imports stand for."""

    content: bytes
    tree: DocumentTree
    aliases: dict[str, tuple[str, ...]]
    stars: tuple[str, ...]
    exact: dict[str, Function] = field(default_factory=dict)
    methods: dict[str, set[str]] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    anywhere: dict[bytes, Resolution] = field(default_factory=dict)
    somewhere: dict[tuple[int, bytes], Resolution] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for function in self.tree.functions:
            qualname = function.scope.qualname
            self.exact[qualname] = function  # the last definition is the one that stands
            self.defined.add(function.name)
            enclosing = function.scope.enclosing
            if enclosing is not None and enclosing.kind == "class":
                self.methods.setdefault(function.name, set()).add(qualname)
        self.defined.update(name.rpartition(".")[2] for name in self.tree.classes)

    def resolve(self, call: Call) -> Resolution:
        """Same class, then same module, then imported module, then unique in the corpus, then
        unknown (SPEC 1.1), as Python's scopes allow for this form of call."""
        _, function, start, _, chained, node = call
        text = callee(self.content, start, chained, node)
        if known := self.anywhere.get(text):
            return known
        place = (function.impl, text)
        if known := self.somewhere.get(place):
            return known
        receiver, _, name = text.decode("utf-8", "replace").rpartition(".")
        if found := self._anywhere(receiver, name):
            self.anywhere[text] = found
            return found
        found = self.somewhere[place] = self._within(function, receiver, name)
        return found

    def _anywhere(self, receiver: str, name: str) -> Resolution | None:
        """What does not depend on where in the document the call stands; None if it does."""
        if not name:
            return _UNKNOWN
        if not receiver:
            if name in self.defined:
                return None
            if targets := self.aliases.get(name):
                return Resolution(PENDING, alternatives=_join(targets))
            return _UNKNOWN if name in _BUILTINS else None
        if receiver in _OWN:
            return None
        head, _, rest = receiver.partition(".")
        if targets := self.aliases.get(head):
            tail = f"{rest}.{name}" if rest else name
            return Resolution(PENDING, alternatives=_join(f"{t}.{tail}" for t in targets))
        if found := self.exact.get(f"{receiver}.{name}"):
            return Resolution(MODULE_TIER, found.name_row)
        if name in _BUILTIN_METHODS:
            return _UNKNOWN
        return None if name in self.methods else Resolution(PENDING, alternatives=f".{name}")

    def _within(self, caller: Function, receiver: str, name: str) -> Resolution:
        if not receiver:
            return self._bare(caller, name)
        owner = _class_of(caller.scope)
        if receiver in _OWN:
            return self._method(owner, name, own=receiver != "super()")
        if owner and (found := self.exact.get(f"{owner}.{name}")):
            return Resolution(CLASS_TIER, found.name_row)
        return self._any_method(name)

    def _bare(self, caller: Function, name: str) -> Resolution:
        for prefix in _visible(caller.scope):
            qualname = f"{prefix}.{name}" if prefix else name
            if found := self.exact.get(qualname):
                return Resolution(MODULE_TIER, found.name_row)
            if qualname in self.tree.classes:
                return _UNKNOWN  # makes an instance; classes are not nodes
        if targets := self.aliases.get(name):
            return Resolution(PENDING, alternatives=_join(targets))
        if name in _BUILTINS:
            return _UNKNOWN
        if self.tree.binds(caller, name.encode()):
            return _UNKNOWN  # a parameter or variable that happens to share a function's name
        starred = (f"{module}.{name}" for module in self.stars)
        return Resolution(PENDING, alternatives=_join([*starred, name]))

    def _method(self, owner: str, name: str, *, own: bool) -> Resolution:
        """A method called on self or super(): the class, its bases, then any of that name."""
        foreign: list[str] = []
        waiting = [owner] if owner else []
        seen = set(waiting)
        while waiting:
            current = waiting.pop(0)
            found = self.exact.get(f"{current}.{name}") if own or current != owner else None
            if found:
                tier = CLASS_TIER if current == owner else MODULE_TIER
                return Resolution(tier, found.name_row)
            for base in self.tree.classes.get(current, ()):
                if base in self.tree.classes and base not in seen:
                    seen.add(base)
                    waiting.append(base)
                head, _, rest = base.partition(".")
                for target in self.aliases.get(head, ()):
                    foreign.append(".".join(part for part in (target, rest, name) if part))
        if name in _BUILTIN_METHODS or not own:
            return Resolution(PENDING, alternatives=_join(foreign)) if foreign else _UNKNOWN
        if foreign:
            return Resolution(PENDING, alternatives=_join([*foreign, f".{name}"]))
        return self._any_method(name)

    def _any_method(self, name: str) -> Resolution:
        candidates = self.methods.get(name, ())
        if len(candidates) > 1:
            return _AMBIGUOUS
        for qualname in candidates:
            return Resolution(MODULE_TIER, self.exact[qualname].name_row)
        return Resolution(PENDING, alternatives=f".{name}")


def _join(targets: Iterator[str] | list[str] | tuple[str, ...]) -> str:
    return "|".join(dict.fromkeys(targets))


def _class_of(scope: Scope) -> str:
    """Qualified name of the innermost class around a scope; empty if there is none."""
    around: Scope | None = scope
    while around is not None and around.kind != "class":
        around = around.enclosing
    return around.qualname if around is not None else ""


def _visible(scope: Scope) -> Iterator[str]:
    """Scopes that a bare name is looked up in, from the inside out; classes are passed over."""
    around: Scope | None = scope
    while around is not None:
        if around.kind != "class":
            yield around.qualname
        around = around.enclosing

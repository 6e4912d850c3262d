"""Growing columns of one document's nodes, and the scopes that names are looked up in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

# Type codes. A nested definition is a Block of its parent and an Impl of its own: its Block has a
# code of its own and stands in the row before its Impl.
NAME, IMPL, BLOCK, DEFINITION_BLOCK = range(4)
TYPE_NAMES = ("Name", "Impl", "Block", "Block")

ScopeKind = Literal["module", "class", "function"]
SCOPE_CODES: dict[ScopeKind, int] = {"module": 1, "class": 2, "function": 3}


class Scope(NamedTuple):
    """Where a definition stands: `qualname` below the module, `identity` with ordinals.

    `enclosing` is the next scope outwards; the module has none.
    """

    kind: ScopeKind
    qualname: str
    identity: str
    enclosing: Scope | None

    def inner(self, kind: ScopeKind, name: str, identity: str) -> Scope:
        """The scope that a definition of this name opens here."""
        qualname = f"{self.qualname}.{name}" if self.qualname else name
        return Scope(kind, qualname, identity, self)


class Function(NamedTuple):
    """A function of the document: its rows, and the scope that its body is."""

    impl: int
    name_row: int
    name: str
    scope: Scope


@dataclass(slots=True)
class Rows:
    """Parallel columns; a row's number is its position.

    `functions` and `parents` hold row numbers: the owning Impl, and the Impl or Block that a
    Block hangs from (-1 for other types). `identities` are qualified names with ordinals.
    """

    types: list[int] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    qualnames: list[str] = field(default_factory=list)
    identities: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    orders: list[int] = field(default_factory=list)
    scopes: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.types)

    def add(
        self,
        kind: int,
        start: int,
        end: int,
        *,
        name: str,
        qualname: str,
        identity: str,
        function: int,
        parent: int,
        depth: int,
        order: int,
        scope: int,
    ) -> int:
        """Append a row; return its number."""
        row = len(self.types)
        self.types.append(kind)
        self.functions.append(function)
        self.parents.append(parent)
        self.names.append(name)
        self.qualnames.append(qualname)
        self.identities.append(identity)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(depth)
        self.orders.append(order)
        self.scopes.append(scope)
        return row

"""Calls that one document cannot resolve, looked up among the functions of the corpus."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tasks.extract.piece import Notes
from tasks.extract.rows import SCOPE_CODES

MISSING, AMBIGUOUS = -1, -2
FOUND_TIERS = ("imported", "unique")
_MODULE, _CLASS = SCOPE_CODES["module"], SCOPE_CODES["class"]
_HOPS = 16


@dataclass(frozen=True)
class _Module:
    aliases: dict[str, list[str]]
    stars: list[str]


@dataclass
class Corpus:
    """Names of all functions: by qualified name, and by bare name where it occurs only once.

    Values are rows of Name nodes, or AMBIGUOUS where different functions share the name. Add
    documents in order, then `find`.
    """

    qualified: dict[str, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    methods: dict[str, int] = field(default_factory=dict)
    modules: dict[str, _Module] = field(default_factory=dict)
    _owners: dict[str, int] = field(default_factory=dict)

    def add_names(
        self,
        rows: Iterable[int],
        documents: Iterable[int],
        names: Sequence[str],
        qualnames: Sequence[str],
        scopes: Sequence[int],
    ) -> None:
        """Add Name nodes. A later definition in the same document replaces an earlier one."""
        for row, document, name, qualname, scope in zip(
            rows, documents, names, qualnames, scopes, strict=True
        ):
            again = self._owners.setdefault(qualname, document) == document
            previous = self.qualified.get(qualname)
            self.qualified[qualname] = row if again else AMBIGUOUS
            if scope not in (_MODULE, _CLASS):
                continue
            bare = self.functions if scope == _MODULE else self.methods
            standing = bare.setdefault(name, row)
            if standing == row:
                continue
            bare[name] = row if again and standing == previous else AMBIGUOUS

    def add_module(self, notes: Notes) -> None:
        """Add what a module's names stand for; functions are imported through such names."""
        if notes.aliases or notes.stars:
            self.modules.setdefault(notes.module, _Module(notes.aliases, notes.stars))

    def find(self, alternatives: str) -> tuple[str, int]:
        """Tier and row for the alternatives of a call (see calls.Resolution).

        The tier is imported, unique, ambiguous or unknown; the row is MISSING for the last two.
        """
        ambiguous = False
        for target in alternatives.split("|"):
            if target.startswith("."):
                tier, row = "unique", self.methods.get(target[1:], MISSING)
            elif "." in target:
                tier, row = "imported", self._imported(target)
            else:
                tier, row = "unique", self.functions.get(target, MISSING)
            if row >= 0:
                return tier, row
            ambiguous = ambiguous or row == AMBIGUOUS
        return ("ambiguous" if ambiguous else "unknown"), MISSING

    def _imported(self, target: str) -> int:
        """Row of an absolute name, followed through the imports of the modules on its way."""
        waiting, seen = deque([target]), {target}
        ambiguous = False
        while waiting and len(seen) <= _HOPS:
            current = waiting.popleft()
            row = self.qualified.get(current, MISSING)
            if row >= 0:
                return row
            ambiguous = ambiguous or row == AMBIGUOUS
            for further in self._through(current):
                if further not in seen:
                    seen.add(further)
                    waiting.append(further)
        return AMBIGUOUS if ambiguous else MISSING

    def _through(self, target: str) -> Iterable[str]:
        prefix, _, rest = target.rpartition(".")
        while prefix:
            if module := self.modules.get(prefix):
                head, dot, tail = rest.partition(".")
                for known in module.aliases.get(head, ()):
                    yield known + dot + tail
                for star in module.stars:
                    yield f"{star}.{rest}"
                return
            prefix, _, last = prefix.rpartition(".")
            rest = f"{last}.{rest}"

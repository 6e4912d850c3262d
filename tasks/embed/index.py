"""The index over the vectors table: search among the contents of one kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tasks.core.errors import CodeGraftError
from tasks.core.store import store_root
from tasks.core.tables import read_table
from tasks.embed.approximate import candidates, recall
from tasks.embed.database import Held, open_table
from tasks.embed.embedder import Vectors
from tasks.embed.exact import Positions, grouped, pair_scores, top_k
from tasks.embed.schema import vectors_schema

Hit = tuple[str, float]
Search = Literal["exact", "ann"]


@dataclass(frozen=True, eq=False, kw_only=True)
class VectorIndex:
    """Vectors as LanceDB holds them, ascending by content id; see `open`."""

    held: Held
    root: Path
    mode: Search
    embedder: str

    @classmethod
    def open(
        cls, vectors: Path, *, search: Search = "exact", root: Path | None = None
    ) -> VectorIndex:
        """Open the database of a vectors table below `root`, the store's `lance` folder by default.

        It is made if absent, verified against the table, and made again if broken.
        """
        folder = root or store_root() / "lance"
        table = _read(vectors)
        held = open_table(Held.of(table), root=folder, indexed=False)[1]
        made_by = (table.schema.metadata or {}).get(b"embedder", b"").decode()
        return cls(held=held, root=folder, mode=search, embedder=made_by)

    def search(
        self,
        queries: Vectors,
        *,
        allowed: Sequence[str] | NDArray[np.str_],
        k: int,
        search: Search | None = None,
    ) -> list[list[Hit]]:
        """The `k` contents of `allowed` nearest to each query: (content_id, cosine), best first.

        `queries` are unit rows [q, dim]; `allowed` are the contents of one node type, so that no
        query is left without hits by filtering afterwards (SPEC 1.3). Ties go to the lower id.
        `search` overrides the mode that the index was opened with; approximate hits carry exact
        scores. Raises CodeGraftError for an id without vector, queries of another size, or an
        empty `allowed`.
        """
        positions = self._positions(allowed)
        if queries.shape[1:] != self.held.vectors.shape[1:]:
            raise CodeGraftError(
                f"queries of {queries.shape[1]} components cannot be compared with vectors of "
                f"{self.held.vectors.shape[1]}",
                remedy="the vectors are another embedder's; run `dvc repro`",
            )
        if (search or self.mode) == "exact":
            ranked = top_k(queries, self.held.vectors, positions=positions, k=k)
        else:
            ranked = self._approximate(queries, positions, k)
        return [[(self.held.ids[p].decode(), s) for p, s in hits] for hits in ranked]

    def recall(
        self, queries: Vectors, *, allowed: Sequence[str] | NDArray[np.str_], k: int
    ) -> float:
        """Recall at `k` of the approximate against the exact search, in [0, 1]."""
        found = self.search(queries, allowed=allowed, k=k, search="ann")
        return recall(found, self.search(queries, allowed=allowed, k=k, search="exact"))

    def _approximate(
        self, queries: Vectors, positions: Positions, k: int
    ) -> list[list[tuple[int, float]]]:
        """A database of its own for each set of contents: what it finds is allowed."""
        subset = Held(self.held.ids[positions], self.held.vectors[positions])
        table, _ = open_table(subset, root=self.root, indexed=True)
        query, found = candidates(table, queries, ids=subset.ids, k=k)
        scores = pair_scores(queries, subset.vectors, query, found)
        return grouped(len(queries), query, positions[found], scores, k)

    def _positions(self, allowed: Sequence[str] | NDArray[np.str_]) -> Positions:
        """Ascending positions of content ids."""
        if not len(allowed):
            raise CodeGraftError(
                "there is nothing to search: no content is allowed",
                remedy="add a source under `ingest.sources`",
            )
        wanted = np.array(allowed, np.bytes_)
        if not (wanted[1:] > wanted[:-1]).all():  # sorting what is sorted takes longest here
            wanted = np.unique(wanted)
        at = np.searchsorted(self.held.ids, wanted)
        known = self.held.ids[np.minimum(at, len(self.held.ids) - 1)] == wanted
        if not known.all():
            raise CodeGraftError(
                f"{int((~known).sum())} contents have no vector, e.g. {wanted[~known][0].decode()}",
                remedy="list their type in `embed.node_types` (rows: `embed.rows`) "
                "and run `dvc repro`",
            )
        return at.astype(np.int64)


def _read(path: Path) -> pa.Table:
    """The vectors table, whatever its dimension."""
    try:
        with pa.memory_map(str(path)) as source:
            kind = pa.ipc.open_file(source).schema.field("vector").type
        dim = kind.list_size
    except FileNotFoundError:
        dim = 0  # read_table says it
    except (pa.ArrowInvalid, KeyError, AttributeError, OSError) as error:
        raise CodeGraftError(
            f"not a vectors table: {error}", where=str(path), remedy="delete it, run `dvc repro`"
        ) from error
    return read_table(path, vectors_schema(dim))

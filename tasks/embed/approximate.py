"""Approximate search with LanceDB's inverted file, and how much of the exact result it finds."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy as np

from tasks.embed.embedder import Vectors
from tasks.embed.exact import Positions

# Below this a scan of all vectors is faster than an index, and exact.
SMALLEST = 4096
# Partitions searched; there are as many as the square root of the number of vectors.
PROBES = 32


def add_index(table: Any) -> None:
    """Add an IVF-flat index over the column `vector`, unless the table is small.

    LanceDB's own default is a partition for each 8192 vectors, with which PROBES would reach all.
    """
    from lancedb.index import IvfFlat

    rows = table.count_rows()
    if rows >= SMALLEST:
        config = IvfFlat(distance_type="dot", num_partitions=isqrt(rows))
        table.create_index("vector", config=config)


def candidates(table: Any, queries: Vectors, *, ids: Any, k: int) -> tuple[Positions, Positions]:
    """(query, position in `ids`) of about the `k` nearest vectors of each query, in no order.

    A query for which the searched partitions hold fewer than `k` is searched exactly, so that
    none is left without hits.
    """
    wanted = min(k, len(ids))
    query, found = _search(table, queries, wanted, exact=False)
    short = np.flatnonzero(np.bincount(query, minlength=len(queries)) < wanted)
    if len(short):
        again, more = _search(table, queries[short], wanted, exact=True)
        kept = ~np.isin(query, short)
        query = np.concatenate([query[kept], short[again]])
        found = [c for c, keep in zip(found, kept.tolist(), strict=True) if keep] + more
    return query, np.searchsorted(ids, np.array([c.encode() for c in found], ids.dtype))


def _search(table: Any, queries: Vectors, k: int, *, exact: bool) -> tuple[Positions, list[str]]:
    search = table.search(list(queries), vector_column_name="vector").distance_type("dot")
    search = search.bypass_vector_index() if exact else search.nprobes(PROBES)
    hits = search.limit(k).select(["content_id", "_distance"]).to_arrow()
    # LanceDB numbers the queries only if there are several.
    several = "query_index" in hits.column_names
    numbers = hits["query_index"].to_numpy() if several else np.zeros(hits.num_rows)
    return numbers.astype(np.int64), hits["content_id"].to_pylist()


Hits = Sequence[Sequence[tuple[str, float]]]


def recall(found: Hits, exact: Hits) -> float:
    """Share of the exact hits that were found, over all queries; 1.0 if there is none."""
    pairs = list(zip(found, exact, strict=True))
    total = sum(len(right) for _, right in pairs)
    both = sum(len({c for c, _ in left} & {c for c, _ in right}) for left, right in pairs)
    return both / total if total else 1.0

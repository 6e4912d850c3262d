"""What extraction keeps of all chunks: ids, calls and counts, but no text and no node rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from tasks.extract.calls import PENDING, TIERS
from tasks.extract.chunk import Chunk, Ints, hex_strings
from tasks.extract.resolve import FOUND_TIERS, MISSING, Corpus
from tasks.extract.schema import EDGES

_BATCH = 65536


class Gathered:
    """Adds chunks in document order, then yields the call edges and the summary.

    Holds 32 bytes a node, 20 bytes a call and the functions' names.
    """

    def __init__(self) -> None:
        self._corpus = Corpus()
        self._node_ids: list[bytes] = []
        self._content_ids: list[bytes] = []
        self._calls: list[Ints] = []
        self._targets: dict[str, int] = {}
        self._rows = self._documents = 0
        self._counts: Counter[str] = Counter()
        self._edges: Counter[str] = Counter()
        self._tiers: Counter[str] = Counter()

    def add(self, chunk: Chunk) -> None:
        """Add the next chunk."""
        calls = chunk.calls.copy()
        calls[0] += self._rows
        calls[3][calls[3] >= 0] += self._rows
        numbers = [self._targets.setdefault(t, len(self._targets)) for t in chunk.targets]
        pending = calls[4] >= 0
        calls[4][pending] = np.array(numbers, np.int32)[calls[4][pending]]
        self._calls.append(calls)
        self._corpus.add_names(
            (chunk.name_rows + self._rows).tolist(),
            (chunk.name_documents + self._documents).tolist(),
            chunk.names,
            chunk.qualnames,
            chunk.scopes,
        )
        for notes in chunk.notes:
            self._corpus.add_module(notes)
            self._tiers.update(dict(zip(TIERS, notes.tiers, strict=True)))
            self._counts["documents_with_code"] += notes.regions > 0
            self._counts["documents"] += notes.error_regions > 0
            self._counts["regions"] += notes.error_regions
            self._counts["bytes"] += notes.error_bytes
        self._node_ids.append(chunk.node_ids)
        self._content_ids.append(chunk.content_ids)
        self._counts.update(chunk.by_type)
        self._edges.update(chunk.by_edge)
        self._rows += chunk.rows
        self._documents += len(chunk.notes)

    def call_edges(self) -> Iterator[pa.RecordBatch]:
        """The `calls` edges in document and source order, resolved against the whole corpus."""
        found = [self._corpus.find(target) for target in self._targets]
        rows = np.array([row for _, row in found] + [MISSING], np.int32)
        tiers = [tier for tier, _ in found]
        ids = np.frombuffer(b"".join(self._node_ids), np.uint8).reshape(-1, 16)
        uses = np.zeros(len(found), np.int64)
        for calls in self._calls:
            owner, start, end, name, target = calls
            pending = target >= 0
            uses += np.bincount(target[pending], minlength=len(found))
            name = np.where(pending, rows[target], name)
            kept = name >= 0
            self._edges["calls"] += int(kept.sum())
            yield _edges(ids, owner[kept], name[kept], start[kept], end[kept])
        for tier, count in zip(tiers, uses.tolist(), strict=True):
            self._tiers[tier] += count
        del self._tiers[TIERS[PENDING]]

    def summary(self, documents: int) -> dict[str, Any]:
        """Counts for summary.json; call after `call_edges` is exhausted."""
        contents = np.frombuffer(b"".join(self._content_ids), np.dtype("V16"))
        types = ("Name", "Impl", "Block")
        return {
            "documents": documents,
            "documents_with_code": self._counts["documents_with_code"],
            "nodes": self._rows,
            "edges": self._edges.total(),
            "by_type": {name: self._counts[name] for name in types},
            "edges_by_type": {
                name: self._edges[name] for name in ("has_impl", "has_block", "parent", "calls")
            },
            "distinct_contents": len(np.unique(contents)),
            "calls": {
                name: self._tiers[name] for name in (*TIERS[:PENDING], *FOUND_TIERS, *TIERS[-2:])
            },
            "ambiguous_calls": self._tiers["ambiguous"],
            "parse_errors": {
                name: self._counts[name] for name in ("documents", "regions", "bytes")
            },
        }


def _edges(ids: Any, source: Ints, target: Ints, start: Ints, end: Ints) -> pa.RecordBatch:
    columns = [
        hex_strings(ids[source]),
        hex_strings(ids[target]),
        pa.array(["calls"]).take(pa.array(np.zeros(len(source), np.int32))),
        pa.array(start.astype(np.int64)),
        pa.array(end.astype(np.int64)),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=EDGES)

"""Access to the programming knowledge graph (SPEC 1.1) over its Arrow tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tasks.core.tables import read_table
from tasks.extract.schema import EDGES, NODES
from tasks.graph.adjacency import Adjacency
from tasks.graph.export import write_graphml, write_neo4j_csv
from tasks.graph.ids import IdIndex, Rows, id_array
from tasks.graph.text import node_text_bytes
from tasks.ingest.schema import DOCUMENTS

CONTAINMENT = ("has_block", "parent", "json_child")
_CALLS = "calls"


@dataclass(frozen=True)
class Node:
    """A row of the nodes table."""

    node_id: str
    content_id: str
    type: str
    doc_id: str
    function_id: str
    name: str
    qualname: str
    path: str
    start_byte: int
    end_byte: int
    depth: int
    order: int


@dataclass(frozen=True)
class CallSite:
    """A call inside a node: byte span in the document, and the function that is called."""

    start_byte: int
    end_byte: int
    name_id: str
    function_id: str


class Graph:
    """The graph of one corpus; ids in, ids out.

    Tables stay memory-mapped; edges become numpy arrays on first use. Every method raises
    CodeGraftError for an unknown id.
    """

    def __init__(self, documents: pa.Table, nodes: pa.Table, edges: pa.Table) -> None:
        self.documents, self.nodes, self.edges = documents, nodes, edges
        self._ids = id_array(nodes["node_id"], where="nodes")
        self._rows = IdIndex(self._ids, where="nodes")
        self._starts = nodes["start_byte"].to_numpy()
        self._ends = nodes["end_byte"].to_numpy()

    @staticmethod
    def load(documents: Path, nodes: Path, edges: Path) -> Graph:
        """Open the three tables. Raises CodeGraftError if one is missing or foreign."""
        return Graph(
            read_table(documents, DOCUMENTS), read_table(nodes, NODES), read_table(edges, EDGES)
        )

    def node(self, node_id: str) -> Node:
        """All columns of a node."""
        return self._node(self._row(node_id))

    def function_of(self, node_id: str) -> str:
        """The Impl that a Block lies in or a Name names; an Impl is its own."""
        return str(self.nodes["function_id"][self._row(node_id)].as_py())

    def children(self, node_id: str) -> list[str]:
        """Direct children in source order: an Impl's outermost blocks, a Block's own blocks."""
        return self._names(self._below.neighbours(self._row(node_id)))

    def subtree(self, node_id: str) -> list[str]:
        """The node and all that hangs from it, in source order, parents first."""
        found, waiting = [], [self._row(node_id)]
        while waiting:
            row = waiting.pop()
            found.append(row)
            waiting.extend(self._below.neighbours(row)[::-1].tolist())
        return self._names(found)

    def k_hop(self, node_id: str, k: int, *, types: Iterable[str] | None = None) -> list[str]:
        """Nodes at most k edges away, either way along them, nearest first; not the node itself.

        `types` limits the edges that are followed.
        """
        around = self._around(tuple(sorted(types)) if types is not None else None)
        start = self._row(node_id)
        seen = np.zeros(self.nodes.num_rows, bool)
        seen[start] = True
        layer, found = np.array([start], np.int64), [np.empty(0, np.int64)]
        for _ in range(k):
            layer = np.unique(around.all_neighbours(layer))
            layer = layer[~seen[layer]]
            if not len(layer):
                break
            seen[layer] = True
            found.append(layer)
        return self._names(np.concatenate(found))

    def callers(self, node_id: str) -> list[str]:
        """Functions that call the function which the node is, names or lies in."""
        function = self._row(self.function_of(node_id))
        sources = np.unique(self._calls.sources[self._calls.functions == function])
        owners = [self.nodes["function_id"][int(row)].as_py() for row in sources]
        return list(dict.fromkeys(owners))

    def callees(self, node_id: str) -> list[str]:
        """Functions that the node's text calls, nested parts included, in order of first call."""
        return list(dict.fromkeys(site.function_id for site in self.call_sites(node_id)))

    def call_sites(self, node_id: str) -> list[CallSite]:
        """Resolved calls within the node's span, in source order."""
        row, calls = self._row(node_id), self._calls
        document = self._document_numbers[row]
        low = np.searchsorted(calls.documents, document, side="left")
        high = np.searchsorted(calls.documents, document, side="right")
        starts, ends = calls.starts[low:high], calls.ends[low:high]
        inside = np.flatnonzero((starts >= self._starts[row]) & (ends <= self._ends[row])) + low
        names = self._names(calls.names[inside])
        functions = self._names(calls.functions[inside])
        spans = zip(calls.starts[inside].tolist(), calls.ends[inside].tolist(), strict=True)
        return [
            CallSite(*span, name, function)
            for span, name, function in zip(spans, names, functions, strict=True)
        ]

    def text(self, node_id: str) -> str:
        """The node's source, dedented: what its content_id is the digest of."""
        row = self._row(node_id)
        document = int(self._document_numbers[row])
        content = self.documents["content"][document].as_buffer().to_pybytes()
        return node_text_bytes(content, int(self._starts[row]), int(self._ends[row]))

    def to_graphml(self, path: Path) -> None:
        """Write the graph as GraphML (one file, without source text)."""
        write_graphml(path, self.nodes, self.edges)

    def to_neo4j_csv(self, folder: Path) -> None:
        """Write nodes.csv and relationships.csv for `neo4j-admin database import`."""
        write_neo4j_csv(folder, self.nodes, self.edges)

    def _row(self, node_id: str) -> int:
        return int(self._rows.rows([node_id])[0])

    def _names(self, rows: Rows | list[int]) -> list[str]:
        return [value.decode() for value in self._ids[np.asarray(rows, np.int64)].tolist()]

    def _node(self, row: int) -> Node:
        values: dict[str, Any] = self.nodes.slice(row, 1).to_pylist()[0]
        return Node(**values)

    @cached_property
    def _document_numbers(self) -> Rows:
        ids = id_array(self.documents["doc_id"], where="documents")
        documents = IdIndex(ids, where="documents")
        return documents.rows(id_array(self.nodes["doc_id"], where="nodes"))

    @cached_property
    def _edge_rows(self) -> tuple[Rows, Rows, Any]:
        sources = self._rows.rows(id_array(self.edges["src"], where="edges"))
        targets = self._rows.rows(id_array(self.edges["dst"], where="edges"))
        return sources, targets, self.edges["type"].to_numpy()

    @cached_property
    def _below(self) -> Adjacency:
        sources, targets, types = self._edge_rows
        kept = np.isin(types, CONTAINMENT)
        return Adjacency.of(sources[kept], targets[kept], size=len(self._ids))

    def _around(self, types: tuple[str, ...] | None) -> Adjacency:
        if types is None:
            return self._everything
        sources, targets, kinds = self._edge_rows
        kept = np.isin(kinds, types)
        return _both_ways(sources[kept], targets[kept], len(self._ids))

    @cached_property
    def _everything(self) -> Adjacency:
        sources, targets, _ = self._edge_rows
        return _both_ways(sources, targets, len(self._ids))

    @cached_property
    def _calls(self) -> _Calls:
        sources, targets, types = self._edge_rows
        kept = np.flatnonzero(types == _CALLS)
        documents = self._document_numbers[sources[kept]]
        starts = self.edges["start_byte"].to_numpy()[kept]
        ends = self.edges["end_byte"].to_numpy()[kept]
        order = np.lexsort((-ends, starts, documents))
        names = targets[kept][order]
        function_ids = self.nodes["function_id"].take(pa.array(names))
        functions = self._rows.rows(id_array(function_ids, where="nodes"))
        return _Calls(
            sources[kept][order], names, functions, documents[order], starts[order], ends[order]
        )


@dataclass(frozen=True)
class _Calls:
    """Call edges sorted by document and span; all rows [n]."""

    sources: Rows
    names: Rows
    functions: Rows
    documents: Rows
    starts: Rows
    ends: Rows


def _both_ways(sources: Rows, targets: Rows, size: int) -> Adjacency:
    return Adjacency.of(
        np.concatenate((sources, targets)), np.concatenate((targets, sources)), size=size
    )

"""Pieces of consecutive documents to rows of the output tables, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tasks.extract.document import Document
from tasks.extract.piece import Notes, Piece
from tasks.extract.rows import DEFINITION_BLOCK, IMPL, NAME, TYPE_NAMES
from tasks.extract.schema import EDGES, NODES

Ints = npt.NDArray[np.int32]

_HEX = np.frombuffer("".join(f"{value:02x}" for value in range(256)).encode(), np.uint8).reshape(
    256, 2
)


@dataclass(frozen=True)
class Chunk:
    """Some documents' nodes and structural edges (IPC streams), and what the corpus must resolve.

    Row numbers count from the chunk's first node. `calls` has the rows owner, start, end, name row
    and target; `name_rows` [n] are the Name nodes, `name_documents` their documents' positions.
    """

    nodes: bytes
    edges: bytes
    node_ids: bytes
    content_ids: bytes
    rows: int
    by_type: dict[str, int]
    by_edge: dict[str, int]
    calls: Ints
    targets: list[str]
    name_rows: Ints
    name_documents: Ints
    names: list[str]
    qualnames: list[str]
    scopes: list[int]
    notes: list[Notes]


def hex_strings(ids: npt.NDArray[np.uint8]) -> pa.Array:
    """Raw ids [n, 16] as a string array of 32 hex digits each."""
    count = len(ids)
    digits = _HEX[ids].reshape(-1)
    offsets = np.arange(0, 32 * count + 1, 32, dtype=np.int32)
    return pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(digits))


def ipc_bytes(batch: pa.RecordBatch) -> bytes:
    """A record batch as an IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def assemble(documents: Sequence[Document], pieces: Sequence[Piece]) -> Chunk:
    """Join the pieces of consecutive documents."""
    table = pa.Table.from_batches([piece.nodes for piece in pieces]).combine_chunks()
    sizes = np.array([piece.nodes.num_rows for piece in pieces], np.int64)
    owners = np.repeat(np.arange(len(pieces), dtype=np.int32), sizes)
    shift = np.repeat(np.cumsum(sizes) - sizes, sizes).astype(np.int32)
    types = _ints(table, "type")
    functions = _ints(table, "function") + shift
    parents = _ints(table, "parent")
    parents = np.where(parents >= 0, parents + shift, -1)
    ids = _raw(table, "node_id")
    hexes = hex_strings(ids)
    names = np.flatnonzero(types == NAME).astype(np.int32)
    nodes = _node_batch(documents, table, owners, types, functions, hexes)
    edges = _edge_batch(types, functions, parents, hexes)
    calls, targets = _calls(pieces, np.cumsum(sizes) - sizes)
    return Chunk(
        nodes=ipc_bytes(nodes),
        edges=ipc_bytes(edges),
        node_ids=ids.tobytes(),
        content_ids=_raw(table, "content_id").tobytes(),
        rows=table.num_rows,
        by_type=_counts(nodes.column("type")),
        by_edge=_counts(edges.column("type")),
        calls=calls,
        targets=targets,
        name_rows=names,
        name_documents=owners[names],
        names=table["name"].take(names).to_pylist(),
        qualnames=table["qualname"].take(names).to_pylist(),
        scopes=table["scope"].take(names).to_pylist(),
        notes=[piece.notes for piece in pieces],
    )


def _counts(column: pa.Array) -> dict[str, int]:
    return {item["values"]: item["counts"] for item in column.value_counts().to_pylist()}


def _one(table: pa.Table, name: str) -> Any:
    """A column as one array (a table without rows has no chunk)."""
    column = table[name]
    return column.chunk(0) if column.num_chunks else pa.array([], column.type)


def _ints(table: pa.Table, name: str) -> Ints:
    values: Ints = _one(table, name).to_numpy(zero_copy_only=False).astype(np.int32)
    return values


def _raw(table: pa.Table, name: str) -> npt.NDArray[np.uint8]:
    column = _one(table, name)
    data = column.buffers()[1]
    if not len(column) or data is None:
        return np.empty((0, 16), np.uint8)
    start = 16 * column.offset
    return np.frombuffer(data, np.uint8)[start : start + 16 * len(column)].reshape(-1, 16)


def _node_batch(
    documents: Sequence[Document],
    table: pa.Table,
    owners: Ints,
    types: Ints,
    functions: Ints,
    hexes: pa.Array,
) -> pa.RecordBatch:
    per_document = {
        "doc_id": pa.array([document.doc_id for document in documents]),
        "path": pa.array([document.path for document in documents]),
    }
    position = pa.array(owners)
    columns = {
        "node_id": hexes,
        "content_id": hex_strings(_raw(table, "content_id")),
        "type": pa.array(TYPE_NAMES).take(pa.array(types)),
        "doc_id": per_document["doc_id"].take(position),
        "function_id": hexes.take(pa.array(functions)),
        "name": _one(table, "name"),
        "qualname": _one(table, "qualname"),
        "path": per_document["path"].take(position),
        "start_byte": pc.cast(_one(table, "start"), pa.int64()),
        "end_byte": pc.cast(_one(table, "end"), pa.int64()),
        "depth": _one(table, "depth"),
        "order": _one(table, "order"),
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in NODES.names], schema=NODES)


def _edge_batch(types: Ints, functions: Ints, parents: Ints, hexes: pa.Array) -> pa.RecordBatch:
    """Structural edges, ordered by the row of their destination.

    The outermost blocks of a nested def hang from its Impl (has_block) and from its Block in the
    enclosing function (parent), which stands in the row before the Impl.
    """
    named = np.flatnonzero(types == NAME).astype(np.int32)
    hanging = np.flatnonzero(parents >= 0).astype(np.int32)
    above = parents[hanging]
    outermost = types[above] == IMPL
    twins = above[outermost] - 1
    nested = (twins >= 0) & (types[twins] == DEFINITION_BLOCK)
    groups = [
        ("has_impl", named, functions[named]),
        ("has_block", above[outermost], hanging[outermost]),
        ("parent", above[~outermost], hanging[~outermost]),
        ("parent", twins[nested], hanging[outermost][nested]),
    ]
    sources = np.concatenate([source for _, source, _ in groups])
    targets = np.concatenate([target for _, _, target in groups])
    kinds = np.repeat(np.arange(len(groups)), [len(source) for _, source, _ in groups])
    order = np.lexsort((kinds, targets))
    absent = pa.array(np.full(len(order), -1, np.int64))
    columns = [
        hexes.take(pa.array(sources[order])),
        hexes.take(pa.array(targets[order])),
        pa.array([kind for kind, _, _ in groups]).take(pa.array(kinds[order])),
        absent,
        absent,
    ]
    return pa.RecordBatch.from_arrays(columns, schema=EDGES)


def _calls(pieces: Sequence[Piece], shifts: npt.NDArray[np.int64]) -> tuple[Ints, list[str]]:
    """Calls [5, n] with rows and targets counted from the chunk's first, and all targets."""
    parts: list[Ints] = [np.empty((5, 0), np.int32)]
    targets: list[str] = []
    for piece, shift in zip(pieces, shifts, strict=True):
        columns = [column.to_numpy(zero_copy_only=False) for column in piece.calls.columns]
        part = np.stack(columns).astype(np.int32)
        part[0] += np.int32(shift)
        part[3][part[3] >= 0] += np.int32(shift)
        part[4][part[4] >= 0] += np.int32(len(targets))
        parts.append(part)
        targets.extend(piece.notes.targets)
    return np.concatenate(parts, axis=1), targets

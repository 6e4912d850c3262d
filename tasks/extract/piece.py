"""What one document contributes to the graph, in a form that can be kept and joined quickly."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

# Row numbers are relative to the document. Ids are raw BLAKE2b-128.
NODE_COLUMNS = pa.schema(
    [
        pa.field("type", pa.int8()),
        pa.field("node_id", pa.binary(16)),
        pa.field("content_id", pa.binary(16)),
        pa.field("function", pa.int32()),
        pa.field("parent", pa.int32()),
        pa.field("name", pa.string()),
        pa.field("qualname", pa.string()),
        pa.field("start", pa.int32()),
        pa.field("end", pa.int32()),
        pa.field("depth", pa.int32()),
        pa.field("order", pa.int32()),
        pa.field("scope", pa.int8()),
    ]
)
# `name` is the row of the Name if the document resolves the call, else -1 and `target` is a
# position in the list of alternatives.
CALL_COLUMNS = pa.schema(
    [
        pa.field("owner", pa.int32()),
        pa.field("start", pa.int32()),
        pa.field("end", pa.int32()),
        pa.field("name", pa.int32()),
        pa.field("target", pa.int32()),
    ]
)
_LENGTHS = struct.Struct("<QQQ")


@dataclass(frozen=True)
class Notes:
    """The rest: module name, what its names stand for, call alternatives and counts."""

    module: str
    aliases: dict[str, list[str]]
    stars: list[str]
    targets: list[str]
    tiers: list[int]
    regions: int
    error_regions: int
    error_bytes: int


@dataclass(frozen=True)
class Piece:
    """One document's nodes and calls as record batches, with notes."""

    nodes: pa.RecordBatch
    calls: pa.RecordBatch
    notes: Notes

    def to_bytes(self) -> bytes:
        """Compressed form for the store."""
        notes = json.dumps(vars(self.notes), ensure_ascii=False).encode()
        nodes, calls = self.nodes.serialize(), self.calls.serialize()
        head = _LENGTHS.pack(len(notes), nodes.size, calls.size)
        raw = b"".join((head, notes, nodes, calls))
        packed: bytes = pa.compress(raw, codec="lz4", asbytes=True)
        return struct.pack("<Q", len(raw)) + packed

    @staticmethod
    def from_bytes(data: bytes) -> Piece:
        """The inverse of `to_bytes`."""
        (size,) = struct.unpack_from("<Q", data)
        raw = pa.decompress(memoryview(data)[8:], size, codec="lz4")
        notes_size, nodes_size, calls_size = _LENGTHS.unpack_from(raw)
        at = _LENGTHS.size
        notes: dict[str, Any] = json.loads(raw.slice(at, notes_size).to_pybytes())
        nodes = raw.slice(at + notes_size, nodes_size)
        calls = raw.slice(at + notes_size + nodes_size, calls_size)
        return Piece(
            pa.ipc.read_record_batch(nodes, NODE_COLUMNS),
            pa.ipc.read_record_batch(calls, CALL_COLUMNS),
            Notes(**notes),
        )

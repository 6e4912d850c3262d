"""The nodes and edges tables (SPEC 1.1)."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

NODES = pa.schema(
    [
        field("node_id", pa.string(), "digest of document, type and qualified name with ordinals"),
        field("content_id", pa.string(), "digest of the dedented text"),
        field("type", pa.string(), "Name, Impl, Block, PathValue or Path"),
        field("doc_id", pa.string(), "document the node lies in"),
        field("function_id", pa.string(), "owning Impl; the Impl that a Name names; or empty"),
        field("name", pa.string(), "identifier of a Name or Impl; statement kind of a Block"),
        field("qualname", pa.string(), "module.Class.method; a Block adds its statement kinds"),
        field("path", pa.string(), "path of the document below its source's root"),
        field("start_byte", pa.int64(), "first byte in the document's content as UTF-8"),
        field("end_byte", pa.int64(), "byte after the last one"),
        field("depth", pa.int32(), "levels below the owning Impl: 0 for Name and Impl"),
        field("order", pa.int32(), "position among its siblings, from 0"),
    ]
)

EDGES = pa.schema(
    [
        field("src", pa.string(), "node_id"),
        field("dst", pa.string(), "node_id"),
        field("type", pa.string(), "has_impl, has_block, parent, calls or json_child"),
        field("start_byte", pa.int64(), "first byte of the call expression; -1 if not a call"),
        field("end_byte", pa.int64(), "byte after the call expression; -1 if not a call"),
    ]
)

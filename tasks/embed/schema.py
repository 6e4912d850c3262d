"""The rows and vectors tables."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

ROWS = pa.schema(
    [
        field("content_id", pa.string(), "digest of the text"),
        field("doc_id", pa.string(), "document the row is cut from"),
        field("start_byte", pa.int64(), "first byte in the document's content as UTF-8"),
        field("end_byte", pa.int64(), "byte after the last one"),
    ]
)


def vectors_schema(dim: int) -> pa.Schema:
    """The vectors table for vectors of `dim` components, ascending by content_id.

    The table's metadata says what made them: embedder (its id, weights and prefixes included).
    """
    return pa.schema(
        [
            field("content_id", pa.string(), "digest of the text"),
            field("vector", pa.list_(pa.float32(), dim), "unit vector of the text"),
        ]
    )

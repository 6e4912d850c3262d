"""Whole rows of the corpus: a Q&A pair, or a chunk of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from tasks.core.ids import digest
from tasks.core.tables import read_table, write_table
from tasks.embed.chunks import chunks
from tasks.embed.schema import ROWS
from tasks.ingest.schema import DOCUMENTS


def write_rows(documents: Path, rows: Path, *, size: int, overlap: float) -> int:
    """Cut the documents into rows, in the documents' order; return the number of rows."""
    table = read_table(documents, DOCUMENTS).select(["doc_id", "kind", "content"])
    batches = table.to_batches(max_chunksize=256)
    return write_table(rows, ROWS, (_batch(b, size=size, overlap=overlap) for b in batches))


def _batch(documents: pa.RecordBatch, *, size: int, overlap: float) -> pa.RecordBatch:
    found = [
        (digest(text), doc_id, start, end)
        for doc_id, kind, content in zip(*(c.to_pylist() for c in documents.columns), strict=True)
        for text, start, end in row_texts(content, kind=kind, size=size, overlap=overlap)
    ]
    columns = list(zip(*found, strict=True)) if found else [(), (), (), ()]
    arrays = [pa.array(c, f.type) for c, f in zip(columns, ROWS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=ROWS)


def row_texts(
    content: str, *, kind: str, size: int, overlap: float
) -> Iterator[tuple[str, int, int]]:
    """(text, start byte, end byte) of each row of one document."""
    if kind == "qa":
        yield content, 0, len(content.encode())
        return
    position, offset = 0, 0  # the same place in characters and in bytes
    for start, end in chunks(content, size=size, overlap=overlap):
        offset += len(content[position:start].encode()) - len(content[start:position].encode())
        position = start
        text = content[start:end]
        yield text, offset, offset + len(text.encode())

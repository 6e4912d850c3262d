"""The distinct texts to embed, each once, read from the documents that hold them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest
from tasks.core.tables import read_frame, read_table
from tasks.embed.schema import ROWS
from tasks.extract.dedent import dedented
from tasks.extract.schema import NODES
from tasks.ingest.schema import DOCUMENTS

COLUMNS = ["content_id", "doc_id", "start_byte", "end_byte"]


def occurrences(nodes: Path, rows: Path | None, *, node_types: Sequence[str]) -> pl.DataFrame:
    """The first place of each distinct content of the node types and, if given, of the rows.

    Columns content_id, doc_id, start_byte, end_byte, whole (True for a row, which is not
    dedented); in the order of the tables.
    """
    chosen = read_frame(nodes, NODES).filter(pl.col("type").is_in(list(node_types)))
    frames = [chosen.select(*COLUMNS, whole=pl.lit(False))]
    if rows:
        frames.append(read_frame(rows, ROWS).select(*COLUMNS, whole=pl.lit(True)))
    return pl.concat(frames).unique("content_id", keep="first", maintain_order=True)


def read_texts(documents: Path, places: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """(content_id, text) of each place, document by document in the documents' order.

    Raises CodeGraftError if a place lies in no document or its text is not what its id says.
    """
    by_document = {
        str(key[0]): group for key, group in places.group_by(["doc_id"], maintain_order=True)
    }
    table = read_table(documents, DOCUMENTS).select(["doc_id", "content"])
    for batch in table.to_batches(max_chunksize=64):
        for doc_id, content in zip(batch.column(0), batch.column(1), strict=True):
            group = by_document.pop(doc_id.as_py(), None)
            if group is not None:
                yield from _cut(content.as_py().encode(), group, where=str(documents))
    if by_document:
        raise _mismatch(str(documents), f"document {min(by_document)} is missing")


def _cut(source: bytes, places: pl.DataFrame, *, where: str) -> Iterator[tuple[str, str]]:
    for content_id, _, start, end, whole in places.iter_rows():
        text = source[start:end] if whole else dedented(source, start, end)
        if digest(text) != content_id:
            raise _mismatch(where, f"the text of {content_id} reads otherwise")
        yield content_id, text.decode()


def _mismatch(where: str, what: str) -> CodeGraftError:
    return CodeGraftError(
        f"nodes or rows do not belong to these documents: {what}",
        where=where,
        remedy="the tables come from different runs; run `dvc repro`",
    )

"""A run of consecutive documents to a chunk, in whatever process it is called."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from tasks.core.store import Store
from tasks.extract.chunk import Chunk, assemble
from tasks.extract.document import Document, extract_document
from tasks.extract.piece import Piece

_COLUMNS = ("doc_id", "kind", "lang", "path", "content", "answer")


@dataclass(frozen=True)
class Span:
    """Rows [start, start + count) of the documents table, and where finished pieces are kept."""

    documents: Path
    start: int
    count: int
    store_root: Path | None


def prepare_process() -> None:
    """Initialiser of worker processes: Ctrl-C is the main process's to handle.

    A worker whose main process was killed ends too; it would wait for work for ever. The collector
    of reference cycles runs rarely: extraction makes many objects and no cycles.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # what was put in the store stays; nothing else needs tidying


def extract_span(span: Span) -> Chunk:
    """Extract the documents of a span; pieces in the store are reused and new ones added."""
    documents = _read(span)
    keys = [document.key for document in documents]
    with Store("extract", root=span.store_root) as store:
        known = store.get(keys)
        pieces: list[Piece] = []
        fresh: dict[str, bytes] = {}
        for key, document in zip(keys, documents, strict=True):
            if stored := known.get(key):
                pieces.append(Piece.from_bytes(stored))
            else:
                pieces.append(extract_document(document))
                fresh[key] = pieces[-1].to_bytes()
        if fresh:
            store.put(fresh)
    return assemble(documents, pieces)


def _read(span: Span) -> list[Document]:
    # mapped for this call only: the pages count as this process's memory while they are mapped
    with pa.memory_map(str(span.documents)) as source:
        table = pa.ipc.open_file(source).read_all().slice(span.start, span.count)
        columns = {name: table[name] for name in _COLUMNS}
        for name in ("content", "answer"):
            columns[name] = columns[name].cast(
                pa.large_binary() if pa.types.is_large_string(columns[name].type) else pa.binary()
            )
        rows = zip(*(column.to_pylist() for column in columns.values()), strict=True)
        return [Document(*row) for row in rows]

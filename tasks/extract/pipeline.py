"""The whole of extraction: documents in, nodes and edges out, in constant memory per node."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tasks.core.errors import CodeGraftError
from tasks.core.files import atomic_path
from tasks.core.progress import Progress
from tasks.core.store import Store
from tasks.core.tables import read_table
from tasks.extract.chunk import Chunk
from tasks.extract.gather import Gathered
from tasks.extract.schema import EDGES, NODES
from tasks.extract.worker import Span, extract_span, prepare_process
from tasks.ingest.schema import DOCUMENTS

# A chunk ends with the document that takes it over one of these.
_CHUNK_BYTES = 1_500_000
_CHUNK_DOCUMENTS = 512


def extract(
    documents: Path, *, nodes: Path, edges: Path, processes: int, store_root: Path | None = None
) -> dict[str, Any]:
    """Write the nodes and edges tables of a documents table; return the summary.

    `processes` 0 means one per core; the bytes written do not depend on it. Both files appear
    whole or not at all. Documents extracted before (Store `extract`) are not parsed again.

    Raises CodeGraftError if the documents table is missing, foreign or empty, or if a process is
    killed.
    """
    spans = _spans(documents, store_root)
    total = sum(span.count for span in spans)
    gathered = Gathered()
    with ExitStack() as stack:
        # held open so that no worker's connection is the last one, whose end tidies up the file
        stack.enter_context(Store("extract", root=store_root))
        node_writer = stack.enter_context(_writer(stack, nodes, NODES))
        edge_writer = stack.enter_context(_writer(stack, edges, EDGES))
        progress = stack.enter_context(Progress("extract", total, "documents"))
        for chunk in _chunks(spans, processes or os.cpu_count() or 1):
            _copy(chunk.nodes, node_writer)
            _copy(chunk.edges, edge_writer)
            gathered.add(chunk)
            progress.add(len(chunk.notes))
        for batch in gathered.call_edges():
            edge_writer.write_batch(batch)
    return gathered.summary(total)


def _writer(stack: ExitStack, path: Path, schema: pa.Schema) -> Any:
    temporary = stack.enter_context(atomic_path(path))
    sink = stack.enter_context(pa.OSFile(str(temporary), "wb"))
    return pa.ipc.new_file(sink, schema)


def _copy(stream: bytes, writer: Any) -> None:
    with pa.ipc.open_stream(stream) as reader:
        for batch in reader:
            if batch.num_rows:
                writer.write_batch(batch)


def _spans(documents: Path, store_root: Path | None) -> list[Span]:
    """Consecutive documents in pieces of about equal size, whatever the process count."""
    table = read_table(documents, DOCUMENTS)
    if not table.num_rows:
        raise CodeGraftError(
            "the corpus is empty",
            where=str(documents),
            remedy="check ingest.sources in params.yaml and run `dvc repro`",
        )
    spans: list[Span] = []
    start = size = 0
    for position, length in enumerate(pc.binary_length(table["content"]).to_pylist()):
        size += length
        count = position + 1 - start
        if size >= _CHUNK_BYTES or count >= _CHUNK_DOCUMENTS:
            spans.append(Span(documents, start, count, store_root))
            start, size = position + 1, 0
    if start < table.num_rows:
        spans.append(Span(documents, start, table.num_rows - start, store_root))
    return spans


def _chunks(spans: list[Span], processes: int) -> Iterator[Chunk]:
    """Chunks in the order of the spans, a bounded number of them under way."""
    if processes == 1 or len(spans) <= 1:
        yield from map(extract_span, spans)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(processes, len(spans)), mp_context=context, initializer=prepare_process
    )
    try:
        waiting: deque[Future[Chunk]] = deque()
        for span in spans:
            waiting.append(pool.submit(extract_span, span))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise CodeGraftError(
            "a worker process was killed, probably for want of memory",
            where="extract",
            remedy="set extract.processes lower and run again; finished documents are kept",
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)

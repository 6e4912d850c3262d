"""Sources to one table: order, exact duplicates, identities, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest
from tasks.core.plugins import load
from tasks.core.progress import Progress
from tasks.core.strict import validated
from tasks.core.tables import write_table
from tasks.ingest.schema import DOCUMENTS
from tasks.ingest.types import Document, Skipped, Source

_PACKAGE = "tasks.ingest.sources"
_BATCH_BYTES = 16 * 1024 * 1024


@dataclass
class Counts:
    """What one source gave. `bytes` is the UTF-8 size of the kept contents."""

    documents: int = 0
    bytes: int = 0
    duplicates: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    encodings: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)


def connect_all(entries: Sequence[dict[str, Any]]) -> list[Source]:
    """Validate every source of params.yaml, then open them; sorted by name.

    Raises CodeGraftError for an unknown kind, wrong options or two sources of one name, before
    any of them is read.
    """
    plans = []
    for number, entry in enumerate(entries):
        where = f"params.yaml: ingest.sources[{number}]"
        options = dict(entry)
        kind = options.pop("kind", None)
        if not isinstance(kind, str):
            raise CodeGraftError(
                "a source has no kind", where=where, remedy="write {kind: stdlib} or the like"
            )
        model = load(_PACKAGE, kind, "Options")
        plans.append((load(_PACKAGE, kind, "connect"), validated(model, options, where=where)))
    sources = sorted((connect(options) for connect, options in plans), key=lambda s: s.name)
    for before, after in pairwise(sources):
        if before.name == after.name:
            raise CodeGraftError(
                f"two sources are called {after.name!r}",
                where="params.yaml: ingest.sources",
                remedy="remove one, or give folders and rows different values of `name`",
            )
    return sources


def write_documents(sources: Sequence[Source], path: Path) -> dict[str, Any]:
    """Stream the sources' documents to `path` and return the summary.

    Rows are sorted by (source, path). Of documents with equal content the first in that order is
    kept. Raises CodeGraftError if no document remains; nothing is written then.
    """
    counts = {source.name: Counts() for source in sources}
    write_table(path, DOCUMENTS, _batches(sources, counts))
    return {
        "documents": sum(count.documents for count in counts.values()),
        "bytes": sum(count.bytes for count in counts.values()),
        "duplicates": sum(count.duplicates for count in counts.values()),
        "skipped": dict(sum((count.skipped for count in counts.values()), Counter())),
        "sources": {
            source.name: {
                **{key: _plain(value) for key, value in vars(counts[source.name]).items()},
                "provenance": dict(source.provenance),
            }
            for source in sources
        },
    }


def _plain(value: int | Counter[str]) -> int | dict[str, int]:
    return value if isinstance(value, int) else dict(value)


def _batches(sources: Sequence[Source], counts: dict[str, Counts]) -> Iterator[pa.RecordBatch]:
    rows: list[dict[str, str | None]] = []
    size = 0
    seen: set[bytes] = set()
    with Progress("ingest", len(sources), "sources") as progress:
        for source in sources:
            for item in _kept(source, counts[source.name], seen):
                rows.append(_row(source.name, item))
                size += len(item.content)
                if size >= _BATCH_BYTES:
                    yield pa.RecordBatch.from_pylist(rows, schema=DOCUMENTS)
                    rows, size = [], 0
            progress.add()
    if not seen:
        raise CodeGraftError(
            "the corpus is empty: no source gave a document",
            where=", ".join(source.name for source in sources),
            remedy=f"check paths and globs of ingest.sources; skipped were {_skipped(counts)}",
        )
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=DOCUMENTS)


def _kept(source: Source, count: Counts, seen: set[bytes]) -> Iterator[Document]:
    """The source's documents whose content no earlier one had; everything is counted."""
    last = ""
    for item in source.items():
        if isinstance(item, Skipped):
            count.skipped[item.reason] += 1
            continue
        if item.path <= last:
            raise AssertionError(f"{source.name}: {item.path!r} after {last!r} breaks the order")
        last = item.path
        key = bytes.fromhex(digest(item.content))
        if key in seen:
            count.duplicates += 1
            continue
        seen.add(key)
        count.documents += 1
        count.bytes += len(item.content.encode())
        count.encodings[item.encoding] += 1
        count.licences[item.licence] += 1
        count.kinds[item.kind] += 1
        yield item


def _row(source: str, item: Document) -> dict[str, str | None]:
    return {
        "doc_id": digest(source, item.path),
        "source": source,
        "kind": item.kind,
        "lang": item.lang,
        "path": item.path,
        "licence": item.licence,
        "content": item.content,
        "answer": item.answer,
    }


def _skipped(counts: dict[str, Counts]) -> dict[str, int]:
    return dict(sum((count.skipped for count in counts.values()), Counter()))

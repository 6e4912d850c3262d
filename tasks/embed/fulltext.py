"""Full-text search over texts with LanceDB, for names and words as they stand in code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

SCHEMA = pa.schema([("content_id", pa.string()), ("text", pa.string())])
BATCH = 4096


@dataclass(frozen=True, eq=False)
class FullText:
    """A LanceDB table with a BM25 index over its column `text`."""

    table: Any

    @classmethod
    def build(cls, folder: Path, texts: Iterable[tuple[str, str]]) -> FullText:
        """Index (content_id, text) pairs in `folder`, replacing what is there.

        Words are neither stemmed nor dropped: in code `is`, `not` and `in` are words like any
        other, and `running` is not `run`.
        """
        import lancedb
        from lancedb.index import FTS

        table = lancedb.connect(folder).create_table(
            "texts", data=_batches(texts), schema=SCHEMA, mode="overwrite"
        )
        table.create_index("text", config=FTS(stem=False, remove_stop_words=False))
        return cls(table)

    def search(self, query: str, *, k: int) -> list[tuple[str, float]]:
        """At most `k` (content_id, BM25 score), best first, ties by id; none shares no word."""
        found = self.table.search(query, query_type="fts").limit(k)
        hits = found.select(["content_id", "_score"]).to_arrow().to_pylist()
        pairs = [(str(hit["content_id"]), float(hit["_score"])) for hit in hits]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def _batches(texts: Iterable[tuple[str, str]]) -> Iterable[pa.RecordBatch]:
    source = iter(texts)
    while part := list(islice(source, BATCH)):
        ids, contents = zip(*part, strict=True)
        arrays = [pa.array(ids, pa.string()), pa.array(contents, pa.string())]
        yield pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)

"""The embed stage: rows, then the vector of every distinct text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from tasks.core.errors import CodeGraftError
from tasks.core.params import Embed
from tasks.core.progress import Progress
from tasks.core.tables import write_table
from tasks.embed.cached import CachedEmbedder
from tasks.embed.rows import write_rows
from tasks.embed.schema import vectors_schema
from tasks.embed.texts import occurrences, read_texts

# Texts, or vectors, in memory at once.
WINDOW = 16384


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where the stage's tables lie."""

    documents: Path
    nodes: Path
    rows: Path
    vectors: Path


def embed(places: Places, options: Embed, embedder: CachedEmbedder) -> tuple[dict[str, Any], int]:
    """Write rows and vectors; return the stage's summary and how many texts were not stored yet.

    Raises CodeGraftError if there is nothing to embed.
    """
    rows = write_rows(
        places.documents, places.rows, size=options.chunk_chars, overlap=options.chunk_overlap
    )
    chosen = occurrences(
        places.nodes, places.rows if options.rows else None, node_types=options.node_types
    )
    if chosen.is_empty():
        raise CodeGraftError(
            f"the corpus has nothing to embed: no {', '.join(options.node_types)}",
            where=str(places.nodes),
            remedy="add a source under `ingest.sources`, or set `embed.rows: true`",
        )
    keys, fresh = _ensure_all(places.documents, chosen, embedder)
    dim = _write_vectors(places.vectors, keys, embedder)
    summary = {"rows": rows, "vectors": keys.height, "dim": dim, "embedder": embedder.id}
    return summary, fresh


def _ensure_all(
    documents: Path, chosen: pl.DataFrame, embedder: CachedEmbedder
) -> tuple[pl.DataFrame, int]:
    """Embed what is not stored; content_id and store key of all, by content_id, and the number."""
    frames, total = [], 0
    with Progress("embed", chosen.height, "texts") as progress:
        for window in _windows(read_texts(documents, chosen)):
            ids, texts = zip(*window, strict=True)
            keys, fresh = embedder.ensure(texts, kind="document", progress=progress)
            frames.append(pl.DataFrame({"content_id": ids, "key": keys}))
            total += fresh
    return pl.concat(frames).sort("content_id"), total


def _windows(items: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    source = iter(items)
    while window := list(islice(source, WINDOW)):
        yield window


def _write_vectors(path: Path, keys: pl.DataFrame, embedder: CachedEmbedder) -> int:
    """Write the stored vectors; return their number of components."""
    # Read off a vector: the embedder would have to be loaded to tell it.
    dim = embedder.vectors(keys["key"][:1].to_list()).shape[1]
    schema = vectors_schema(dim)
    batches = (_batch(part, schema, embedder) for part in keys.iter_slices(WINDOW))
    write_table(path, schema, batches, metadata={"embedder": embedder.id})
    return int(dim)


def _batch(keys: pl.DataFrame, schema: pa.Schema, embedder: CachedEmbedder) -> pa.RecordBatch:
    vectors = embedder.vectors(keys["key"].to_list())
    flat = pa.array(vectors.reshape(-1), pa.float32())
    ids = pa.array(keys["content_id"].to_list(), pa.string())
    arrays = [ids, pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)

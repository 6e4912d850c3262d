"""A small real knowledge base: documents, extracted graph, rows, and an embedder of word counts."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tasks.core.ids import digest
from tasks.core.params import Embed
from tasks.core.store import Store
from tasks.core.tables import write_table
from tasks.embed.cached import CachedEmbedder
from tasks.embed.embedder import Kind, Vectors, unit_rows
from tasks.embed.pipeline import Places, embed
from tasks.extract.pipeline import extract
from tasks.ingest.schema import DOCUMENTS
from tasks.retrieval.knowledge import KnowledgeBase, Tables
from tasks.retrieval.tokens import tokenize
from tasks.retrieval.types import Problem

DIM = 512


class BagOfWords:
    """An embedder whose vectors count hashed words; `calls` counts the calls by kind."""

    dim = DIM
    id = "bag-of-words"

    def __init__(self) -> None:
        self.calls: list[tuple[Kind, int]] = []

    def encode(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        self.calls.append((kind, len(texts)))
        vectors = np.zeros((len(texts), DIM), np.float32)
        for row, text in enumerate(texts):
            for word in tokenize(text):
                vectors[row, zlib.crc32(word.encode()) % DIM] += 1
        return unit_rows(vectors)


def doc_id(path: str) -> str:
    """The id of a document of the test corpus."""
    return digest("folder:test", path)


def write_documents(root: Path, files: Mapping[str, str]) -> Tables:
    """Write documents.arrow and extract its graph."""
    tables = Tables.below(root)
    rows = [
        {
            "doc_id": doc_id(path),
            "source": "folder:test",
            "kind": "code",
            "lang": "python",
            "path": path,
            "licence": "MIT",
            "content": content,
            "answer": None,
        }
        for path, content in sorted(files.items())
    ]
    write_table(tables.documents, DOCUMENTS, rows)
    extract(
        tables.documents,
        nodes=tables.nodes,
        edges=tables.edges,
        processes=1,
        store_root=root / "store",
    )
    return tables


def count_words(text: str) -> int:
    """The generator's tokens in these tests: words and line ends."""
    return len(text.split()) + text.count("\n")


def problem(prompt: str, task_id: str = "T/0") -> Problem:
    """A problem with this prompt."""
    return Problem(task_id, "python", prompt, "f", "f()", "")


@contextmanager
def graph_only(files: Mapping[str, str]) -> Iterator[KnowledgeBase]:
    """A knowledge base of documents and graph, without rows and vectors."""
    with TemporaryDirectory() as folder:
        yield KnowledgeBase(
            tables=write_documents(Path(folder), files),
            denied=frozenset(),
            embedder=BagOfWords,
            count_tokens=count_words,
        )


def build(root: Path, files: Mapping[str, str], *, chunk_chars: int = 120) -> Tables:
    """Documents, graph, rows and vectors of the files, through the stages themselves."""
    tables = write_documents(root, files)
    options = Embed(model="fake", node_types=["Impl", "Block"], chunk_chars=chunk_chars)
    places = Places(
        documents=tables.documents, nodes=tables.nodes, rows=tables.rows, vectors=tables.vectors
    )
    with Store("embeddings", root=root / "store") as store:
        embed(places, options, CachedEmbedder(BagOfWords(), store))
    return tables

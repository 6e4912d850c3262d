"""A small corpus, and a cheap embedder that remembers its work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tasks.core.ids import digest
from tasks.core.tables import write_table
from tasks.embed.embedder import Kind, Vectors, unit_rows
from tasks.embed.pipeline import Places
from tasks.extract.pipeline import extract
from tasks.ingest.schema import DOCUMENTS

SHAPES = """class Circle:
    def area(self, r):
        if r < 0:
            raise ValueError("é")
        return 3.14 * r * r

    def grow(self, r):
        for step in range(3):
            r += step
        return r
"""
# Its `if` reads like the one in SHAPES once dedented.
MORE = 'def check(r):\n    if r < 0:\n        raise ValueError("é")\n    return r\n'


class Letters:
    """Counts letters; remembers what it was asked, since no text may be embedded twice."""

    dim = 26
    id = "letters"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        self.seen += texts
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    row[ord(letter) - ord("a")] += 1
            row[0] += kind == "query"
        return unit_rows(rows)


def document(path: str, content: str, *, kind: str = "code") -> dict[str, str | None]:
    answer = content.split("\n\n", 1)[1] if kind == "qa" else None
    return {
        "doc_id": digest("test", path),
        "source": "test",
        "kind": kind,
        "lang": "python",
        "path": path,
        "licence": "MIT",
        "content": content,
        "answer": answer,
    }


def build(folder: Path, files: Sequence[dict[str, str | None]]) -> Places:
    """Documents and their graph in `folder`, as the earlier stages write them."""
    places = Places(
        documents=folder / "documents.arrow",
        nodes=folder / "nodes.arrow",
        rows=folder / "rows.arrow",
        vectors=folder / "vectors.arrow",
    )
    write_table(places.documents, DOCUMENTS, files)
    extract(places.documents, nodes=places.nodes, edges=folder / "edges.arrow", processes=1)
    return places

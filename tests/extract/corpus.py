"""Small corpora for the tests of extraction."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tasks.core.ids import digest
from tasks.core.tables import write_table
from tasks.extract.chunk import Chunk
from tasks.extract.document import Document, extract_document
from tasks.extract.piece import Piece
from tasks.extract.pipeline import extract
from tasks.extract.rows import TYPE_NAMES
from tasks.extract.worker import Span
from tasks.ingest.schema import DOCUMENTS

SOURCE = "folder:test"


@dataclass(frozen=True)
class Extracted:
    """The tables of a small corpus as frames, where they lie, and the summary."""

    folder: Path
    nodes: pl.DataFrame
    edges: pl.DataFrame
    summary: dict[str, Any]

    def triples(self, *types: str) -> list[tuple[str, str, str]]:
        """Edges of the given types as (source's qualname, type, destination's qualname)."""
        names = dict(zip(self.nodes["node_id"], self.nodes["qualname"], strict=True))
        rows = self.edges.filter(pl.col("type").is_in(types)).select("src", "type", "dst")
        return [(names[src], kind, names[dst]) for src, kind, dst in rows.iter_rows()]


def write_documents(path: Path, files: dict[str, str], answers: dict[str, str] | None = None):
    """A documents table of Python files, and of Q&A rows given as path → answer."""
    rows = [
        {
            "doc_id": digest(SOURCE, name),
            "source": SOURCE,
            "kind": "code",
            "lang": "python",
            "path": name,
            "licence": "MIT",
            "content": text,
            "answer": None,
        }
        for name, text in sorted(files.items())
    ]
    for name, answer in sorted((answers or {}).items()):
        rows.append(
            {
                "doc_id": digest(SOURCE, name),
                "source": SOURCE,
                "kind": "qa",
                "lang": "python",
                "path": name,
                "licence": "MIT",
                "content": f"How do I do it?\n\n{answer}",
                "answer": answer,
            }
        )
    write_table(path, DOCUMENTS, rows)


def extracted(
    folder: Path,
    files: dict[str, str],
    answers: dict[str, str] | None = None,
    *,
    processes: int = 1,
) -> Extracted:
    """Run the stage's pipeline on a small corpus, with its store in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_documents(folder / "documents.arrow", files, answers)
    summary = extract(
        folder / "documents.arrow",
        nodes=folder / "nodes.arrow",
        edges=folder / "edges.arrow",
        processes=processes,
        store_root=folder / "store",
    )
    nodes, edges = (pl.read_ipc(folder / f"{name}.arrow") for name in ("nodes", "edges"))
    return Extracted(folder, nodes, edges, summary)


def killed(span: Span) -> Chunk:
    """Stands in for `extract_span` where the system kills the worker."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError(span)


def piece_of(text: str, path: str = "m.py") -> Piece:
    """The piece of one file."""
    return extract_document(
        Document(digest(SOURCE, path), "code", "python", path, text.encode(), None)
    )


def rows_of(piece: Piece, *types: str) -> list[dict[str, Any]]:
    """Rows of the given types with the type's name instead of its code."""
    rows = [{**row, "type": TYPE_NAMES[row["type"]]} for row in piece.nodes.to_pylist()]
    return [row for row in rows if row["type"] in types]


def qualnames(text: str, *types: str) -> list[str]:
    """Qualified names of a file's nodes in table order."""
    return [row["qualname"] for row in rows_of(piece_of(text), *types)]

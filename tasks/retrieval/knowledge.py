"""The knowledge base of one benchmark: what its conditions search, opened piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from tasks.audit.schema import DENY
from tasks.core.errors import CodeGraftError
from tasks.core.params import Params
from tasks.core.tables import read_frame, read_table
from tasks.embed.schema import ROWS
from tasks.extract.dedent import dedented
from tasks.extract.schema import NODES
from tasks.ingest.schema import DOCUMENTS
from tasks.retrieval.budget import CountTokens
from tasks.retrieval.contents import Contents, Occurrence, allowed_contents
from tasks.retrieval.types import Problem

if TYPE_CHECKING:
    from tasks.embed.embedder import Embedder
    from tasks.embed.index import VectorIndex
    from tasks.graph import Graph

Kind = Literal["Impl", "Block", "Row"]
Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Tables:
    """Where the tables of a knowledge base lie."""

    documents: Path
    nodes: Path
    edges: Path
    rows: Path
    vectors: Path

    @classmethod
    def below(cls, root: Path) -> Tables:
        """The stages' own places below the data folder."""
        return cls(
            documents=root / "ingest" / "documents.arrow",
            nodes=root / "extract" / "nodes.arrow",
            edges=root / "extract" / "edges.arrow",
            rows=root / "embed" / "rows.arrow",
            vectors=root / "embed" / "vectors.arrow",
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class KnowledgeBase:
    """Documents, graph, rows, vectors and embedder, each opened at its first use.

    Nothing of the documents in `denied` is ever retrieved. `count_tokens` counts in the
    generator's tokens. `embedder` is called once, when vectors are first needed.
    """

    tables: Tables
    denied: frozenset[str]
    embedder: Callable[[], Embedder]
    count_tokens: CountTokens
    search: Literal["exact", "ann"] = "exact"
    _contents: dict[Kind, Contents] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def open(
        cls,
        params: Params,
        *,
        benchmark: str,
        count_tokens: CountTokens,
        root: Path = Path("data"),
        models: Path = Path("models"),
    ) -> KnowledgeBase:
        """The knowledge base that the stages wrote, without what the audit denies `benchmark`."""
        deny = root / "audit" / benchmark / "deny.arrow"
        return cls(
            tables=Tables.below(root),
            denied=frozenset(read_frame(deny, DENY)["doc_id"].to_list()),
            embedder=lambda: _open_embedder(params, models),
            count_tokens=count_tokens,
            search=params.embed.search,
        )

    @cached_property
    def graph(self) -> Graph:
        """The graph over all documents; denied ones are the searcher's concern."""
        from tasks.graph import Graph

        return Graph.load(self.tables.documents, self.tables.nodes, self.tables.edges)

    @cached_property
    def index(self) -> VectorIndex:
        """The vectors of all contents; CodeGraftError if another embedder than ours made them."""
        from tasks.embed.index import VectorIndex

        index = VectorIndex.open(self.tables.vectors, search=self.search)
        if index.embedder != self._embedder.id:
            raise CodeGraftError(
                f"the vectors are those of {index.embedder}, the queries' are {self._embedder.id}",
                where=str(self.tables.vectors),
                remedy="run `dvc repro`, which embeds the corpus anew",
            )
        return index

    @cached_property
    def _embedder(self) -> Embedder:
        return self.embedder()

    def query_vectors(self, problems: Sequence[Problem]) -> Vectors:
        """Unit vectors of the prompts, float32 [problems, dim]."""
        return self._embedder.encode([problem.prompt for problem in problems], kind="query")

    def document_vectors(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of texts as the corpus' own are made, float32 [texts, dim]."""
        return self._embedder.encode(list(texts), kind="document")

    def contents(self, kind: Kind) -> Contents:
        """The distinct contents of one kind that may be retrieved.

        Raises CodeGraftError if there is none: an empty search would pass for `none` unnoticed.
        """
        if kind not in self._contents:
            found = allowed_contents(self._occurrences(kind), self.denied)
            if not len(found):
                raise CodeGraftError(
                    f"the knowledge base has no {kind} that may be retrieved",
                    where=str(self.tables.rows if kind == "Row" else self.tables.nodes),
                    remedy="add a source under `ingest.sources`, or leave this condition out",
                )
            self._contents[kind] = found
        return self._contents[kind]

    def _occurrences(self, kind: Kind) -> pl.DataFrame:
        if kind == "Row":
            return read_frame(self.tables.rows, ROWS).with_columns(node_id="content_id")
        return read_frame(self.tables.nodes, NODES).filter(pl.col("type") == kind)

    @cached_property
    def _documents(self) -> tuple[pa.ChunkedArray, dict[str, int]]:
        table = read_table(self.tables.documents, DOCUMENTS)
        return table["content"], {d: i for i, d in enumerate(table["doc_id"].to_pylist())}

    def source(self, doc_id: str) -> bytes:
        """A document's content as UTF-8, which spans count in."""
        column, position = self._documents
        content: bytes = column[position[doc_id]].as_buffer().to_pybytes()
        return content

    def texts(self, occurrences: Sequence[Occurrence], kind: Kind) -> list[str]:
        """The texts as embedded: nodes dedented, rows as they stand. A document is read once."""
        texts = [""] * len(occurrences)
        opened, content = "", b""
        for i in sorted(range(len(occurrences)), key=lambda i: occurrences[i].doc_id):
            place = occurrences[i]
            if place.doc_id != opened:
                opened, content = place.doc_id, self.source(place.doc_id)
            text = content[place.start : place.end]
            if kind != "Row":
                text = dedented(content, place.start, place.end)
            texts[i] = text.decode()
        return texts


def _open_embedder(params: Params, models: Path) -> Embedder:
    from tasks.embed.opening import open_embedder

    return open_embedder(params, models=models)

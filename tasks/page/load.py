"""Everything that a page is made from, read from the stages' outs and joined by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tasks.audit.schema import MATCHES
from tasks.core.params import Params
from tasks.core.tables import join, read_frame
from tasks.execute.schema import EXECUTIONS
from tasks.extract.schema import NODES
from tasks.figures.draw import load_details
from tasks.generate.schema import CANDIDATES, KEY
from tasks.ingest.schema import DOCUMENTS
from tasks.problems.schema import PROBLEMS
from tasks.retrieval.schema import CONTEXTS
from tasks.select.schema import SELECTIONS

VERDICT = [
    "passed",
    "raw_passed",
    "status",
    "error_type",
    "survives_filter",
    "selected_by",
    "context_tokens",
]


@dataclass(frozen=True)
class Tables:
    """One benchmark's and model's results, with text.

    `problems` is in benchmark order. `candidates` has the columns of the candidates table and
    those of problems.csv. `contexts` has, beside its own columns, `source`, `path` and `licence`
    of the document and `qualname` of the node (empty for whole rows). `details` is details.json.
    """

    benchmark: str
    model: str
    details: Mapping[str, Any]
    problems: pl.DataFrame
    candidates: pl.DataFrame
    contexts: pl.DataFrame
    executions: pl.DataFrame
    selections: pl.DataFrame
    matches: pl.DataFrame

    @property
    def solvers(self) -> list[str]:
        """The conditions, in the order of params.yaml."""
        return list(self.details["solvers"])


def load_tables(params: Params, benchmark: str, model: str, *, data: Path, reports: Path) -> Tables:
    """Read the tables of the enabled conditions.

    Raises CodeGraftError if one is missing, or if they do not belong together.
    """
    folder = reports / benchmark / model
    details = load_details(folder)
    cells = [data / "generate" / benchmark / model / solver for solver in params.solvers]
    candidates = pl.concat([read_frame(c / "candidates.arrow", CANDIDATES) for c in cells])
    contexts = pl.concat([read_frame(c / "contexts.arrow", CONTEXTS) for c in cells])
    problems = read_frame(data / "problems" / benchmark / "problems.arrow", PROBLEMS)
    documents = read_frame(data / "ingest" / "documents.arrow", DOCUMENTS)
    nodes = read_frame(data / "extract" / "nodes.arrow", NODES)
    audit = data / "audit" / benchmark

    def table(stage: str, name: str, schema: Any) -> pl.DataFrame:
        return read_frame(data / stage / benchmark / model / name, schema)

    return Tables(
        benchmark=benchmark,
        model=model,
        details=details,
        problems=problems,
        candidates=with_verdicts(candidates, read_verdicts(folder / "problems.csv")),
        contexts=with_origin(contexts, documents, nodes),
        executions=table("execute", "executions.arrow", EXECUTIONS),
        selections=table("select", "selections.arrow", SELECTIONS),
        matches=with_source(read_frame(audit / "matches.arrow", MATCHES), documents),
    )


def read_verdicts(path: Path) -> pl.DataFrame:
    """problems.csv, the columns that the candidates table does not have, and the key."""
    text = dict.fromkeys(("task_id", "condition", "status", "error_type"), pl.String)
    frame = pl.read_csv(
        path, schema_overrides={**text, "sample": pl.Int32, "selected_by": pl.String}
    )
    return frame.select(*KEY, *VERDICT).with_columns(
        pl.col("error_type", "selected_by").fill_null("")
    )


def with_verdicts(candidates: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Candidates with their verdicts; each finds exactly one."""
    return join(candidates, verdicts, on=KEY, cardinality="1:1", where="problems.csv")


def with_origin(
    contexts: pl.DataFrame, documents: pl.DataFrame, nodes: pl.DataFrame
) -> pl.DataFrame:
    """Contexts with where they come from; a whole row is no node and gets no qualname."""
    names = nodes.select("node_id", "qualname").join(
        contexts.select("node_id").unique(), on="node_id", how="semi"
    )
    found = contexts.join(names, on="node_id", how="left", maintain_order="left")
    return with_source(found.with_columns(pl.col("qualname").fill_null("")), documents, path=True)


def with_source(rows: pl.DataFrame, documents: pl.DataFrame, *, path: bool = False) -> pl.DataFrame:
    """Rows that have a doc_id with the source and licence (and path) of the document."""
    columns = ["doc_id", "source", "licence", *(["path"] if path else [])]
    return join(rows, documents.select(columns), on=["doc_id"], cardinality="m:1", where="doc_id")

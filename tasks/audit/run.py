"""The stage: all documents against one benchmark, to the deny-list and what led to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from tasks.audit.compare import matches
from tasks.audit.schema import DENY, MATCHES
from tasks.audit.targets import Targets, targets
from tasks.core.files import write_json
from tasks.core.params import Audit
from tasks.core.progress import Progress
from tasks.core.tables import read_frame, read_table, write_table
from tasks.ingest.schema import DOCUMENTS
from tasks.problems.schema import ANSWERS, PROBLEMS


def audit(*, documents: Path, problems: Path, out: Path, options: Audit) -> dict[str, Any]:
    """Write out/deny.arrow, matches.arrow and summary.json; return the summary.

    `problems` is the folder with problems.arrow and answers.arrow. deny.arrow lists, in the order
    of the documents, each that has a match; it is empty if `options.drop` is false.
    """
    table = read_table(documents, DOCUMENTS)
    wanted = targets(
        read_frame(problems / "problems.arrow", PROBLEMS),
        read_frame(problems / "answers.arrow", ANSWERS),
        ngram=options.ngram,
    )
    rows = list(_rows(table, wanted, overlap=options.overlap))
    matched = list(dict.fromkeys(row["doc_id"] for row in rows))
    denied = matched if options.drop else []
    frame = pl.DataFrame(rows, schema=MATCHES.names)
    summary = {
        "documents": table.num_rows,
        "documents_matched": len(matched),
        "documents_denied": len(denied),
        "problems_matched": frame["task_id"].n_unique(),
        "matches": {
            f"{what}_{how}": len([1 for row in rows if (row["what"], row["how"]) == (what, how)])
            for what, how in (("prompt", "ngram"), ("reference", "ngram"), ("reference", "ast"))
        },
        "short_prompts": wanted.short["prompt"],
        "short_references": wanted.short["reference"],
        "references_without_normal_form": wanted.unparsed,
    }
    write_table(out / "matches.arrow", MATCHES, rows)
    write_table(out / "deny.arrow", DENY, [{"doc_id": doc_id} for doc_id in denied])
    write_json(out / "summary.json", summary)
    return summary


def _rows(table: pa.Table, wanted: Targets, *, overlap: float) -> Iterator[dict[str, Any]]:
    columns = ["doc_id", "path", "kind", "lang", "content", "answer"]
    with Progress("audit", table.num_rows, "documents") as progress:
        for batch in table.select(columns).to_batches(max_chunksize=256):
            for row in batch.to_pylist():
                for match in matches(
                    row["content"],
                    kind=row["kind"],
                    lang=row["lang"],
                    answer=row["answer"],
                    wanted=wanted,
                    overlap=overlap,
                ):
                    yield {"doc_id": row["doc_id"], "path": row["path"], **vars(match)}
                progress.add()

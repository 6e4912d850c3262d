"""Tables of the audit."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

DENY = pa.schema([field("doc_id", pa.string(), "document withheld from retrieval")])

MATCHES = pa.schema(
    [
        field("doc_id", pa.string(), "document that holds a near-copy"),
        field("path", pa.string(), "its path below the source's root"),
        field("task_id", pa.string(), "problem that it holds"),
        field("what", pa.string(), "prompt or reference: which of the problem's texts it is like"),
        field("how", pa.string(), "ngram: shared windows of tokens; ast: same normalised function"),
        field("score", pa.float64(), "share of the shorter side's windows in [0, 1]; 1 for ast"),
    ]
)

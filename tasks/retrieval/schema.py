"""Arrow schema of the retrieved contexts."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

CONTEXTS = pa.schema(
    [
        field("task_id", pa.string(), "problem that the context was retrieved for"),
        field("condition", pa.string(), "retrieval condition, e.g. block-pkg"),
        field("rank", pa.int32(), "0 is the best; a problem without rows got no context"),
        field("node_id", pa.string(), "retrieved node; for whole rows the row's content_id"),
        field("doc_id", pa.string(), "document of the first occurrence that may be retrieved"),
        field("score", pa.float64(), "cosine or BM25 score of the hit before pruning"),
        field("text", pa.string(), "what the model is shown"),
        field("tokens", pa.int32(), "length of text in the generator's tokens"),
        field("pruned", pa.string(), "JSON list of the [start, end) characters removed from full"),
        field("full", pa.string(), "text before pruning, call expansion and token budget"),
        field("cut_tokens", pa.int32(), "tokens removed by the budget at this rank"),
    ]
)

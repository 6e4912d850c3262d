"""The table that selection writes."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

SELECTIONS = pa.schema(
    [
        field("task_id", pa.string(), "problem"),
        field("selector", pa.string(), "selector plugin that chose"),
        field("condition", pa.string(), "condition whose candidate was chosen"),
        field("sample", pa.int32(), "sample number of the chosen candidate"),
        field("score", pa.float64(), "the selector's score of the chosen candidate"),
    ]
)

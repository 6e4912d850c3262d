"""Arrow schema of the grade stage."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

GRADES = pa.schema(
    [
        field("task_id", pa.string(), "problem"),
        field("condition", pa.string(), "solver that made the candidate"),
        field("sample", pa.int32(), "sample number"),
        field("suite", pa.string(), "tests: of the normal form; raw: of the text as written"),
        field("status", pa.string(), "pass, fail, timeout, oom, crash or tampered"),
        field("passed", pa.bool_(), "status is pass"),
        field("error_type", pa.string(), "class name of the uncaught exception, else empty"),
    ]
)

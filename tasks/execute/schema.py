"""Arrow schema of the execute stage."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

EXECUTIONS = pa.schema(
    [
        field("task_id", pa.string(), "problem"),
        field("condition", pa.string(), "solver that made the candidate"),
        field("sample", pa.int32(), "sample number"),
        field("probe", pa.string(), "parse, names or load (SPEC 1.4)"),
        field("status", pa.string(), "pass, fail, timeout, oom, crash or tampered"),
        field("error_type", pa.string(), "class name of the exception, else empty"),
        field("isolation", pa.string(), "what protected the machine; static: nothing was run"),
    ]
)

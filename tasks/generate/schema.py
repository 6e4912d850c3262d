"""Arrow schemas of the generate stage."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

KEY = ["task_id", "condition", "sample"]

CANDIDATES = pa.schema(
    [
        field("task_id", pa.string(), "problem"),
        field("condition", pa.string(), "solver that made the candidate"),
        field("sample", pa.int32(), "sample number, 0-based"),
        field("code", pa.string(), "normal form: what is filtered, selected and graded"),
        field("raw", pa.string(), "the program as the model wrote it"),
        field("completion", pa.string(), "the model's own text, after the reply prefill"),
        field("finish_reason", pa.string(), "stop, length or error"),
        field("logprob_mean", pa.float64(), "mean log-probability of a token", nullable=True),
        field("logprob_sum", pa.float64(), "summed log-probability of the tokens", nullable=True),
        field("tokens_in", pa.int32(), "prompt tokens"),
        field("tokens_out", pa.int32(), "new tokens"),
        field("origin", pa.string(), "replayed from the record, or fresh"),
    ]
)

TRACE = pa.schema(
    [
        field("task_id", pa.string(), "problem"),
        field("condition", pa.string(), "solver"),
        field("step", pa.int32(), "step of the solver on this problem, 0-based"),
        field("action", pa.string(), "retrieve, generate or execute"),
        field("calls", pa.int32(), "calls of retriever, model or sandbox"),
        field("tokens_in", pa.int64(), "prompt tokens of the calls"),
        field("tokens_out", pa.int64(), "new tokens of the calls"),
        field("detail", pa.string(), "JSON object with what else is worth knowing"),
    ]
)

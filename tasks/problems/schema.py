"""Arrow schemas of the problems stage."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

PROBLEMS = pa.schema(
    [
        field("task_id", pa.string(), "problem, e.g. HumanEval/0"),
        field("lang", pa.string(), "language of the solution"),
        field("prompt", pa.string(), "what a solver sees: stub with docstring, never a test"),
        field("entry_point", pa.string(), "name of the function that is asked for"),
        field("signature", pa.string(), "its def line"),
        field("examples", pa.string(), "doctest of the examples that the prompt shows, or empty"),
    ]
)

ANSWERS = pa.schema(
    [
        field("task_id", pa.string(), "problem"),
        field("reference", pa.string(), "a whole program that solves the problem"),
        field("test", pa.string(), "Python source of the benchmark's own tests"),
        field("style", pa.string(), "check: test defines check(candidate); asserts: bare asserts"),
    ]
)

"""A tiny benchmark with known results: four problems, three conditions, one selector.

        none        dense        block-pkg
T/0     pass        pass         pass
T/1     pass        TypeError    pass
T/2     Assertion   pass         pass (but the filter rejects it: names)
T/3     NameError*  SyntaxError* timeout        * the filter rejects them: load and parse
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from tasks.core.files import write_json
from tasks.core.tables import write_table
from tasks.execute.schema import EXECUTIONS
from tasks.generate.schema import CANDIDATES
from tasks.grade.schema import GRADES
from tasks.problems.schema import PROBLEMS
from tasks.report.inputs import Inputs, assemble
from tasks.retrieval.schema import CONTEXTS
from tasks.select.schema import SELECTIONS
from tests.select.pools import candidate, candidates_frame, executions_frame, problems_frame

TASKS = ("T/0", "T/1", "T/2", "T/3")
SOLVERS = ("none", "dense", "block-pkg")
CHOSEN = {"T/0": "none", "T/1": "dense", "T/2": "dense", "T/3": "block-pkg"}
ERRORS = {
    ("T/1", "dense"): "TypeError",
    ("T/2", "none"): "AssertionError",
    ("T/3", "none"): "NameError",
    ("T/3", "dense"): "SyntaxError",
    ("T/3", "block-pkg"): "",
}
FAILING = {
    ("T/2", "block-pkg", 0): "names",
    ("T/3", "none", 0): "load",
    ("T/3", "dense", 0): "parse",
}
# the raw text of none fails where its normal form passes; block-pkg's passes where it fails
RAW_PASSES = {("T/0", "none"): False, ("T/3", "block-pkg"): True}
SHOWN = [("T/0", "dense", 10, 0), ("T/1", "dense", 20, 0), ("T/1", "dense", 30, 8),
            ("T/0", "block-pkg", 4, 0)]  # fmt: skip


def grade(task: str, condition: str, sample: int, *, suite: str, passed: bool) -> dict[str, Any]:
    error = "" if passed else ERRORS.get((task, condition), "AssertionError")
    status = "pass" if passed else ("fail" if error else "timeout")
    return {
        "task_id": task,
        "condition": condition,
        "sample": sample,
        "suite": suite,
        "status": status,
        "passed": passed,
        "error_type": error,
    }


def candidate_rows() -> list[dict[str, Any]]:
    rows = [candidate(task, solver, "x = 1") for solver in SOLVERS for task in TASKS]
    rows[0]["origin"] = "fresh"
    rows[1]["finish_reason"] = "length"
    return rows


def grades_frame() -> pl.DataFrame:
    rows = []
    for solver in SOLVERS:
        for task in TASKS:
            passed = (task, solver) not in ERRORS
            raw = RAW_PASSES.get((task, solver), passed)
            rows.append(grade(task, solver, 0, suite="tests", passed=passed))
            rows.append(grade(task, solver, 0, suite="raw", passed=raw))
    return pl.DataFrame(rows, schema_overrides={"sample": pl.Int32})


def contexts_frame() -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "task_id": t,
                "condition": c,
                "rank": rank,
                "node_id": "n",
                "doc_id": "d",
                "score": 0.5,
                "text": "secret context",
                "tokens": tokens,
                "pruned": "[]",
                "full": "secret context",
                "cut_tokens": cut,
            }
            for rank, (t, c, tokens, cut) in enumerate(SHOWN)
        ]
    )


def selections_frame() -> pl.DataFrame:
    rows = [
        {"task_id": t, "selector": "similarity", "condition": c, "sample": 0, "score": 0.5}
        for t, c in CHOSEN.items()
    ]
    return pl.DataFrame(rows, schema_overrides={"sample": pl.Int32})


def tables() -> dict[str, Any]:
    """Arguments of `assemble`."""
    rows = candidate_rows()
    return {
        "benchmark": "tiny",
        "model": "fake",
        "solvers": SOLVERS,
        "selectors": ("similarity",),
        "problems": problems_frame(dict.fromkeys(TASKS, "do it")),
        "candidates": candidates_frame(rows),
        "contexts": contexts_frame(),
        "executions": executions_frame(rows, FAILING),
        "selections": selections_frame(),
        "grades": grades_frame(),
        "extract": {"nodes": 1000, "edges": 900},
        "audit": {"denied": 2, "by_kind": {"prompt": 1, "reference": 1}},
        "spot_check": {"checked": 8, "identical": 7, "similarity": 0.99, "items": []},
    }


def tiny_inputs(**changed: Any) -> Inputs:
    return assemble(**(tables() | changed))


def write_stages(data: Path) -> None:
    """Write everything that selection and report read, as the stages would."""
    made = tables()
    cell = Path("tiny") / "fake"
    write_table(data / "problems/tiny/problems.arrow", PROBLEMS, made["problems"])
    for solver in SOLVERS:
        mine = pl.col("condition") == solver
        folder = data / "generate" / cell / solver
        write_table(folder / "candidates.arrow", CANDIDATES, made["candidates"].filter(mine))
        write_table(folder / "contexts.arrow", CONTEXTS, made["contexts"].filter(mine))
    for stage, name, schema in (
        ("execute", "executions", EXECUTIONS),
        ("select", "selections", SELECTIONS),
        ("grade", "grades", GRADES),
    ):
        write_table(data / stage / cell / f"{name}.arrow", schema, made[name])
    write_json(data / "extract/summary.json", made["extract"])
    write_json(data / "audit/tiny/summary.json", made["audit"])
    write_json(data / "spotcheck" / cell / "spotcheck.json", made["spot_check"])

"""The three probes of each candidate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tasks.core.params import Execute
from tasks.execute.static import names_error, parse_error
from tasks.sandbox import Job, Limits, Outcome, run_cached

STATIC = "static"


def limits_of(execute: Execute, *, wall_s: float | None = None) -> Limits:
    """The sandbox's limits from `execute`, with another wall time if given."""
    return Limits(
        wall_s=execute.wall_s if wall_s is None else wall_s,
        memory_mb=execute.memory_mb,
        processes=execute.processes,
        output_kb=execute.output_kb,
    )


def probe_candidates(candidates: pl.DataFrame, execute: Execute) -> list[dict[str, Any]]:
    """Rows of the executions table: parse, names and load of each candidate, in their order.

    `candidates` has task_id, condition, sample and code. Equal programs are run once.
    """
    codes = list(dict.fromkeys(candidates["code"]))
    static = {code: _static(code) for code in codes}
    jobs = [Job(key=code, source=code) for code in codes if not static[code]["parse"]]
    loads = run_cached(
        jobs,
        limits=limits_of(execute),
        backend=execute.backend,
        workers=execute.workers,
        stage="execute",
    )
    rows = []
    for row in candidates.iter_rows(named=True):
        code = row.pop("code")
        key = {name: row[name] for name in ("task_id", "condition", "sample")}
        rows += [{**key, **probe} for probe in _probes(static[code], loads.get(code))]
    return rows


def _static(code: str) -> Mapping[str, str]:
    """Errors of the probes that run nothing; a program that does not parse has no good names."""
    parse = parse_error(code)
    return {"parse": parse, "names": parse or names_error(code)}


def _probes(static: Mapping[str, str], load: Outcome | None) -> list[dict[str, str]]:
    rows = [
        {
            "probe": probe,
            "status": "fail" if error else "pass",
            "error_type": error,
            "isolation": STATIC,
        }
        for probe, error in static.items()
    ]
    if load is None:  # does not parse, so does not load
        return [*rows, {**rows[0], "probe": "load"}]
    loaded = {
        "status": load.status,
        "error_type": load.error_type,
        "isolation": load.isolation,
    }
    return [*rows, {"probe": "load", **loaded}]

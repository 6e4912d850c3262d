"""Every figure of a report that is a function of the tables alone, and the headline of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from tasks.core.params import Report
from tasks.report.inputs import Inputs
from tasks.report.outcomes import Outcomes, condition_pass_at_k, survives
from tasks.report.stats import Comparison, Floats, bootstrap_interval, compare, wilson_interval
from tasks.select.pool import FILTER_PROBES

BASELINE = "none"
CUTOFFS = (1, 3, 5, 10, 100)  # the k of pass@k that are reported when there are samples enough


HEADLINE = (
    "benchmark",
    "model",
    "problems",
    "pass@1",
    "selected",
    "oracle",
    "random",
    "candidates_surviving_filter",
    "replayed",
    "fresh",
    "nodes",
    "edges",
)


def build_metrics(inputs: Inputs, outcomes: Outcomes, params: Report) -> dict[str, Any]:
    """All figures, rounded to 6 decimals (p-values to 4 significant digits).

    Shares are in [0, 1]. `vs_none` is empty when the condition `none` was not run.
    """
    table = inputs.candidates
    named = {
        **outcomes.conditions,
        **outcomes.selected,
        "oracle": outcomes.oracle,
        "random": outcomes.random,
    }
    return {
        "benchmark": inputs.benchmark,
        "model": inputs.model,
        "problems": len(inputs.tasks),
        "solvers": list(inputs.solvers),
        "samples": outcomes.samples,
        **_pass_at(inputs, outcomes.samples),
        "selected": {name: mean(values) for name, values in outcomes.selected.items()},
        "oracle": mean(outcomes.oracle),
        "random": mean(outcomes.random),
        "confidence": params.confidence,
        "intervals": {name: _interval(values, params) for name, values in named.items()},
        "vs_none": _comparisons(named, params),
        "candidates": table.height,
        "candidates_surviving_filter": table.filter(survives()).height,
        "filter": _filter(inputs, outcomes),
        "replayed": _count(table, pl.col("origin") == "replayed"),
        "fresh": _count(table, pl.col("origin") == "fresh"),
        "nodes": inputs.extract["nodes"],
        "edges": inputs.extract["edges"],
        "error_types": {solver: _errors(inputs, solver) for solver in inputs.solvers},
        "context": {solver: _context(inputs, solver) for solver in inputs.solvers},
        "tokens": {solver: _tokens(inputs, solver) for solver in inputs.solvers},
        "raw_verdicts": {solver: _raw(inputs, solver) for solver in inputs.solvers},
        "contamination": dict(inputs.audit),
        "spot_check": {k: v for k, v in inputs.spot_check.items() if isinstance(v, int | float)},
    }


def headline(metrics: dict[str, Any]) -> dict[str, Any]:
    """What metrics.json holds: few enough columns for `dvc metrics show` and `dvc exp show`."""
    return {key: metrics[key] for key in HEADLINE}


def mean(values: Floats) -> float:
    """Mean over problems, to 6 decimals."""
    return round(float(np.mean(values)), 6)


def _pass_at(inputs: Inputs, samples: int) -> dict[str, dict[str, float]]:
    return {
        f"pass@{k}": {s: mean(condition_pass_at_k(inputs, s, k)) for s in inputs.solvers}
        for k in CUTOFFS
        if k <= samples
    }


def _interval(values: Floats, params: Report) -> list[float]:
    """Wilson's where each problem is a yes or no, else bootstrapped (see tasks.report.stats)."""
    if np.all((values == 0) | (values == 1)):
        low, high = wilson_interval(int(values.sum()), len(values), confidence=params.confidence)
    else:
        low, high = bootstrap_interval(
            values, confidence=params.confidence, resamples=params.bootstrap, seed=params.seed
        )
    return [round(low, 6), round(high, 6)]


def _comparisons(named: Mapping[str, Floats], params: Report) -> dict[str, dict[str, Any]]:
    if BASELINE not in named:
        return {}
    return {
        name: _rounded(
            compare(
                values,
                named[BASELINE],
                confidence=params.confidence,
                resamples=params.bootstrap,
                seed=params.seed,
            )
        )
        for name, values in named.items()
        if name not in (BASELINE, "oracle", "random")  # both are references, not systems
    }


def _rounded(result: Comparison) -> dict[str, Any]:
    return {
        "difference": round(result.difference, 6),
        "interval": [round(bound, 6) for bound in result.interval],
        "helped": result.helped,
        "hurt": result.hurt,
        "mcnemar_p": float(f"{result.mcnemar_p:.4g}"),
    }


def _filter(inputs: Inputs, outcomes: Outcomes) -> dict[str, Any]:
    """What the filter caught, by condition (2025 paper, tables 8-10), and what it is worth.

    A failing candidate counts under the first probe that it fails; `random` is the expected value
    of a random pick among the candidates that the filter leaves.
    """
    table = inputs.candidates
    by_condition = {}
    for solver in inputs.solvers:
        rows = table.filter(pl.col("condition") == solver)
        counts, left = {}, rows.filter(~pl.col("passed"))
        counts["failing"] = left.height
        for probe in FILTER_PROBES:
            counts[f"caught_by_{probe}"] = _count(left, pl.col(probe) != "pass")
            left = left.filter(pl.col(probe) == "pass")
        counts["passing_rejected"] = _count(rows, pl.col("passed") & ~survives())
        by_condition[solver] = counts
    rescued = table.group_by("task_id").agg(survives().any())
    return {
        "by_condition": by_condition,
        "problems_without_survivor": _count(rescued, ~pl.nth(1)),
        "random": mean(outcomes.random_filtered),
    }


def _errors(inputs: Inputs, condition: str) -> dict[str, int]:
    """Failing candidates by exception name, or by status where no exception tells."""
    rows = inputs.candidates.filter(~pl.col("passed"), pl.col("condition") == condition)
    cause = pl.when(pl.col("error_type") != "").then(pl.col("error_type")).otherwise("status")
    return dict(rows.group_by(cause.alias("cause")).len().sort("cause").iter_rows())


def _context(inputs: Inputs, condition: str) -> dict[str, float]:
    """Mean added tokens a problem (paper, table 9), tokens cut, and problems that got a context."""
    rows = inputs.contexts.filter(pl.col("condition") == condition)
    return {
        "tokens": mean(rows["tokens"].to_numpy().astype(np.float64)),
        "cut_tokens": mean(rows["cut_tokens"].to_numpy().astype(np.float64)),
        "problems_with_context": _count(rows, pl.col("pieces") > 0),
    }


def _tokens(inputs: Inputs, condition: str) -> dict[str, float | int]:
    """Mean prompt and new tokens a candidate, and candidates that hit the length limit."""
    rows = inputs.candidates.filter(pl.col("condition") == condition)
    return {
        "in": mean(rows["tokens_in"].to_numpy().astype(np.float64)),
        "out": mean(rows["tokens_out"].to_numpy().astype(np.float64)),
        "cut_off": _count(rows, pl.col("finish_reason") == "length"),
    }


def _raw(inputs: Inputs, condition: str) -> dict[str, int]:
    """Verdicts that differ between the normal form and the raw text (SPEC 1.4)."""
    rows = inputs.candidates.filter(pl.col("condition") == condition)
    return {
        "only_normal_passes": _count(rows, pl.col("passed") & ~pl.col("raw_passed")),
        "only_raw_passes": _count(rows, ~pl.col("passed") & pl.col("raw_passed")),
    }


def _count(rows: pl.DataFrame, condition: pl.Expr) -> int:
    return rows.filter(condition).height

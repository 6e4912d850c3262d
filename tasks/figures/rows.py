"""What each figure shows, as rows: the input of the charts and of `dvc plots`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

Rows = list[dict[str, Any]]
BASELINE = "none"
SETS = 16  # sets of conditions that are drawn, largest first
ERRORS = 5  # kinds of error that are drawn on their own
OTHER = "other"


def rates(details: Mapping[str, Any]) -> Rows:
    """pass@1 in percent with its interval: conditions, selectors, references."""
    values = {**details["pass@1"], **details["selected"]}
    values |= {name: details[name] for name in ("oracle", "random")}
    rows = []
    for group, names in _groups(details):
        for name in names:
            low, high = details["intervals"][name]
            rows.append(
                {
                    "name": name,
                    "group": "baseline" if name == BASELINE else group,
                    "rate": _percent(values[name]),
                    "low": _percent(low),
                    "high": _percent(high),
                }
            )
    return rows


def effects(details: Mapping[str, Any]) -> Rows:
    """Problems helped (positive) and hurt (negative) against `none`, two rows a system."""
    rows = []
    for group, names in _groups(details):
        for name in names:
            against = details["vs_none"].get(name)
            if against is None:
                continue
            for kind, sign in (("helped", 1), ("hurt", -1)):
                count = against[kind]
                rows.append(
                    {
                        "name": name,
                        "group": group,
                        "kind": kind,
                        "problems": count,
                        "signed": sign * count,
                    }
                )
    return rows


def solved_sets(details: Mapping[str, Any], regions: pl.DataFrame) -> Rows:
    """The largest exclusive sets of conditions, a row a set and condition.

    `set` numbers the sets from 1, largest first; `solves` says whether the condition is in it.
    `regions` is which_solves.csv.
    """
    rows = []
    for number, region in enumerate(regions.head(SETS).iter_rows(named=True), start=1):
        names = [solver for solver in details["solvers"] if region[solver]]
        for solver in details["solvers"]:
            rows.append(
                {
                    "set": number,
                    "problems": region["problems"],
                    "condition": solver,
                    "solves": bool(region[solver]),
                    "members": "+".join(names),
                }
            )
    return rows


def errors(details: Mapping[str, Any]) -> Rows:
    """Failing candidates by kind of error and condition; the rarer kinds are one."""
    counts: Mapping[str, Mapping[str, int]] = details["error_types"]
    totals: dict[str, int] = {}
    for by_kind in counts.values():
        for kind, count in by_kind.items():
            totals[kind] = totals.get(kind, 0) + count
    named = sorted(totals, key=lambda kind: (-totals[kind], kind))
    kept = named if len(named) <= ERRORS + 1 else named[:ERRORS]
    rows = []
    for solver in details["solvers"]:
        found = dict(counts[solver])
        row = {kind: found.pop(kind, 0) for kind in kept}
        if len(kept) < len(named):
            row[OTHER] = sum(found.values())
        rows += [
            {"condition": solver, "error": kind, "rank": rank, "candidates": count}
            for rank, (kind, count) in enumerate(row.items())
        ]
    return rows


def context_tokens(details: Mapping[str, Any], problems: pl.DataFrame) -> Rows:
    """Tokens of retrieved context a problem: quantiles and mean, by condition that retrieves.

    `problems` is problems.csv.
    """
    rows = []
    first = problems.unique(["task_id", "condition"], keep="first", maintain_order=True)
    for solver in details["solvers"]:
        tokens = first.filter(pl.col("condition") == solver)["context_tokens"]
        if not tokens.sum():
            continue
        rows.append(
            {
                "condition": solver,
                **{
                    name: float(tokens.quantile(share, "linear") or 0.0)
                    for name, share in (("min", 0), ("q1", 0.25), ("median", 0.5), ("q3", 0.75))
                },
                "max": float(tokens.quantile(1.0, "linear") or 0.0),
                "mean": round(details["context"][solver]["tokens"], 1),
            }
        )
    return rows


def _groups(details: Mapping[str, Any]) -> Sequence[tuple[str, Sequence[str]]]:
    return (
        ("system", details["solvers"]),
        ("selector", sorted(details["selected"])),
        ("reference", ("oracle", "random")),
    )


def _percent(share: float) -> float:
    return round(100 * share, 2)

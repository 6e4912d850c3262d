"""What happened to each problem, in short: what the list shows and the filters ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.figures.rows import BASELINE
from tasks.page.load import Tables

Row = Mapping[str, Any]


def cause(row: Row) -> str:
    """Why a candidate failed: the exception's name, or the status where none tells; else ""."""
    return "" if row["passed"] else str(row["error_type"] or row["status"])


def by_cell(tables: Tables) -> dict[tuple[str, str], list[Row]]:
    """Candidates by problem and condition, in order of sample."""
    cells: dict[tuple[str, str], list[Row]] = {}
    for row in tables.candidates.sort("sample", maintain_order=True).iter_rows(named=True):
        cells.setdefault((row["task_id"], row["condition"]), []).append(row)
    return cells


def outcomes(tables: Tables) -> list[dict[str, Any]]:
    """One entry a problem, in benchmark order.

    `share` is the part of a condition's candidates that pass, by condition; `errors` its causes of
    failure; `helped` and `hurt` name conditions with a greater and smaller share than `none`;
    `members` the conditions with a passing candidate, joined by "+"; `selected` says of each
    selector right, wrong, or hopeless where no candidate passes.
    """
    cells, chosen = by_cell(tables), _chosen(tables)
    entries = []
    for task, name in tables.problems.select("task_id", "entry_point").iter_rows():
        mine = {solver: cells[task, solver] for solver in tables.solvers}
        share = {
            solver: round(sum(row["passed"] for row in rows) / len(rows), 4)
            for solver, rows in mine.items()
        }
        base = share.get(BASELINE)
        members = [solver for solver in tables.solvers if share[solver] > 0]
        entries.append(
            {
                "id": task,
                "name": name,
                "share": share,
                "errors": {s: sorted({cause(r) for r in rows} - {""}) for s, rows in mine.items()},
                "helped": [s for s in share if base is not None and share[s] > base],
                "hurt": [s for s in share if base is not None and share[s] < base],
                "members": "+".join(members),
                "selected": {
                    selector: _judged(pick, mine, pool=bool(members))
                    for selector, pick in chosen.get(task, {}).items()
                },
            }
        )
    return entries


def _chosen(tables: Tables) -> dict[str, dict[str, Row]]:
    chosen: dict[str, dict[str, Row]] = {}
    for row in tables.selections.iter_rows(named=True):
        chosen.setdefault(row["task_id"], {})[row["selector"]] = row
    return chosen


def _judged(pick: Row, cells: Mapping[str, Sequence[Row]], *, pool: bool) -> str:
    found = next(r for r in cells[pick["condition"]] if r["sample"] == pick["sample"])
    if found["passed"]:
        return "right"
    return "wrong" if pool else "hopeless"

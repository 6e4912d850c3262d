"""Everything about one problem: what the page shows when it is opened."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tasks.figures.rows import BASELINE
from tasks.page.diff import diff_rows
from tasks.page.highlight import runs, units
from tasks.page.load import Tables
from tasks.page.marks import pieces
from tasks.page.outcome import Row, by_cell, cause

SAMPLES = 5  # candidates of a condition that are shown in full


class Texts:
    """The distinct texts of a problem; many candidates are equal."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._index: dict[str, int] = {}

    def add(self, text: str) -> int:
        """The text's number."""
        return self._index.setdefault(text, len(self._index))

    def encoded(self) -> list[list[str]]:
        """Pairs of text and runs, by number."""
        return [[text, runs(text, self._lang)] for text in self._index]


def bodies(tables: Tables) -> Iterator[dict[str, Any]]:
    """One body a problem, in benchmark order."""
    cells = by_cell(tables)
    contexts = _grouped(tables.contexts.sort("rank", maintain_order=True).iter_rows(named=True))
    probes = _grouped(tables.executions.iter_rows(named=True))
    picks = _grouped(tables.selections.iter_rows(named=True))
    matches = _grouped(tables.matches.iter_rows(named=True))
    for problem in tables.problems.iter_rows(named=True):
        task, texts = problem["task_id"], Texts(problem["lang"])
        prompt = texts.add(problem["prompt"])
        base = cells[task, BASELINE] if BASELINE in tables.solvers else []
        conditions = {}
        for solver in tables.solvers:
            rows = cells[task, solver]
            ran = [row for row in probes.get(task, []) if row["condition"] == solver]
            conditions[solver] = {
                "samples": len(rows),
                "passing": sum(row["passed"] for row in rows),
                "contexts": [
                    _context(row, texts)
                    for row in contexts.get(task, [])
                    if row["condition"] == solver
                ],
                "candidates": [
                    _candidate(row, ran, texts, base if solver != BASELINE else [])
                    for row in rows[:SAMPLES]
                ],
            }
        yield {
            "id": task,
            "name": problem["entry_point"],
            "prompt": prompt,
            "conditions": conditions,
            "picks": [
                {key: row[key] for key in ("selector", "condition", "sample", "score")}
                for row in picks.get(task, [])
            ],
            "matches": [
                {key: row[key] for key in ("path", "source", "what", "how", "score")}
                for row in matches.get(task, [])
            ],
            "texts": texts.encoded(),
        }


def _context(row: Row, texts: Texts) -> dict[str, Any]:
    spans = [(int(start), int(end)) for start, end in json.loads(row["pruned"])]
    found = pieces(row["full"], spans, row["text"])
    return {
        **{key: row[key] for key in ("source", "path", "licence", "qualname")},
        "score": round(row["score"], 4),
        "tokens": row["tokens"],
        "cut": row["cut_tokens"],
        "text": texts.add("".join(text for _, text in found)),
        "marks": [[kind, units(text)] for kind, text in found],
    }


def _candidate(row: Row, ran: Sequence[Row], texts: Texts, base: Sequence[Row]) -> dict[str, Any]:
    mine = [probe for probe in ran if probe["sample"] == row["sample"]]
    against = next((b for b in base if b["sample"] == row["sample"]), base[0] if base else None)
    return {
        "sample": row["sample"],
        "text": texts.add(row["code"]),
        "diff": None if against is None else diff_rows(against["code"], row["code"]),
        "base": None if against is None else texts.add(against["code"]),
        "passed": row["passed"],
        "cause": cause(row),
        "raw_passed": row["raw_passed"],
        "as_written": row["code"] == row["raw"],
        "finish": row["finish_reason"],
        "tokens": [row["tokens_in"], row["tokens_out"]],
        "logprob": None if row["logprob_mean"] is None else round(row["logprob_mean"], 4),
        "origin": row["origin"],
        "survives": row["survives_filter"],
        "selected_by": row["selected_by"].split(),
        "probes": [[probe[k] for k in ("probe", "status", "error_type")] for probe in mine],
        "isolation": sorted({probe["isolation"] for probe in mine} - {"static"}),
    }


def _grouped(rows: Iterator[dict[str, Any]]) -> Mapping[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["task_id"], []).append(row)
    return groups

"""Write all files of a report."""

from __future__ import annotations

from pathlib import Path

from tasks.core.files import write_json, write_text
from tasks.core.params import Report
from tasks.report.inputs import Inputs
from tasks.report.markdown import render
from tasks.report.metrics import build_metrics, headline
from tasks.report.outcomes import outcomes_of
from tasks.report.rows import csv_text, problem_rows, which_solves


def write_report(inputs: Inputs, params: Report, folder: Path) -> None:
    """Write problems.csv, which_solves.csv, table.md, details.json and, last, metrics.json.

    Equal inputs give equal bytes; metrics.json present means that the report is complete.
    """
    metrics = build_metrics(inputs, outcomes_of(inputs), params)
    regions = which_solves(inputs)
    write_text(folder / "problems.csv", csv_text(problem_rows(inputs)))
    write_text(folder / "which_solves.csv", csv_text(regions))
    write_text(folder / "table.md", render(metrics, regions))
    write_json(folder / "details.json", metrics)
    write_json(folder / "metrics.json", headline(metrics))

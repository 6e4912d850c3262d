"""reports/sweeps/<name>/: tables, sentences, figures and a page."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from tasks.core.files import write_text
from tasks.sweep.figures import charts
from tasks.sweep.findings import Findings
from tasks.sweep.look import config
from tasks.sweep.markdown import render
from tasks.sweep.page import render_page
from tasks.sweep.table import benchmark_csv, points_csv

FOLDER = Path("reports/sweeps")


def write_report(found: Findings, root: Path) -> Path:
    """Write all files of a sweep's report, in place of an earlier one; returns its folder.

    Equal findings give equal bytes.
    """
    folder = FOLDER / found.plan.name
    if (root / folder).exists():
        shutil.rmtree(root / folder)
    specs = {name: _bare(chart) for name, chart in charts(found).items()}
    for name, spec in specs.items():
        svg = vl_convert.vegalite_to_svg({**spec, "config": config(dark=False)})
        write_text(root / folder / f"{name}.svg", svg)
    write_text(root / folder / "points.csv", points_csv(found))
    if found.final:
        write_text(root / folder / "benchmark.csv", benchmark_csv(found))
    write_text(root / folder / "report.md", render(found, [f"{name}.svg" for name in specs]))
    write_text(root / folder / "index.html", render_page(found, specs))
    return folder


def _bare(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """The chart without Altair's own look."""
    return {key: value for key, value in chart.to_dict().items() if key != "config"}

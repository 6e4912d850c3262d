"""A small chart of all reports: a line each, a point a condition."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import vl_convert

from tasks.figures.charts import DATA, IN_ORDER, NAMES, finished, groups, with_rows
from tasks.figures.palette import Palette, variables
from tasks.figures.rows import Rows
from tasks.overview.gather import Line

AXIS = alt.Axis(**{**NAMES.to_dict(), "labelLimit": 220, "minExtent": 170})
SHOWN = ("baseline", "system")


def points(lines: Sequence[Line]) -> Rows:
    """The rows of the chart: pass@1 of each condition of each report."""
    return [
        {"report": f"{line.benchmark}, {line.model}", **row}
        for line in lines
        for row in line.rates
        if row["group"] in SHOWN
    ]


def chart(palette: Palette) -> alt.TopLevelMixin:
    """pass@1 by report; `none` dark, the retrieval conditions in colour."""
    base = alt.Chart().encode(y=alt.Y("report:N", sort=IN_ORDER, axis=AXIS))
    rate = alt.X("rate:Q", title="pass@1, %", scale=alt.Scale(zero=False, nice=False, padding=14))
    return alt.layer(
        base.mark_rule(color=palette.faint, strokeWidth=2).encode(
            x=alt.X("min(rate):Q", title="pass@1, %"), x2="max(rate):Q"
        ),
        base.mark_point(filled=True, size=75, opacity=0.9).encode(
            x=rate, color=alt.Color("group:N", scale=groups(palette), legend=None)
        ),
        data=alt.NamedData(DATA),
    ).properties(width=420, height=alt.Step(26))


def drawn(lines: Sequence[Line]) -> str:
    """The chart as SVG in the page's colours."""
    palette = variables()
    spec = with_rows(finished(chart(palette), palette), points(lines))
    return str(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]))

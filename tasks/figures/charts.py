"""The charts, as Vega-Lite specifications that do not depend on the data they draw.

Rows appear in the order in which they are given. All text sizes are fixed and the font is one
that vl-convert carries, so that the same rows give the same SVG on any machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import altair as alt

from tasks.figures.palette import Palette
from tasks.figures.rows import Rows

Spec = dict[str, Any]
DATA = "rows"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
STEP = 24  # height of a row
WIDTH = 340
NAMES = alt.Axis(title=None, domain=False, ticks=False, labelPadding=8, minExtent=76)
IN_ORDER: None = None  # sort=None: rows as they come


def finished(chart: Any, palette: Palette) -> Spec:
    """The chart as a dictionary with the common look; its data are to be put in by name."""
    spec: Spec = json.loads(json.dumps(chart.to_dict()))
    spec["config"] = look(palette)
    spec["background"] = palette.paper
    spec["padding"] = {"left": 4, "top": 12, "right": 8, "bottom": 4}
    return spec


def with_rows(spec: Mapping[str, Any], rows: Rows) -> Spec:
    """The chart with its data."""
    return {**spec, "datasets": {DATA: rows}}


def look(palette: Palette) -> Spec:
    """Vega-Lite's configuration shared by all charts."""
    text = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    return {
        "font": FONT,
        "view": {"stroke": None},
        "axis": {
            **text,
            "labelColor": palette.ink,
            "titleColor": palette.muted,
            "gridColor": palette.grid,
            "domainColor": palette.faint,
            "tickColor": palette.faint,
            "labelLimit": 140,
            "titlePadding": 8,
        },
        "header": {**text, "labelColor": palette.ink, "titleColor": palette.muted},
        "legend": {**text, "labelColor": palette.ink, "titleColor": palette.muted},
        "text": {"fontSize": 11, "color": palette.ink},
    }


def rates(palette: Palette) -> alt.TopLevelMixin:
    """pass@1 as points with intervals; a line carries the baseline's value through all rows."""
    base = alt.Chart().encode(
        y=alt.Y("name:N", sort=IN_ORDER, axis=NAMES),
        color=alt.Color("group:N", scale=groups(palette), legend=None),
        tooltip=[
            alt.Tooltip("name:N", title="name"),
            alt.Tooltip("rate:Q", title="pass@1, %", format=".1f"),
            alt.Tooltip("low:Q", title="from", format=".1f"),
            alt.Tooltip("high:Q", title="to", format=".1f"),
        ],
    )
    scale = alt.Scale(zero=False, nice=False, padding=12)
    rate = alt.X("rate:Q", title="pass@1, % of problems", scale=scale)
    baseline = (
        alt.Chart()
        .transform_filter("datum.group == 'baseline'")
        .mark_rule(color=palette.baseline, strokeDash=[2, 3], opacity=0.6)
        .encode(x="rate:Q")
    )
    return alt.layer(
        baseline,
        base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=alt.X("low:Q"), x2="high:Q"),
        base.mark_point(filled=True, size=80, opacity=1).encode(x=rate),
        base.mark_text(dy=-9, fontSize=11).encode(
            x="rate:Q", text=alt.Text("rate:Q", format=".1f")
        ),
        data=alt.NamedData(DATA),
    ).properties(width=WIDTH, height=alt.Step(STEP + 6))


def effects(palette: Palette) -> alt.TopLevelMixin:
    """Helped to the right and hurt to the left of a common axis."""
    kinds = alt.Scale(domain=["helped", "hurt"], range=[palette.helped, palette.hurt])
    base = alt.Chart().encode(
        y=alt.Y("name:N", sort=IN_ORDER, axis=NAMES),
        x=alt.X(
            "signed:Q",
            title="problems hurt ←  against none  → helped",
            axis=alt.Axis(labelExpr="abs(datum.value)", tickMinStep=1, tickCount=8),
            scale=alt.Scale(padding=26, nice=False),
        ),
        tooltip=[
            alt.Tooltip("name:N", title="name"),
            alt.Tooltip("kind:N", title="effect"),
            alt.Tooltip("problems:Q", title="problems"),
        ],
    )
    label = base.encode(text="problems:Q")
    return alt.layer(
        base.mark_bar(size=14, cursor="pointer").encode(
            color=alt.Color("kind:N", scale=kinds, legend=None)
        ),
        label.transform_filter("datum.kind == 'helped'").mark_text(align="left", dx=5),
        label.transform_filter("datum.kind == 'hurt'").mark_text(align="right", dx=-5),
        alt.Chart().mark_rule(color=palette.muted).encode(x=alt.datum(0)),
        data=alt.NamedData(DATA),
    ).properties(width=WIDTH, height=alt.Step(STEP))


def solved_sets(palette: Palette) -> alt.TopLevelMixin:
    """UpSet: how many problems are solved by exactly the conditions whose dots are filled."""
    tooltip = [
        alt.Tooltip("problems:Q", title="problems"),
        alt.Tooltip("members:N", title="solved by exactly"),
    ]
    column = alt.X("set:O", axis=None)
    bars = alt.Chart().encode(
        x=column,
        y=alt.Y(
            "max(problems):Q",
            title="problems",
            stack=None,
            axis=alt.Axis(minExtent=84, tickCount=4, tickMinStep=1, titleX=-34),
            scale=alt.Scale(padding=10, nice=False),
        ),
    )
    grouped = [alt.Tooltip("max(problems):Q", title="problems"), tooltip[1]]
    top = alt.layer(
        bars.mark_bar(size=13, color=palette.system, cursor="pointer").encode(
            tooltip=grouped, detail="members:N"
        ),
        bars.mark_text(dy=-7).encode(text="max(problems):Q"),
    ).properties(width=alt.Step(21), height=130)
    dots = alt.Chart().encode(
        x=column, y=alt.Y("condition:N", sort=IN_ORDER, axis=NAMES), tooltip=tooltip
    )
    bottom = alt.layer(
        dots.transform_filter("datum.solves")
        .mark_line(color=palette.ink, strokeWidth=1.5)
        .encode(detail="set:O"),
        dots.mark_circle(size=95, opacity=1, cursor="pointer").encode(
            color=alt.condition("datum.solves", alt.value(palette.ink), alt.value(palette.grid))
        ),
    ).properties(width=alt.Step(21), height=alt.Step(20))
    both: alt.VConcatChart = alt.vconcat(top, bottom, spacing=6, data=alt.NamedData(DATA))
    shared: alt.TopLevelMixin = both.resolve_scale(x="shared")
    return shared


def errors(palette: Palette) -> alt.TopLevelMixin:
    """Failing candidates by kind of error: a panel a kind, each with its own scale."""
    base = alt.Chart().encode(
        y=alt.Y("condition:N", sort=IN_ORDER, axis=NAMES),
        x=alt.X("candidates:Q", axis=None, scale=alt.Scale(range=[0, 66], nice=False)),
        tooltip=[
            alt.Tooltip("condition:N", title="condition"),
            alt.Tooltip("error:N", title="error"),
            alt.Tooltip("candidates:Q", title="candidates"),
        ],
    )
    panel = alt.layer(
        base.mark_bar(size=12, cursor="pointer").encode(
            color=alt.condition(
                "datum.condition == 'none'", alt.value(palette.reference), alt.value(palette.system)
            )
        ),
        base.mark_text(align="left", dx=4).encode(text="candidates:Q"),
        data=alt.NamedData(DATA),
    ).properties(width=92, height=alt.Step(STEP - 4))
    header = alt.Header(title=None, labelAnchor="start", labelPadding=4)
    order = alt.EncodingSortField("rank", op="min", order="ascending")
    faceted = panel.facet(column=alt.Column("error:N", sort=order, header=header), spacing=14)
    apart: alt.TopLevelMixin = faceted.resolve_scale(x="independent")
    return apart


def context_tokens(palette: Palette) -> alt.TopLevelMixin:
    """Tokens of context a problem: range, middle half, median, and the mean as a number."""
    base = alt.Chart().encode(
        y=alt.Y("condition:N", sort=IN_ORDER, axis=NAMES),
        tooltip=[
            alt.Tooltip("condition:N", title="condition"),
            *(alt.Tooltip(f"{n}:Q", format=".0f") for n in ("min", "q1", "median", "q3", "max")),
            alt.Tooltip("mean:Q", format=".1f"),
        ],
    )
    low = alt.X(
        "min:Q",
        title="tokens of context a problem (number: mean)",
        axis=alt.Axis(tickCount=6),
        scale=alt.Scale(zero=True, nice=False, range=[0, WIDTH - 30]),
    )
    return alt.layer(
        base.mark_rule(color=palette.faint, strokeWidth=2).encode(x=low, x2="max:Q"),
        base.mark_bar(size=12, color=palette.system, opacity=0.5).encode(x="q1:Q", x2="q3:Q"),
        base.mark_tick(size=14, thickness=2.5, color=palette.ink).encode(x="median:Q"),
        base.mark_text(align="left", dx=6).encode(x="max:Q", text=alt.Text("mean:Q", format=".0f")),
        data=alt.NamedData(DATA),
    ).properties(width=WIDTH, height=alt.Step(STEP))


def groups(palette: Palette) -> alt.Scale:
    """The colours of the groups of rows."""
    roles = ("baseline", "system", "selector", "reference")
    return alt.Scale(domain=list(roles), range=[getattr(palette, role) for role in roles])


CHARTS: Mapping[str, Callable[[Palette], Any]] = {
    "pass_at_1": rates,
    "helped_hurt": effects,
    "which_solve": solved_sets,
    "error_types": errors,
    "context_tokens": context_tokens,
}


def specification(name: str, palette: Palette) -> Spec:
    """The chart of this name without data."""
    return finished(CHARTS[name](palette), palette)


def template_path(name: str) -> Path:
    """Where the chart's template for `dvc plots` is."""
    return Path(__file__).parent / "templates" / f"{name}.json"

"""Figures of a sweep as Vega-Lite charts: response curves and parallel coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import altair as alt

from tasks.sweep.findings import Findings
from tasks.sweep.naming import short_keys, slug
from tasks.sweep.values import Value, spell

SERIES_MOST = 8
ORDINAL_MOST = 12
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left",
          "triangle-right"]  # fmt: skip
WIDTH = 620
Row = dict[str, Any]


def rows_of(found: Findings) -> list[Row]:
    """One row a finished point and condition, in percent, for figures and page."""
    short = short_keys(found.plan.keys)
    rows = []
    for place, entry in enumerate(found.points):
        chosen = {short[key]: value for key, value in entry.point.settings}
        for score in entry.scores:
            rows.append({
                "point": place + 1,
                "label": entry.label,
                "values": chosen,
                "condition": score.condition,
                "rate": round(100 * score.rate, 2),
                "low": round(100 * score.interval[0], 2),
                "high": round(100 * score.interval[1], 2),
                "none": None if score.baseline is None else round(100 * score.baseline, 2),
                "tokens": round(score.tokens, 1),
                "best": place == found.best,
            })  # fmt: skip
    return rows


def charts(found: Findings) -> dict[str, alt.TopLevelMixin]:
    """Charts by file stem; a parameter with one value among the finished points has no curve."""
    rows = rows_of(found)
    made: dict[str, alt.TopLevelMixin] = {}
    names = list(short_keys(found.plan.keys).values())
    varied = [name for name in names if len({spell(v) for v in _column(rows, name)}) > 1]
    for name in varied:
        made[f"response-{slug(name)}"] = _response(found, rows, name)
    if len(rows) > 1 and varied:
        made["parallel"] = _parallel(found, rows, varied)
    return made


def _column(rows: Sequence[Row], name: str) -> list[Value]:
    return [row["values"].get(name) for row in rows]


def _numeric(values: Sequence[Value]) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def _ranked(values: Sequence[Value]) -> list[Value]:
    """Distinct values: numbers by size, others in the order in which they came."""
    distinct = list({spell(value): value for value in values}.values())
    return sorted(distinct) if _numeric(distinct) else distinct


def _others(found: Findings, name: str) -> list[str]:
    """What tells the lines of one figure apart: the other parameters, and conditions if several."""
    condition = ["condition"] if len(found.plan.measured) > 1 else []
    return [*condition, *(key for key in short_keys(found.plan.keys).values() if key != name)]


def _series(row: Row, others: Sequence[str]) -> str:
    """The name of a row's line: its value of the only other parameter, or all of them."""
    values = {"condition": row["condition"], **row["values"]}
    if len(others) == 1:
        return spell(values[others[0]]) if others[0] in values else ""
    return ", ".join(f"{key}={spell(values[key])}" for key in others if key in values)


def _response(found: Findings, rows: Sequence[Row], name: str) -> alt.TopLevelMixin:
    """pass@1 over one parameter, one line for each setting of the others."""
    values = _column(rows, name)
    numeric, ranked = _numeric(values), [spell(value) for value in _ranked(values)]
    others = _others(found, name)
    data = [
        {**_flat(row), "x": value if numeric else spell(value), "series": _series(row, others)}
        for row, value in zip(rows, values, strict=True)
    ]
    series = list(dict.fromkeys(item["series"] for item in data))
    told, continuous = len(series) <= SERIES_MOST, numeric and len(ranked) > ORDINAL_MOST
    base = alt.Chart(_data(data)).encode(tooltip=TOOLTIP)
    if continuous:
        base = base.encode(x=alt.X("x:Q", title=name, scale=alt.Scale(zero=False)))
    else:
        x = alt.X(
            "x:O", sort="ascending" if numeric else ranked, title=name, axis=alt.Axis(labelAngle=0)
        )
        base = base.encode(x=x, xOffset=alt.XOffset("series:N", sort=series))
    picked: Any = alt.value(1.0 if told else 0.35)
    if told and len(series) > 1:
        pick = alt.selection_point(name=f"pick_{_name(name)}", fields=["series"], bind="legend")
        base = base.encode(color=_channel(alt.Color, series, others))
        picked = alt.condition(pick, alt.value(1.0), alt.value(0.08))
    domain = _domain(rows)
    y = alt.Y("rate:Q", title=f"pass@1 on {found.plan.dev}, %", scale=domain)
    marks = base.mark_point(filled=True, size=60).encode(y=y, opacity=picked)
    if told and len(series) > 1:
        marks = marks.encode(shape=_channel(alt.Shape, series, others)).add_params(pick)
    span = base.mark_rule(strokeWidth=1.5).encode(
        y=alt.Y("low:Q", scale=domain), y2="high:Q", opacity=picked
    )
    ring = base.transform_filter("datum.best").mark_point(size=220, strokeWidth=2.5).encode(y=y)
    layers = [*_baseline(rows, domain), span, marks, ring]
    if numeric and not continuous and told:
        layers.insert(-2, base.mark_line(strokeWidth=1.5).encode(y=y, opacity=picked))
    chart: alt.TopLevelMixin = alt.layer(*layers).properties(
        width=WIDTH, height=300,
        title={"text": f"pass@1 by {name}", "subtitle": "ring: the best point"},
    )  # fmt: skip
    return chart


def _name(text: str) -> str:
    """Letters, digits and underscores, as Vega wants names."""
    return "".join(letter if letter.isalnum() else "_" for letter in text)


TOOLTIP = [
    alt.Tooltip("label:N", title="point"),
    alt.Tooltip("condition:N"),
    alt.Tooltip("rate:Q", title="pass@1, %"),
    alt.Tooltip("low:Q", title="from"),
    alt.Tooltip("high:Q", title="to"),
    alt.Tooltip("tokens:Q", title="context tokens"),
]


def _data(rows: Sequence[Row]) -> alt.Data:
    return alt.Data(values=list(rows))  # type: ignore[no-untyped-call]


def _flat(row: Row) -> Row:
    return {key: value for key, value in row.items() if key != "values"}


def _channel(kind: type[Any], series: Sequence[str], others: Sequence[str]) -> Any:
    """Colour or shape of a line. Both say the same, so that one legend serves both."""
    columns = max(1, WIDTH // (7 * max(map(len, series)) + 45))
    legend = alt.Legend(
        title=others[0] if len(others) == 1 else None,
        orient="bottom",
        columns=columns,
        labelLimit=WIDTH,
    )
    scale = alt.Scale(domain=list(series))
    if kind is alt.Shape:
        scale = alt.Scale(domain=list(series), range=SHAPES[: len(series)])
    return kind("series:N", sort=list(series), legend=legend, scale=scale)


def _domain(rows: Sequence[Row]) -> alt.Scale:
    """One vertical scale for all curves of the sweep."""
    lows = [row["low"] for row in rows] + [row["none"] for row in rows if row["none"] is not None]
    highs = [row["high"] for row in rows] + [row["none"] for row in rows if row["none"] is not None]
    low, high = 5 * (min(lows) // 5), 5 * -(-max(highs) // 5)
    return alt.Scale(domain=[low, high], nice=False)


def _baseline(rows: Sequence[Row], domain: alt.Scale) -> list[alt.Chart]:
    """A dashed line at `none`, one for each value that it has (one a model)."""
    levels = sorted({row["none"] for row in rows if row["none"] is not None})
    if not levels:
        return []
    base = alt.Chart(_data([{"rate": level} for level in levels])).encode(
        y=alt.Y("rate:Q", scale=domain)
    )
    rule = base.mark_rule(strokeDash=[5, 4], strokeWidth=1.3, color="#808080")
    text = base.mark_text(align="left", baseline="bottom", dx=3, dy=-2, color="#808080").encode(
        x=alt.value(0), text=alt.value("none")
    )
    return [rule, text]


def _parallel(found: Findings, rows: Sequence[Row], names: Sequence[str]) -> alt.TopLevelMixin:
    """A line a point through all parameters, its context tokens and its pass@1."""
    axes: list[tuple[str, list[Value]]] = [(name, _column(rows, name)) for name in names]
    if len(found.plan.measured) > 1:
        axes.insert(0, ("condition", [row["condition"] for row in rows]))
    axes.append(("context tokens", [row["tokens"] for row in rows]))
    axes.append(("pass@1, %", [round(row["rate"], 1) for row in rows]))
    heights = {title: _positions(values) for title, values in axes}
    order = [title for title, _ in axes]
    data = [
        {**_flat(row), "line": place, "axis": title, "at": heights[title][spell(values[place])]}
        for place, row in enumerate(rows)
        for title, values in axes
    ]
    ticks = [
        {"axis": title, "at": at, "text": text}
        for title, values in axes
        for text, at in _ticks(values, heights[title])
    ]
    x = alt.X("axis:N", sort=order, title=None,
              axis=alt.Axis(labelAngle=0, orient="top", domain=False, ticks=False, grid=True,
                            labelFontWeight="bold", labelLimit=180))  # fmt: skip
    y = alt.Y("at:Q", axis=None, scale=alt.Scale(domain=[-0.04, 1.04], nice=False))
    hover = alt.selection_point(name="hover", fields=["line"], on="pointerover")
    shade = alt.Color("rate:Q", legend=None)
    lines = alt.Chart(_data(data)).encode(
        x=x, y=y, detail="line:N", tooltip=TOOLTIP,
        opacity=alt.condition(hover, alt.value(0.85), alt.value(0.08)),
    )  # fmt: skip
    marks = alt.Chart(_data(ticks)).encode(x=x, y=y)
    chart: alt.TopLevelMixin = alt.layer(
        lines.transform_filter("!datum.best").mark_line(strokeWidth=2.5).encode(color=shade)
        .add_params(hover),
        lines.transform_filter("datum.best").mark_line(strokeWidth=5, color=BEST),
        marks.mark_tick(orient="horizontal", thickness=1.5, size=12, color="#808080"),
        # The first text is a rim in the colour of the ground (style `rim`): one can read over it.
        marks.mark_text(align="left", dx=9, fontSize=11, style="rim").encode(text="text:N"),
        marks.mark_text(align="left", dx=9, fontSize=11).encode(text="text:N"),
    ).properties(
        width=WIDTH, height=320,
        title={"text": "All points", "subtitle": SUBTITLE},
    )  # fmt: skip
    return chart


BEST = "#D55E00"
SUBTITLE = "a line a point; stronger colour: higher pass@1; wide: the best by the development set"


def _positions(values: Sequence[Value]) -> Mapping[str, float]:
    """Where each value stands on its axis, 0 to 1: numbers to scale, others evenly."""
    ranked = _ranked(values)
    if len(ranked) == 1:
        return {spell(ranked[0]): 0.5}
    if _numeric(ranked):
        low, high = ranked[0], ranked[-1]
        return {spell(value): round((value - low) / (high - low), 4) for value in ranked}
    return {spell(value): round(place / (len(ranked) - 1), 4) for place, value in enumerate(ranked)}


def _ticks(values: Sequence[Value], heights: Mapping[str, float]) -> list[tuple[str, float]]:
    """Labels of an axis: all values if they are few, else the ends."""
    ranked = [spell(value) for value in _ranked(values)]
    apart = all(heights[second] - heights[first] >= 0.06 for first, second in pairwise(ranked))
    shown = ranked if apart else [ranked[0], ranked[-1]]
    return [(text, heights[text]) for text in shown]

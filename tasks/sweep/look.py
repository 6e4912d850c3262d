"""How figures look on light and on dark ground."""

from __future__ import annotations

from typing import Any

# Okabe and Ito's colours, which colour-blind readers tell apart, and lighter ones of their kind.
LIGHT = {
    "ground": "#ffffff", "ink": "#30363d", "line": "#e3e7eb", "axis": "#b8c0c8",
    "category": ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31",
                 "#7F7F7F"],
    "ramp": ["#c3d2e0", "#0a4a86"],
}  # fmt: skip
DARK = {
    "ground": "#14181d", "ink": "#c9d1d9", "line": "#2a313a", "axis": "#4a545f",
    "category": ["#56B4E9", "#FF9D4D", "#2DC89A", "#E6A3C8", "#F0C24B", "#A9C6FF", "#C9A96A",
                 "#B0B0B0"],
    "ramp": ["#34485e", "#a5d4ff"],
}  # fmt: skip


def config(*, dark: bool) -> dict[str, Any]:
    """Vega-Lite's configuration. Figures bring their ground: they stand on pages of any colour."""
    look: dict[str, Any] = DARK if dark else LIGHT
    ink, line, axis = look["ink"], look["line"], look["axis"]
    return {
        "background": look["ground"],
        "padding": 12,
        "view": {"stroke": None},
        "range": {"category": look["category"], "ramp": look["ramp"]},
        "style": {"rim": {"stroke": look["ground"], "strokeWidth": 4, "fill": look["ground"]}},
        "text": {"color": ink},
        "title": {"anchor": "start", "color": ink, "subtitleColor": ink, "fontSize": 14},
        "axis": {"gridColor": line, "domainColor": axis, "tickColor": axis, "labelColor": ink,
                 "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12},
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12,
                   "titleFontSize": 12},
    }  # fmt: skip

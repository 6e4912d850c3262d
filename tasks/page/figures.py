"""The charts in a page: drawn beforehand, and specified so that a script can make them live."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import vl_convert
from markupsafe import Markup

from tasks.figures.charts import CHARTS, specification, with_rows
from tasks.figures.draw import svg
from tasks.figures.palette import variables
from tasks.figures.rows import Rows


def drawn(data: Mapping[str, Rows]) -> dict[str, Markup]:
    """Each chart as SVG whose colours are the page's CSS variables."""
    return {name: Markup(svg(name, data[name], variables())) for name in CHARTS}


def specified(data: Mapping[str, Rows]) -> dict[str, Any]:
    """Each chart's Vega-Lite specification with its data."""
    return {name: with_rows(specification(name, variables()), data[name]) for name in CHARTS}


SNIPPET = "window.vegaEmbed = vegaEmbed;"


@cache
def library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script."""
    return str(vl_convert.javascript_bundle(SNIPPET))

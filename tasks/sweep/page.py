"""index.html: the sweep's report as one page that opens offline, light and dark."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import vl_convert
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tasks.report.results import interval_text, p_text, percent
from tasks.sweep.findings import Entry, Findings
from tasks.sweep.look import config
from tasks.sweep.markdown import ROLES, sentences
from tasks.sweep.naming import short_keys
from tasks.sweep.values import spell

SNIPPET = "window.vegaEmbed = vegaEmbed;"

TEMPLATES = Path(__file__).parent / "templates"


def render_page(found: Findings, specs: Mapping[str, dict[str, Any]]) -> str:
    """The page with the figures' Vega-Lite specs and everything that draws them."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    plan = found.plan
    return environment.get_template("page.html.j2").render(
        plan=plan,
        keys=list(short_keys(plan.keys).values()),
        sentences=[_inline(text) for text in sentences(found)],
        points=[_row(found, entry, place) for place, entry in enumerate(found.points)],
        final=[(ROLES[role], _row(found, entry, -1)) for role, entry in found.final.items()],
        baseline=_baseline(found),
        several=len(plan.measured) > 1,
        figures=list(specs),
        specs=_script(specs),
        looks=_script({"light": config(dark=False), "dark": config(dark=True)}),
        bundle=vl_convert.javascript_bundle(SNIPPET).replace("</script", "<\\/script"),
    )


def _baseline(found: Findings) -> str:
    """pass@1 of the baseline on the benchmark in percent; "" if it was not run."""
    scores = [score for entry in found.final.values() for score in entry.scores]
    rates = {score.baseline for score in scores if score.baseline is not None}
    return " / ".join(percent(rate) for rate in sorted(rates))


def _inline(markdown: str) -> str:
    """The two marks that the sentences use, as HTML."""
    text = html.escape(markdown)
    for mark, tag in (("**", "strong"), ("`", "code")):
        parts = text.split(mark)
        text = "".join(
            part if place % 2 == 0 else f"<{tag}>{part}</{tag}>" for place, part in enumerate(parts)
        )
    return text


def _script(value: Any) -> str:
    """JSON that may stand in a script element."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True).replace("</", "<\\/")


def _row(found: Findings, entry: Entry, place: int) -> dict[str, Any]:
    chosen = dict(entry.point.settings)
    return {
        "number": place + 1,
        "best": place == found.best,
        "values": [spell(chosen[key]) if key in chosen else "" for key in found.plan.keys],
        "reason": entry.reason,
        "experiment": entry.experiment,
        "seconds": entry.seconds,
        "scores": [
            {
                "condition": score.condition,
                "rate": percent(score.rate),
                "interval": interval_text(score.interval),
                "low": 100 * score.interval[0],
                "high": 100 * score.interval[1],
                "at": 100 * score.rate,
                "difference": "" if score.difference is None else f"{100 * score.difference:+.1f}",
                "helped": "" if score.helped is None else score.helped,
                "hurt": "" if score.hurt is None else score.hurt,
                "p": "" if score.p is None else p_text(score.p),
                "tokens": f"{score.tokens:.0f}",
            }
            for score in entry.scores
        ],
    }

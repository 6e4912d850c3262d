"""The same charts as templates for `dvc plots`, which puts several revisions side by side."""

from __future__ import annotations

from typing import Any

from tasks.core.files import write_json
from tasks.figures.charts import CHARTS, Spec, specification, template_path
from tasks.figures.palette import LIGHT

TITLE = "<DVC_METRIC_TITLE>"
ANCHOR = "<DVC_METRIC_DATA>"  # DVC puts the rows here, each with its revision as `rev`
INDEPENDENT = {"scale": {"x": "independent"}}
REVISION = {"field": "rev", "type": "nominal", "title": None, "sort": None}


def template(name: str) -> Spec:
    """The chart of this name with DVC's anchor for its data and a panel for each revision."""
    spec = specification(name, LIGHT)
    del spec["$schema"]  # DVC's page brings an older Vega-Lite, which draws these just as well
    common = {key: spec.pop(key) for key in ("config", "background", "padding")}
    del spec["data"]
    title = {"text": TITLE, "anchor": "start"}
    return {"data": {"values": ANCHOR}, "title": title, **common, **_by_revision(spec)}


def write_templates() -> None:
    """Write all templates beside this package's code, where dvc.yaml finds them."""
    for name in CHARTS:
        write_json(template_path(name), template(name))


def _by_revision(spec: Spec) -> Spec:
    if "vconcat" in spec:  # a concatenation cannot be a panel, but its parts can have panels
        headers = (REVISION, {**REVISION, "header": None})
        parts: list[Any] = [
            {"facet": {"column": column}, "spec": part, "resolve": INDEPENDENT}
            for column, part in zip(headers, spec["vconcat"], strict=True)
        ]
        return {"vconcat": parts, "spacing": spec["spacing"]}
    if "facet" in spec:
        return {**spec, "facet": {**spec["facet"], "row": REVISION}}
    return {"facet": {"row": REVISION}, "spec": spec}

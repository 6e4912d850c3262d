"""From a report's files to rows, and from a chart to bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import vl_convert

from tasks.core.errors import CodeGraftError
from tasks.core.files import atomic_path, read_json, write_json, write_text
from tasks.figures import rows
from tasks.figures.charts import CHARTS, specification, with_rows
from tasks.figures.palette import LIGHT, Palette
from tasks.figures.rows import Rows

AS_PNG = ("pass_at_1", "which_solve")  # those that the README shows
PNG_SCALE = 2.0


def load_details(folder: Path) -> dict[str, Any]:
    """details.json of a report's folder; raises CodeGraftError if it is not a report's."""
    path = folder / "details.json"
    try:
        details: dict[str, Any] = read_json(path)
        details["benchmark"], details["solvers"]
    except FileNotFoundError:
        raise CodeGraftError("no report yet", where=str(path), remedy="run `dvc repro`") from None
    except (ValueError, KeyError, TypeError) as error:
        raise CodeGraftError(
            f"not a report: {error!r}",
            where=str(path),
            remedy="delete its folder and run `dvc repro`",
        ) from error
    return details


def load_rows(folder: Path) -> dict[str, Rows]:
    """The rows of every chart, by the chart's name, from a report's folder."""
    details = load_details(folder)
    regions = pl.read_csv(folder / "which_solves.csv", schema_overrides={"task_ids": pl.String})
    problems = pl.read_csv(
        folder / "problems.csv",
        columns=["task_id", "condition", "context_tokens"],
        schema_overrides={"task_id": pl.String},
    )
    return {
        "pass_at_1": rows.rates(details),
        "helped_hurt": rows.effects(details),
        "which_solve": rows.solved_sets(details, regions),
        "error_types": rows.errors(details),
        "context_tokens": rows.context_tokens(details, problems),
    }


def svg(name: str, data: Rows, palette: Palette) -> str:
    """The chart drawn as SVG; equal rows give equal text."""
    spec = with_rows(specification(name, palette), data)
    return str(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]))


def write_figures(folder: Path, data: Mapping[str, Rows]) -> None:
    """Write figures/*.svg and *.png and, for `dvc plots`, plots/*.json below a report's folder."""
    for name in CHARTS:
        drawn = svg(name, data[name], LIGHT)
        write_text(folder / "figures" / f"{name}.svg", drawn + "\n")
        if name in AS_PNG:
            with atomic_path(folder / "figures" / f"{name}.png") as path:
                path.write_bytes(vl_convert.svg_to_png(drawn, scale=PNG_SCALE))
        write_json(folder / "plots" / f"{name}.json", data[name])

"""Print the result tables of all finished reports, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json
from tasks.report.results import Row, result_rows

WIDTH = 80


def show(folder: Path, console: Console | None = None) -> int:
    """Print every report below `folder`; return how many there are.

    Colours and lines appear on a terminal only. Raises CodeGraftError for a details.json that is
    not a report's.
    """
    out = console or Console()
    out = out if out.width <= WIDTH else Console(file=out.file, width=WIDTH)
    found = sorted(folder.glob("*/*/details.json"))
    for path in found:
        try:
            metrics = read_json(path)
            table = _table(metrics, plain=not out.is_terminal)
        except (KeyError, TypeError, ValueError) as error:
            raise CodeGraftError(
                f"not a report: {error!r}",
                where=str(path),
                remedy="delete its folder and run `dvc repro`",
            ) from error
        out.print(table)
        _line(out, _summary(metrics))
        _line(out, f"Report: {path.parent / 'table.md'}")
        if (page := path.parent / "page.html").is_file():
            _line(out, f"Page: {page}")
        _line(out, "")
    if (index := folder / "index.html").is_file():
        _line(out, f"All reports, to open in a browser: {index}")
    if not found:
        _line(out, f"No report yet in {folder}/. `make repro` makes one.")
    return len(found)


def _line(out: Console, text: str) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def _table(metrics: Mapping[str, Any], *, plain: bool) -> Table:
    title = f"{metrics['benchmark']}, {metrics['model']}: {metrics['problems']} problems"
    table = Table(
        title=title, title_justify="left", box=box.ASCII2 if plain else box.SIMPLE, padding=(0, 0)
    )
    level = f"{100 * metrics['confidence']:g}% interval"
    table.add_column("")
    for name in ("solved", "pass@1", level, "vs none", "helped", "hurt", "p", "tokens"):
        table.add_column(name, justify="right", no_wrap=True)
    group = "condition"
    for row in result_rows(metrics):
        if row.group != group:
            table.add_section()
            group = row.group
        table.add_row(*_cells(row))
    return table


def _cells(row: Row) -> tuple[str, ...]:
    return (row.name, row.solved, row.rate, row.interval, row.difference, row.helped, row.hurt,
            row.p, row.tokens)  # fmt: skip


def _summary(metrics: Mapping[str, Any]) -> str:
    spot = metrics["spot_check"]
    text = f"Generations: {metrics['replayed']} replayed, {metrics['fresh']} fresh"
    if spot.get("checked"):
        text += f"; spot check: {spot['identical']} of {spot['checked']} identical"
    return text + "."

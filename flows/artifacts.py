"""What a run shows in Prefect's UI besides states and logs."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect.artifacts import (
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)

from flows.outcomes import Outcome
from flows.progress import Meter, clock

_UPDATE_S = 2.0
_MAX_FIGURE_BYTES = 400_000
_IMAGE_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}


def key_of(*parts: str) -> str:
    """An artifact's key: lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")


class ProgressBar:
    """One stage's bar: made with its first event, then moved at most every two seconds."""

    def __init__(self, stage: str) -> None:
        self._stage, self._meter = stage, Meter()
        self._artifact: UUID | None = None
        self._sent = 0.0

    def on_event(self, event: dict[str, Any]) -> Meter:
        """Take in an event; the meter tells where the stage is."""
        self._meter.update(event)
        if time.monotonic() - self._sent >= _UPDATE_S:
            self._send(self._meter.percent, str(self._meter))
        return self._meter

    def finish(self, outcome: Outcome) -> None:
        """Leave the bar full if the stage completed, else where it stopped and with the reason."""
        if self._artifact is None:
            return
        if outcome.kind == "Completed":
            count = f"{self._meter.total:,} {self._meter.unit}"
            self._send(100.0, f"{self._stage}: {count} in {clock(outcome.seconds)}")
        else:
            self._send(self._meter.percent, f"{self._meter}. {outcome.kind}: {outcome.reason}")

    def _send(self, percent: float, text: str) -> None:
        self._sent = time.monotonic()
        if self._artifact is None:
            key = key_of("progress", self._stage)
            made = create_progress_artifact(percent, key=key, description=text)
            assert isinstance(made, UUID)  # a coroutine only where an event loop runs
            self._artifact = made
        else:
            update_progress_artifact(self._artifact, percent, description=text)


def stage_table(outcomes: Iterable[Outcome]) -> None:
    """The states of all stages of a run as one table."""
    rows = [
        {"stage": o.stage, "state": o.kind, "seconds": f"{o.seconds:.1f}", "why": o.reason}
        for o in outcomes
    ]
    create_table_artifact(rows, key="stages", description="What became of each stage")


def report_artifacts(root: Path, folder: Path) -> None:
    """The result table of `reports/<benchmark>/<model>`, a link to its page, and its figures.

    What is not there is left out: the page and the figures are made by stages of their own.
    """
    name = (folder.parent.name, folder.name)
    title = ", ".join(name)
    if (table := root / folder / "table.md").is_file():
        text = table.read_text(encoding="utf-8")
        create_markdown_artifact(
            text, key=key_of("results", *name), description=f"Results: {title}"
        )
    for page, key, said in (
        (root / folder / "page.html", key_of("page", *name), f"Report page: {title}"),
        (root / "reports/index.html", "page-index", "All reports"),
    ):
        if page.is_file():
            uri = page.resolve().as_uri()
            create_link_artifact(uri, link_text=str(page), key=key, description=said)
    if figures := figures_markdown(root / folder / "figures"):
        create_markdown_artifact(
            figures, key=key_of("figures", *name), description=f"Figures: {title}"
        )


def figures_markdown(folder: Path) -> str:
    """The small SVG and PNG files of a folder, one of each name, as images inside Markdown."""
    parts: dict[str, str] = {}
    for path in sorted(folder.glob("*"), key=lambda path: (path.stem, path.suffix != ".svg")):
        kind = _IMAGE_TYPES.get(path.suffix)
        if kind and path.stem not in parts and path.stat().st_size <= _MAX_FIGURE_BYTES:
            data = base64.b64encode(path.read_bytes()).decode("ascii")
            label = path.stem.replace("_", " ")
            parts[path.stem] = f"## {label}\n\n![{label}](data:{kind};base64,{data})"
    return "\n\n".join(parts.values())

"""`python -m tasks.overview` writes reports/index.html, a page over all finished reports."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from tasks.core.errors import run_stage
from tasks.core.files import write_text
from tasks.overview.chart import drawn
from tasks.overview.gather import gather
from tasks.page.render import render, script

REPORTS = Path("reports")


def overview(folder: Path) -> str:
    """The HTML of the page over the reports below `folder`."""
    conditions, lines = gather(folder)
    count = "One report" if len(lines) == 1 else f"{len(lines) or 'No'} reports"
    return render(
        "index.html.j2",
        [script(["dom", "theme", "start"])],
        folder=Path(__file__).parent / "templates",
        lead=f"{count}, {len(conditions)} conditions." if lines else "No report yet.",
        conditions=conditions,
        lines=lines,
        chart=Markup(drawn(lines)) if lines else "",
    )


def main() -> None:
    """Write the page."""
    write_text(REPORTS / "index.html", overview(REPORTS))


if __name__ == "__main__":
    run_stage(main)

"""`python -m tasks.figures BENCHMARK MODEL` draws a report; `... templates` serves `dvc plots`."""

from __future__ import annotations

import sys
from pathlib import Path

from tasks.core.errors import CodeGraftError, run_stage
from tasks.figures.draw import load_rows, write_figures
from tasks.figures.templates import write_templates


def main() -> None:
    """Draw one report's figures, or write the templates that dvc.yaml names."""
    if sys.argv[1:] == ["templates"]:
        write_templates()
        return
    if len(sys.argv) != 3:
        raise CodeGraftError("usage: python -m tasks.figures BENCHMARK MODEL | templates")
    folder = Path("reports", *sys.argv[1:])
    write_figures(folder, load_rows(folder))


if __name__ == "__main__":
    run_stage(main)

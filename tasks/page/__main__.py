"""`python -m tasks.page BENCHMARK MODEL` writes reports/BENCHMARK/MODEL/page.html."""

from __future__ import annotations

import sys
from pathlib import Path

from tasks.core.errors import CodeGraftError, run_stage
from tasks.core.files import write_json, write_text
from tasks.core.params import load_params
from tasks.figures.draw import load_rows
from tasks.page.assemble import page
from tasks.page.headline import headline
from tasks.page.load import load_tables
from tasks.page.made import costs_of, made_from

DATA, MODELS, REPORTS = Path("data"), Path("models"), Path("reports")


def main() -> None:
    """Write the page, and the card by which the overview knows it."""
    if len(sys.argv) != 3:
        raise CodeGraftError("usage: python -m tasks.page BENCHMARK MODEL")
    benchmark, model = sys.argv[1:]
    params = load_params()
    folder = REPORTS / benchmark / model
    tables = load_tables(params, benchmark, model, data=DATA, reports=REPORTS)
    made = made_from(params, benchmark, model, data=DATA, models=MODELS, reports=REPORTS)
    costs = costs_of(tables.details, folder, data=DATA, bench=REPORTS / "bench.json")
    write_text(folder / "page.html", page(tables, load_rows(folder), costs, made))
    card = {"benchmark": benchmark, "model": model, "headline": headline(tables.details)}
    write_json(DATA / "page" / benchmark / model / "card.json", card)


if __name__ == "__main__":
    run_stage(main)

"""The result table as rows of text, shared by table.md and the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One line of the result table; a cell that does not apply is empty.

    `group` is condition, selector or reference. `solved` is n/N, `rate` and `interval` are in
    percent, `difference` in percentage points against `none`, `tokens` the mean added context.
    """

    group: str
    name: str
    solved: str
    rate: str
    interval: str
    difference: str = ""
    difference_interval: str = ""
    helped: str = ""
    hurt: str = ""
    p: str = ""
    tokens: str = ""


def result_rows(metrics: Mapping[str, Any]) -> list[Row]:
    """Rows in the order conditions, selectors, references; conditions as enabled."""
    solved, chosen = metrics["pass@1"], metrics["selected"]
    conditions = [_row(metrics, "condition", name, solved) for name in metrics["solvers"]]
    selectors = [_row(metrics, "selector", name, chosen) for name in sorted(chosen)]
    references = [_row(metrics, "reference", name, metrics) for name in ("oracle", "random")]
    return conditions + selectors + references


def percent(share: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * share:.1f}"


def interval_text(bounds: tuple[float, float] | list[float], *, signed: bool = False) -> str:
    """Two shares as `low to high` in percent."""
    sign = "+" if signed else ""
    low, high = (f"{100 * bound:{sign}.1f}" for bound in bounds)
    return f"{low} to {high}"


def p_text(p: float) -> str:
    """A p-value: three decimals, or a bound where they would read 0.000."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _row(metrics: Mapping[str, Any], group: str, name: str, values: Mapping[str, Any]) -> Row:
    rate, total = values[name], metrics["problems"]
    solved = rate * total  # an expected count where it is not whole
    against = metrics["vs_none"].get(name)
    count = f"{solved:.0f}" if abs(solved - round(solved)) < 1e-3 else f"{solved:.1f}"
    context = metrics["context"].get(name) if group == "condition" else None
    row = Row(
        group=group,
        name=name,
        solved=f"{count}/{total}",
        rate=percent(rate),
        interval=interval_text(metrics["intervals"][name]),
        tokens=f"{context['tokens']:.0f}" if context else "",
    )
    if against is None:
        return row
    return Row(
        **{
            **vars(row),
            "difference": f"{100 * against['difference']:+.1f}",
            "difference_interval": interval_text(against["interval"], signed=True),
            "helped": str(against["helped"]),
            "hurt": str(against["hurt"]),
            "p": p_text(against["mcnemar_p"]),
        }
    )

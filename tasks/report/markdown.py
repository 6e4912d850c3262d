"""table.md: the results as a page to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tasks.report.results import Row, percent, result_rows

PAPER_ERRORS = ("AssertionError", "NameError", "TypeError", "SyntaxError", "IndentationError")
Section = Callable[[Mapping[str, Any]], str]


def render(metrics: Mapping[str, Any], solved_by: Sequence[Mapping[str, Any]]) -> str:
    """The whole page; `solved_by` are the rows of which_solves.csv."""
    sections: tuple[Section, ...] = (_results, _errors, _filter, _conditions, _provenance)
    parts = [section(metrics) for section in sections]
    parts.insert(2, _solves(metrics, solved_by))
    return "\n\n".join(parts) + "\n"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; the first column is left-aligned, the others right."""
    lines = [list(header), ["---", *["---:"] * (len(header) - 1)]]
    lines += [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _results(metrics: Mapping[str, Any]) -> str:
    level = f"{100 * metrics['confidence']:g}% interval"
    header = ("", "solved", "pass@1, %", level, "vs none", level, "helped", "hurt",
              "McNemar p", "context tokens")  # fmt: skip
    rows = [
        (_label(r), r.solved, r.rate, r.interval, r.difference, r.difference_interval,
         r.helped, r.hurt, r.p, r.tokens)
        for r in result_rows(metrics)
    ]  # fmt: skip
    further = [key for key in metrics if key.startswith("pass@") and key != "pass@1"]
    parts = [f"# {metrics['benchmark']}, {metrics['model']}", table(header, rows)]
    if further:
        lines = [[s, *(percent(metrics[k][s]) for k in further)] for s in metrics["solvers"]]
        parts.append(table(["", *further], lines))
    parts.append(
        f"{metrics['problems']} problems, {metrics['samples']} sample(s) each. Solved: problems, "
        "or their expected number. Helped and hurt: problems that fare better and worse than under "
        "`none`. Intervals: Wilson's for shares of problems, else bootstrapped over problems; "
        "differences over pairs. p: exact McNemar, not corrected for the number of comparisons. "
        "`oracle` counts a problem as solved if any candidate passes, `random` is the expected "
        "value of a random pick over the same pool; neither is a system."
    )
    return "\n\n".join(parts)


def _label(row: Row) -> str:
    return row.name if row.group == "condition" else f"{row.name} ({row.group})"


def _errors(metrics: Mapping[str, Any]) -> str:
    rows = []
    for solver in metrics["solvers"]:
        causes = dict(metrics["error_types"][solver])
        named = [causes.pop(name, 0) for name in PAPER_ERRORS]
        timeouts = causes.pop("timeout", 0)
        rows.append((solver, *named, timeouts, sum(causes.values())))
    names = [name.removesuffix("Error") for name in PAPER_ERRORS]
    return "## Failing candidates by error\n\n" + table(["", *names, "timeout", "other"], rows)


def _solves(metrics: Mapping[str, Any], solved_by: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for region in solved_by[:10]:
        names = [solver for solver in metrics["solvers"] if region[solver]]
        rows.append((", ".join(names) or "(none of them)", region["problems"]))
    head = "## Which conditions solve which problems\n\n"
    more = len(solved_by) - len(rows)
    tail = f"\n\nwhich_solves.csv has {more} smaller sets and the problems." if more else ""
    return head + table(["solved by exactly", "problems"], rows) + tail


def _filter(metrics: Mapping[str, Any]) -> str:
    found = metrics["filter"]
    keys = ("failing", "caught_by_parse", "caught_by_names", "caught_by_load", "passing_rejected")
    rows = [[s, *(found["by_condition"][s][key] for key in keys)] for s in metrics["solvers"]]
    header = ["", "failing", "caught: parse", "names", "load", "passing but rejected"]
    return (
        "## What the filter catches\n\n"
        + table(header, rows)
        + f"\n\n{metrics['candidates_surviving_filter']} of {metrics['candidates']} candidates "
        f"survive; {found['problems_without_survivor']} problems have no survivor. A random pick "
        f"solves {percent(metrics['random'])}% before the filter and {percent(found['random'])}% "
        "after it."
    )


def _conditions(metrics: Mapping[str, Any]) -> str:
    rows = []
    for solver in metrics["solvers"]:
        context, tokens = metrics["context"][solver], metrics["tokens"][solver]
        raw = metrics["raw_verdicts"][solver]
        rows.append(
            (
                solver,
                context["problems_with_context"],
                f"{context['tokens']:.0f}",
                f"{context['cut_tokens']:.0f}",
                f"{tokens['in']:.0f}",
                f"{tokens['out']:.0f}",
                tokens["cut_off"],
                raw["only_normal_passes"],
                raw["only_raw_passes"],
            )
        )
    header = ("", "with context", "context tokens", "cut by budget", "prompt tokens", "new tokens",
              "stopped at limit", "only normal form passes", "only raw text passes")  # fmt: skip
    return "## Context, tokens and normal form\n\n" + table(header, rows)


def _provenance(metrics: Mapping[str, Any]) -> str:
    spot, audit = metrics["spot_check"], metrics["contamination"]
    lines = [
        f"Generations: {metrics['replayed']} replayed from the record, {metrics['fresh']} fresh.",
        f"Graph: {metrics['nodes']:,} nodes, {metrics['edges']:,} edges.",
    ]
    for title, figures in (("Spot check", spot), ("Contamination audit", audit)):
        text = ", ".join(f"{k.replace('_', ' ')} {_flat(v)}" for k, v in sorted(figures.items()))
        lines.append(f"{title}: {text or 'nothing to report'}.")
    return "## Where it comes from\n\n" + "\n".join(f"- {line}" for line in lines)


def _flat(value: object) -> str:
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{k} {_flat(v)}" for k, v in sorted(value.items())) + ")"
    return str(value)

"""A page from tables: every value that its template shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from tasks.figures.rows import BASELINE, SETS, Rows
from tasks.page.bodies import bodies
from tasks.page.costs import Costs
from tasks.page.figures import drawn, library, specified
from tasks.page.headline import headline
from tasks.page.load import Tables
from tasks.page.outcome import outcomes
from tasks.page.pack import packed, safe_json
from tasks.page.render import render, script
from tasks.report.results import percent, result_rows

Values = dict[str, Any]
PROBES = ("parse", "names", "load")


def page(tables: Tables, data: Mapping[str, Rows], costs: Costs, made: Values) -> str:
    """The whole HTML; `data` are the charts' rows and `made` says what the page was made from."""
    details, entries = tables.details, outcomes(tables)
    facts = {
        "solvers": tables.solvers,
        "selectors": sorted(details["selected"]),
        "problems": entries,
        "charts": specified(data),
    }
    return render(
        "page.html.j2",
        [script(), library(), script(["live"])],
        benchmark=tables.benchmark,
        model=tables.model,
        headline=headline(details),
        numbers=_numbers(details),
        charts=drawn(data),
        level=f"{100 * details['confidence']:g}%",
        samples=details["samples"],
        rows=result_rows(details),
        changed=_changed(tables.solvers, entries),
        more_sets=_more_sets(entries),
        set_facts=_set_facts(entries),
        costs=costs,
        facts=Markup(safe_json(facts)),
        bodies=Markup(packed(list(bodies(tables)))),
        **_filter(details),
        **_audit(tables),
        **made,
    )


def _numbers(details: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = [
        ("problems", f"{details['problems']:,}"),
        ("conditions", str(len(details["solvers"]))),
        ("candidates", f"{details['candidates']:,}"),
    ]
    rows += [(f"selected by {s}", f"{percent(v)}%") for s, v in sorted(details["selected"].items())]
    rows += [("oracle", f"{percent(details['oracle'])}%")]
    return [*rows, ("graph", f"{details['nodes']:,} nodes")]


def _changed(
    solvers: Sequence[str], entries: Sequence[Mapping[str, Any]]
) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    found = []
    for solver in solvers:
        sides = [(k, [e["id"] for e in entries if solver in e[k]]) for k in ("helped", "hurt")]
        if any(tasks for _, tasks in sides):
            found.append((solver, sides))
    return found


def _more_sets(entries: Sequence[Mapping[str, Any]]) -> str:
    sizes: dict[str, int] = {}
    for entry in entries:
        sizes[entry["members"]] = sizes.get(entry["members"], 0) + 1
    rest = sorted(sizes.values(), reverse=True)[SETS:]
    if not rest:
        return ""
    return f" {len(rest)} smaller sets with {sum(rest)} problems are not drawn."


def _set_facts(entries: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """A sentence in pieces of text and, where one is a link, the filter that it leads to."""
    nobody = sum(not entry["members"] for entry in entries)
    everybody = sum(all(entry["share"].values()) for entry in entries)
    alone = sum(entry["members"] == BASELINE for entry in entries)
    without = sum(entry["members"] != "" and entry["share"].get(BASELINE) == 0 for entry in entries)
    facts = [
        (f"{nobody} problems", "solved=nobody"),
        (" are solved by no condition and ", ""),
        (str(everybody), "solved=everybody"),
        (" by all", ""),
    ]
    if any(BASELINE in entry["share"] for entry in entries):
        facts += [
            ("; ", ""),
            (f"{alone}", f"exactly={BASELINE}"),
            (f" only without retrieval and {without} only with it", ""),
        ]
    return [*facts, (".", "")]


def _filter(details: Mapping[str, Any]) -> Values:
    found = details["filter"]
    keys = ("failing", *(f"caught_by_{probe}" for probe in PROBES), "passing_rejected")
    note = (
        "The selection's filter rejects candidates that do not parse, use names that do not exist "
        "or do not load; the benchmark's tests are not part of it. "
        f"{details['candidates_surviving_filter']:,} of {details['candidates']:,} candidates "
        f"survive. A random pick solves {percent(details['random'])}% before the filter and "
        f"{percent(found['random'])}% after it."
    )
    tokens = []
    for solver in details["solvers"]:
        context, spent = details["context"][solver], details["tokens"][solver]
        tokens.append((solver, context["problems_with_context"], f"{context['tokens']:.0f}",
                       f"{context['cut_tokens']:.0f}", f"{spent['in']:.0f}", f"{spent['out']:.0f}",
                       spent["cut_off"]))  # fmt: skip
    return {
        "filter_rows": [
            (solver, *(found["by_condition"][solver][key] for key in keys))
            for solver in details["solvers"]
        ],
        "filter_note": note,
        "token_rows": tokens,
    }


def _audit(tables: Tables) -> Values:
    details = tables.details
    audit, spot = details["contamination"], details["spot_check"]
    denied = audit.get("documents_denied", 0)
    text = (
        f"The audit compared {audit.get('documents', 0):,} documents with the benchmark's prompts "
        f"and reference solutions. {audit.get('documents_matched', 0):,} hold a near-copy; "
        f"{denied:,} {'was' if denied == 1 else 'were'} withheld from retrieval."
    )
    record = f"{details['replayed']:,} generations were replayed from the record, " + (
        f"{details['fresh']:,} were made afresh. "
    )
    if spot.get("checked"):
        record += (
            f"Spot check: of {spot['checked']} recorded generations made again by the model, "
            f"{spot['identical']} came out identical (mean similarity {spot['similarity']:.3f})."
        )
    else:
        record += "No recorded generation was checked against the model."
    return {
        "audit_text": text,
        "record_text": record,
        "matches": [
            (r["path"], r["source"], r["licence"], r["task_id"], r["what"], r["how"],
             f"{r['score']:.2f}")
            for r in tables.matches.iter_rows(named=True)
        ],
    }  # fmt: skip

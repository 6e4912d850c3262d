"""report.md: the tables of a sweep and what they say, in sentences made from the figures."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.report.markdown import table
from tasks.report.results import interval_text, p_text, percent
from tasks.sweep.findings import Entry, Findings
from tasks.sweep.naming import short_keys
from tasks.sweep.results import Score
from tasks.sweep.values import spell

SCORES = ("pass@1, %", "interval", "vs none", "helped", "hurt", "McNemar p", "context tokens")
ROLES = {"best": "best point", "default": "params.yaml"}


def render(found: Findings, figures: Sequence[str]) -> str:
    """The whole page; `figures` are the names of the figure files beside it."""
    plan = found.plan
    parts = [f"# Sweep {plan.name}", *sentences(found)]
    parts += [f"## Points on {plan.dev}, first {plan.dev_limit} problems", _points(found)]
    if found.final:
        parts += [f"## On {plan.benchmark}, all problems", _final(found)]
    if figures:
        parts += ["## Figures", *(f"![{name.removesuffix('.svg')}]({name})" for name in figures)]
    parts.append(
        "Intervals: Wilson's for shares of problems. Helped and hurt: problems that fare better "
        "and worse than under `none`. p: exact McNemar, not corrected for the number of points. "
        "Context tokens: mean a problem. Seconds: of the run that made the experiment, which "
        "takes from the store what was computed before."
    )
    return "\n\n".join(parts) + "\n"


def sentences(found: Findings) -> list[str]:
    """What was tried, which point is best, how far to trust that, and what the benchmark says."""
    plan = found.plan
    failed = sum(bool(entry.reason) for entry in found.points)
    count = len(found.points)
    tried = (
        f"{count} points of {_listed(list(short_keys(plan.keys).values()))} for "
        f"{_listed(plan.measured)}, each a DVC experiment"
        + (f"; {failed} of them failed (reasons below)." if failed else ".")
    )
    if found.best is None:
        return [tried, "No point succeeded, so there is nothing to choose from."]
    return [tried, _best(found), _caution(found), *_benchmark(found)]


def _best(found: Findings) -> str:
    assert found.best is not None
    entry = found.points[found.best]
    told = "; ".join(_told(score) for score in entry.scores)
    return f"**Best by the development set: `{entry.label}`**, {told}."


def _told(score: Score) -> str:
    text = (
        f"{percent(score.rate)} % under `{score.condition}` ({score.problems} problems, "
        f"interval {interval_text(score.interval)})"
    )
    if score.difference is None or score.p is None:
        return text
    return (
        f"{text}, {100 * score.difference:+.1f} points against `none` ({score.helped} helped, "
        f"{score.hurt} hurt, p {_p(score.p)})"
    )


def _p(p: float) -> str:
    text = p_text(p)
    return text if text.startswith("<") else f"= {text}"


def _caution(found: Findings) -> str:
    """How much the choice among many points is worth."""
    assert found.best is not None
    done = [entry for entry in found.points if entry.scores]
    low = found.points[found.best].scores[0].interval[0]
    near = sum(entry.scores[0].rate >= low for entry in done) - 1
    text = (
        f"The best of {len(done)} points on the set that chose it is an optimistic figure, and "
        "its p is not corrected for that."
    )
    if len(done) > 1:
        text += f" {near} of the other {len(done) - 1} points lie within its interval"
        text += ": the set cannot tell them from it." if near else "."
    return text


def _benchmark(found: Findings) -> list[str]:
    """The honest figure: problems that took no part in the choice."""
    plan, final = found.plan, found.final
    if not final:
        return []
    if reasons := [f"{ROLES[role]}: {e.reason}" for role, e in final.items() if e.reason]:
        return [f"On {plan.benchmark} it could not be run ({'; '.join(reasons)})."]
    best, default = final["best"], final["default"]
    if best.point == default.point:
        told = "; ".join(_told(score) for score in best.scores)
        return [f"It is what params.yaml has already. On {plan.benchmark}, which took no part in "
                f"the choice: {told}."]  # fmt: skip
    text = (
        f"**On {plan.benchmark}, which took no part in the choice,** it reaches "
        f"{'; '.join(_told(score) for score in best.scores)}. The present parameters "
        f"(`{default.label}`) reach {'; '.join(_told(score) for score in default.scores)}."
    )
    if found.gain is not None:
        gain = found.gain
        text += (
            f" Best against present, problem by problem: {100 * gain.difference:+.1f} points "
            f"({interval_text(gain.interval, signed=True)}; {gain.helped} better, {gain.hurt} "
            f"worse, p {_p(gain.mcnemar_p)})."
        )
    return [text]


def _points(found: Findings) -> str:
    rows = []
    for place, entry in enumerate(found.points):
        rows += _rows(found, entry, mark="**best**" if place == found.best else "")
    short = short_keys(found.plan.keys)
    return table(["", *short.values(), "condition", *SCORES, "seconds"], rows)


def _final(found: Findings) -> str:
    rows: list[Sequence[str]] = []
    for role, entry in found.final.items():
        rows += _rows(found, entry, mark=ROLES[role])
    first = next((entry.scores[0] for entry in found.final.values() if entry.scores), None)
    if first is not None and first.baseline is not None:
        blank = [""] * len(found.plan.keys)
        rows.append(["`none`", *blank, "none", percent(first.baseline), *[""] * 7])
    short = short_keys(found.plan.keys)
    return table(["", *short.values(), "condition", *SCORES, "seconds"], rows)


def _rows(found: Findings, entry: Entry, *, mark: str) -> list[Sequence[str]]:
    chosen = dict(entry.point.settings)
    values = [spell(chosen[key]) if key in chosen else "" for key in found.plan.keys]
    if entry.reason:
        reason = " ".join(entry.reason.split())
        return [[mark, *values, f"failed: {reason}", *[""] * (len(SCORES) + 1)]]
    took = f"{entry.seconds:.0f}" if entry.seconds is not None else ""
    return [[mark, *values, score.condition, *_cells(score), took] for score in entry.scores]


def _cells(score: Score) -> list[str]:
    against = score.difference is not None and score.p is not None
    return [
        percent(score.rate),
        interval_text(score.interval),
        f"{100 * (score.difference or 0.0):+.1f}" if against else "",
        str(score.helped) if against else "",
        str(score.hurt) if against else "",
        p_text(score.p or 0.0) if against else "",
        f"{score.tokens:.0f}",
    ]


def _listed(names: Sequence[str]) -> str:
    *most, last = [f"`{name}`" for name in names]
    return f"{', '.join(most)} and {last}" if most else last

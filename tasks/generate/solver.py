"""Solvers: problems in; candidates, contexts and a trace of what was done and spent out (SPEC 5).

A condition's file in tasks/conditions/ gives either `retrieve`, which makes it a
single-shot solver (retrieve once, generate once), or its own `solve` for loops that retrieve,
generate and execute in turns. Both see problems without answers and the same `Tools`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tasks.core.plugins import load
from tasks.generate.backend import Completion
from tasks.retrieval import CONDITIONS, retrieve
from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.types import Context, Problem


@dataclass(frozen=True)
class Prompted:
    """A prompt to complete: a problem with its contexts, for one sample number."""

    problem: Problem
    contexts: tuple[Context, ...]
    sample: int


@dataclass(frozen=True)
class Answer:
    """A completion, the program it holds, and whether it was replayed from the record."""

    prompted: Prompted
    completion: Completion
    raw: str
    code: str
    origin: str


@dataclass(frozen=True)
class Step:
    """One step of a solver on a problem."""

    task_id: str
    action: str
    calls: int
    tokens_in: int = 0
    tokens_out: int = 0
    detail: str = "{}"


@dataclass(frozen=True)
class Solution:
    """What a solver made for one problem."""

    task_id: str
    contexts: tuple[Context, ...]
    answers: tuple[Answer, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Tools:
    """What a solver may use: knowledge, the model, and the number of samples wanted."""

    knowledge: KnowledgeBase
    answer: Callable[[Sequence[Prompted]], list[Answer]]
    samples: int


class Solver(Protocol):
    """Turns problems into one solution each."""

    def __call__(self, problems: Sequence[Problem], tools: Tools) -> Iterator[Solution]:
        """Yield exactly one solution for each problem."""
        ...


def load_solver(condition: str, options: dict[str, Any]) -> Solver:
    """The solver of a condition.

    Raises CodeGraftError for an unknown condition or invalid options.
    """
    load(CONDITIONS, condition, "Options")  # refuses unknown names with those that exist
    try:
        solve = load(CONDITIONS, condition, "solve")
    except AttributeError:
        return _single_shot(condition, options)
    return lambda problems, tools: solve(problems, tools, options)


def _single_shot(condition: str, options: dict[str, Any]) -> Solver:
    def solve(problems: Sequence[Problem], tools: Tools) -> Iterator[Solution]:
        contexts = retrieve(tools.knowledge, condition, problems, options)
        prompts = [
            Prompted(problem, tuple(contexts[problem.task_id]), sample)
            for problem in problems
            for sample in range(tools.samples)
        ]
        by_task: dict[str, list[Answer]] = {problem.task_id: [] for problem in problems}
        for answer in tools.answer(prompts):
            by_task[answer.prompted.problem.task_id].append(answer)
        for problem in problems:
            found = tuple(contexts[problem.task_id])
            yield _solution(problem.task_id, found, tuple(by_task[problem.task_id]))

    return solve


def _solution(task_id: str, contexts: tuple[Context, ...], answers: tuple[Answer, ...]) -> Solution:
    detail = json.dumps({"found": len(contexts)})
    steps = (
        Step(task_id, "retrieve", calls=1, detail=detail),
        Step(
            task_id,
            "generate",
            calls=len(answers),
            tokens_in=sum(answer.completion.tokens_in for answer in answers),
            tokens_out=sum(answer.completion.tokens_out for answer in answers),
        ),
    )
    return Solution(task_id, contexts, answers, steps)

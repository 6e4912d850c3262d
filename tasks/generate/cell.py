"""One cell of the matrix: a benchmark, a model and a condition."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json, write_json
from tasks.core.ids import digest_json
from tasks.core.params import Params
from tasks.core.plugins import load
from tasks.core.tables import read_frame, require_unique, write_table
from tasks.generate.answering import Answerer
from tasks.generate.backend import Completion, Decoding, Generator
from tasks.generate.prompt import load_template
from tasks.generate.recorded import read_record, record_path
from tasks.generate.schema import CANDIDATES, TRACE
from tasks.generate.solver import Solution, Tools, load_solver
from tasks.problems.schema import PROBLEMS
from tasks.retrieval.knowledge import KnowledgeBase
from tasks.retrieval.schema import CONTEXTS
from tasks.retrieval.types import Problem

BACKENDS = "tasks.generate.backends"


@dataclass(frozen=True)
class Cell:
    """Where a cell's tables lie."""

    benchmark: str
    model: str
    condition: str

    @property
    def folder(self) -> Path:
        """Folder of candidates, contexts and trace."""
        return Path("data/generate") / self.benchmark / self.model / self.condition

    @property
    def timing(self) -> Path:
        """Side file with seconds, outside the outs that other stages read."""
        name = f"{self.benchmark}-{self.model}-{self.condition}.json"
        return Path("data/timing/generate") / name


def read_problems(benchmark: str) -> list[Problem]:
    """The problems of a benchmark in its order; a doubled task_id is an error."""
    path = Path("data/problems") / benchmark / "problems.arrow"
    frame = read_frame(path, PROBLEMS)
    require_unique(frame, ["task_id"], where=str(path))
    names = list(Problem.__dataclass_fields__)
    return [Problem(**row) for row in frame.select(names).to_dicts()]


def open_generator(params: Params, model: str) -> Generator:
    """The generator of a model by its backend plugin."""
    spec = params.weights.generators[model]
    make = load(BACKENDS, spec.backend, "make")
    generator: Generator = make(
        Path("models") / model, spec, batch_size=params.generation.batch_size
    )
    return generator


def open_answerer(
    params: Params, cell: Cell, generator: Generator, record: dict[str, Completion]
) -> Answerer:
    """The answerer of a cell; the weights' identity comes from the model's manifest."""
    spec = params.weights.generators[cell.model]
    manifest = Path("models") / cell.model / "manifest.json"
    if not manifest.is_file():
        raise CodeGraftError(
            f"the weights of {cell.model} are missing",
            where=str(manifest.parent),
            remedy=f"run `dvc repro weights@{cell.model}`",
        )
    generation = params.generation
    return Answerer(
        label=f"{cell.benchmark} {cell.model} {cell.condition}",
        generator=generator,
        template=load_template(spec.template),
        weights=_weights_identity(read_json(manifest)),
        decoding=Decoding(
            max_new_tokens=generation.max_new_tokens,
            temperature=generation.temperature,
            top_p=generation.top_p,
            seed=generation.seed,
        ),
        record=record,
        used={},
    )


def _weights_identity(manifest: dict[str, str]) -> str:
    """Hash of the weights; of the address and the name where an endpoint keeps them to itself."""
    return manifest.get("sha256") or digest_json([manifest["url"], manifest["model"]])


def solve_cell(params: Params, cell: Cell) -> Answerer:
    """Run the condition's solver on the benchmark and write its three tables.

    Returns the answerer, which knows what was asked and answered.
    """
    started = time.perf_counter()
    solver = load_solver(cell.condition, params.conditions[cell.condition])
    problems = read_problems(cell.benchmark)
    generator = open_generator(params, cell.model)
    replay = params.generation.recorded == "replay"
    record = read_record(record_path(cell.benchmark, cell.model)) if replay else {}
    answerer = open_answerer(params, cell, generator, record)
    knowledge = KnowledgeBase.open(
        params, benchmark=cell.benchmark, count_tokens=generator.count_tokens
    )
    tools = Tools(knowledge, answerer, params.generation.samples)
    solutions = list(solver(problems, tools))
    _check(problems, solutions, cell)
    _write(cell, solutions)
    seconds = round(time.perf_counter() - started, 3)
    write_json(cell.timing, {"seconds": seconds, "items": len(problems), **generator.identity})
    return answerer


def _check(problems: list[Problem], solutions: list[Solution], cell: Cell) -> None:
    expected = [problem.task_id for problem in problems]
    if sorted(expected) != sorted(solution.task_id for solution in solutions):
        raise CodeGraftError(
            "the solver lost or doubled problems",
            where=f"condition {cell.condition}",
            remedy="a solver must yield exactly one solution for each problem",
        )


def _write(cell: Cell, solutions: list[Solution]) -> None:
    write_table(cell.folder / "candidates.arrow", CANDIDATES, _candidates(cell, solutions))
    contexts = [asdict(context) for solution in solutions for context in solution.contexts]
    write_table(cell.folder / "contexts.arrow", CONTEXTS, contexts)
    trace = [
        {"condition": cell.condition, "step": index, **asdict(step)}
        for solution in solutions
        for index, step in enumerate(solution.steps)
    ]
    write_table(cell.folder / "trace.arrow", TRACE, trace)


def _candidates(cell: Cell, solutions: list[Solution]) -> list[dict[str, Any]]:
    return [
        {
            "task_id": solution.task_id,
            "condition": cell.condition,
            "sample": sample,
            "code": answer.code,
            "raw": answer.raw,
            "completion": answer.completion.text,
            "finish_reason": answer.completion.finish_reason,
            "logprob_mean": answer.completion.logprob_mean,
            "logprob_sum": answer.completion.logprob_sum,
            "tokens_in": answer.completion.tokens_in,
            "tokens_out": answer.completion.tokens_out,
            "origin": answer.origin,
        }
        for solution in solutions
        for sample, answer in enumerate(solution.answers)
    ]

"""Generate some replayed prompts again and compare.

The sample is seeded and spread over the conditions. Agreement below 100 % is expected where the
hardware or the batch differs from the recording's (near-ties flip); a wrong model or a wrong record
agrees on almost nothing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from tasks.core.params import Params
from tasks.core.progress import Progress
from tasks.core.tables import read_frame
from tasks.generate.backend import Completion, Generator, Request
from tasks.generate.cell import Cell, open_answerer, open_generator, read_problems
from tasks.generate.recorded import read_record, record_path
from tasks.generate.schema import CANDIDATES
from tasks.generate.solver import Prompted
from tasks.retrieval.schema import CONTEXTS
from tasks.retrieval.types import Context


@dataclass(frozen=True)
class Item:
    """A recorded answer and the request that it answers; equal prompts are equal requests."""

    name: str
    request: Request
    recorded: str


def spot_check(params: Params, benchmark: str, model: str) -> dict[str, Any]:
    """Regenerate up to `generation.spot_check` replayed prompts; return the agreement.

    `identical` counts equal completions, `similarity` is the mean character-level ratio, 0 to 1.
    Nothing is loaded when nothing was replayed.
    """
    generator = open_generator(params, model)
    items = _sample(params, benchmark, model, generator)
    fresh = _complete(params, Cell(benchmark, model, "spotcheck"), generator, items)
    pairs = [(item.recorded, fresh[item.request.key].text) for item in items]
    ratios = [SequenceMatcher(None, old, new, autojunk=False).ratio() for old, new in pairs]
    return {
        "benchmark": benchmark,
        "model": model,
        "checked": len(items),
        "identical": sum(old == new for old, new in pairs),
        "similarity": round(sum(ratios) / len(ratios), 4) if ratios else None,
        "items": [
            {"request": item.name, "identical": old == new, "similarity": round(ratio, 4)}
            for item, (old, new), ratio in zip(items, pairs, ratios, strict=True)
        ],
    }


def _sample(params: Params, benchmark: str, model: str, generator: Generator) -> list[Item]:
    problems = {problem.task_id: problem for problem in read_problems(benchmark)}
    choose = random.Random(params.generation.seed)
    record = read_record(record_path(benchmark, model))
    pools: list[list[Item]] = []
    for condition in params.solvers:
        cell = Cell(benchmark, model, condition)
        answerer = open_answerer(params, cell, generator, record)
        contexts = _contexts(cell)
        pool = []
        for row in read_frame(cell.folder / "candidates.arrow", CANDIDATES).to_dicts():
            if row["origin"] != "replayed" or row["sample"] != 0:
                continue
            prompted = Prompted(
                problems[row["task_id"]], tuple(contexts.get(row["task_id"], [])), 0
            )
            request = answerer.request(prompted)
            # A sampled row draws from the stream that its store key seeds.
            key = answerer.keys(request, sample=0).store
            request = Request(key, request.messages, request.prefill, request.stop)
            pool.append(Item(f"{condition} {row['task_id']}", request, row["completion"]))
        choose.shuffle(pool)
        pools.append(pool)
    turns = [
        pool[turn]
        for turn in range(max(map(len, pools), default=0))
        for pool in pools
        if turn < len(pool)
    ]
    return turns[: params.generation.spot_check]


def _contexts(cell: Cell) -> dict[str, list[Context]]:
    by_task: dict[str, list[Context]] = {}
    frame = read_frame(cell.folder / "contexts.arrow", CONTEXTS).sort("task_id", "rank")
    names = list(Context.__dataclass_fields__)
    for row in frame.to_dicts():
        by_task.setdefault(row["task_id"], []).append(Context(**{n: row[n] for n in names}))
    return by_task


def _complete(
    params: Params, cell: Cell, generator: Generator, items: list[Item]
) -> dict[str, Completion]:
    decoding = open_answerer(params, cell, generator, {}).decoding
    done: dict[str, Completion] = {}
    with Progress(f"spotcheck {cell.benchmark} {cell.model}", len(items), "prompts") as progress:
        requests = {item.request.key: item.request for item in items}
        for key, completion in generator.complete(list(requests.values()), decoding):
            done[key] = completion
            progress.add()
    return done

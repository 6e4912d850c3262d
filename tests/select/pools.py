"""Small pools for tests: tables as the stages write them, and an embedder that counts words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from tasks.select.pool import FILTER_PROBES, Kind, Pool, build_pool

Failing = Mapping[tuple[str, str, int], str]
NONE_FAILING: Failing = {}
WORDS = ("add", "sort", "sum", "file", "tree")


class WordEncoder:
    """Unit vectors of word counts over WORDS, plus a constant so that none is zero."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []  # (kind, text) in the order asked

    def encode(self, texts: Sequence[str], *, kind: Kind) -> npt.NDArray[np.float32]:
        self.seen += [(kind, text) for text in texts]
        rows = [[float(text.count(word)) for word in WORDS] + [0.5] for text in texts]
        vectors = np.array(rows, dtype=np.float32).reshape(len(rows), len(WORDS) + 1)
        unit: npt.NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def problems_frame(prompts: Mapping[str, str]) -> pl.DataFrame:
    columns = ("lang", "entry_point", "signature", "examples")
    rows = [
        {"task_id": task, "prompt": prompt, **dict.fromkeys(columns, "")}
        for task, prompt in prompts.items()
    ]
    return pl.DataFrame(rows)


def candidate(task: str, condition: str, code: str, *, sample: int = 0) -> dict[str, object]:
    return {
        "task_id": task,
        "condition": condition,
        "sample": sample,
        "code": code,
        "raw": code,
        "completion": code,
        "finish_reason": "stop",
        "logprob_mean": -0.5,
        "logprob_sum": -5.0,
        "tokens_in": 20,
        "tokens_out": 10,
        "origin": "replayed",
    }


def candidates_frame(rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema_overrides={"sample": pl.Int32})


def executions_frame(
    rows: Sequence[Mapping[str, object]], failing: Failing = NONE_FAILING
) -> pl.DataFrame:
    """A row a candidate and probe; `failing` maps (task, condition, sample) to the first probe
    that fails: those before it pass, those after it fail too."""
    out = []
    for row in rows:
        key = (str(row["task_id"]), str(row["condition"]), int(str(row["sample"])))
        first = FILTER_PROBES.index(failing[key]) if key in failing else len(FILTER_PROBES)
        for position, probe in enumerate(FILTER_PROBES):
            out.append(
                {
                    "task_id": key[0],
                    "condition": key[1],
                    "sample": key[2],
                    "probe": probe,
                    "status": "pass" if position < first else "fail",
                    "error_type": "" if position < first else "SyntaxError",
                    "isolation": "none",
                }
            )
    return pl.DataFrame(out, schema_overrides={"sample": pl.Int32})


def pool_of(
    prompts: Mapping[str, str],
    rows: Sequence[Mapping[str, object]],
    *,
    solvers: Sequence[str],
    failing: Failing = NONE_FAILING,
    encoder: WordEncoder | None = None,
) -> Pool:
    kept = encoder or WordEncoder()
    return build_pool(
        problems_frame(prompts),
        candidates_frame(rows),
        executions_frame(rows, failing),
        benchmark="tiny",
        model="fake",
        solvers=solvers,
        encoder=lambda: kept,
    )

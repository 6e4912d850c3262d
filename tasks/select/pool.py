"""The pool: what a selector may see of a benchmark's candidates (no answers, no grades)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from tasks.core.errors import CodeGraftError
from tasks.core.tables import join, require_unique
from tasks.generate.schema import KEY

Kind = Literal["query", "document"]
FILTER_PROBES = ("parse", "names", "load")
RERUN = "the tables come from different runs; run `dvc repro`"


class Encoder(Protocol):
    """Turns texts into unit rows, shape [texts, dim], float32."""

    def encode(self, texts: Sequence[str], *, kind: Kind) -> npt.NDArray[np.float32]:
        """Embed the texts in order."""
        ...


@dataclass(frozen=True)
class Candidate:
    """One candidate with what executing it showed; `probes` maps probe -> status.

    The log-probabilities are None where the backend gave none.
    """

    condition: str
    sample: int
    code: str
    finish_reason: str
    logprob_mean: float | None
    logprob_sum: float | None
    tokens_out: int
    probes: Mapping[str, str]

    @property
    def parses(self) -> bool:
        """A(c) of the PKG paper: the code is valid Python."""
        return self.probes["parse"] == "pass"

    @property
    def survives(self) -> bool:
        """A(c) and R(c): it parses, has no undefined name and loads (SPEC 1.4)."""
        return all(self.probes.get(probe) == "pass" for probe in FILTER_PROBES)


@dataclass(frozen=True)
class Pool:
    """All candidates of all problems.

    `candidates` of a problem are in the order that breaks ties: that of `solvers` in params.yaml,
    then by sample. `encoder()` opens the embedder, which only some selectors need.
    """

    benchmark: str
    model: str
    queries: Mapping[str, str]
    candidates: Mapping[str, tuple[Candidate, ...]]
    encoder: Callable[[], Encoder]


@dataclass(frozen=True)
class Choice:
    """The chosen candidate of one problem and its score, on the selector's own scale."""

    condition: str
    sample: int
    score: float


def build_pool(
    problems: pl.DataFrame,
    candidates: pl.DataFrame,
    executions: pl.DataFrame,
    *,
    benchmark: str,
    model: str,
    solvers: Sequence[str],
    encoder: Callable[[], Encoder],
) -> Pool:
    """Join problems, candidates and executions by key.

    Raises CodeGraftError if a row has no partner or a key is doubled, if a table holds a condition
    that is not in `solvers`, or if a solver left a problem without a candidate.
    """
    require_unique(problems, ["task_id"], where="problems")
    for name, table in (("candidates", candidates), ("executions", executions)):
        _refuse_disabled(table, solvers, where=name)
    for solver in solvers:
        made = candidates.filter(pl.col("condition") == solver).select("task_id").unique()
        join(problems, made, on=["task_id"], cardinality="1:1", where=f"candidates of {solver}")
    rows = join(candidates, _by_candidate(executions), on=KEY, cardinality="1:1", where="pool")
    rank = {solver: position for position, solver in enumerate(solvers)}
    pooled: dict[str, list[Candidate]] = {task: [] for task in problems["task_id"]}
    for row in rows.iter_rows(named=True):
        probes = dict(zip(row["probe"], row["status"], strict=True))
        if "parse" not in probes:
            key = tuple(row[name] for name in KEY)
            raise CodeGraftError("no parse probe of a candidate", where=str(key), remedy=RERUN)
        values = {name: row[name] for name in Candidate.__annotations__ if name != "probes"}
        pooled[row["task_id"]].append(Candidate(probes=probes, **values))
    return Pool(
        benchmark=benchmark,
        model=model,
        queries=dict(problems.select("task_id", "prompt").iter_rows()),
        candidates={
            task: tuple(sorted(found, key=lambda c: (rank[c.condition], c.sample)))
            for task, found in pooled.items()
        },
        encoder=encoder,
    )


def _refuse_disabled(table: pl.DataFrame, solvers: Sequence[str], *, where: str) -> None:
    if unknown := sorted(set(table["condition"]) - set(solvers)):
        raise CodeGraftError(
            f"rows of conditions that are not enabled: {unknown}",
            where=where,
            remedy="enable them under `solvers` in params.yaml, or run `dvc repro`",
        )


def _by_candidate(executions: pl.DataFrame) -> pl.DataFrame:
    """One row a candidate, with its probes and their statuses as lists."""
    require_unique(executions, [*KEY, "probe"], where="executions")
    return executions.sort([*KEY, "probe"]).group_by(KEY).agg("probe", "status")

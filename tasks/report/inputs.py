"""Everything that a report is made from, joined by key and checked before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json
from tasks.core.params import Params
from tasks.core.tables import join, read_frame, require_unique
from tasks.execute.schema import EXECUTIONS
from tasks.generate.schema import CANDIDATES, KEY
from tasks.grade.schema import GRADES
from tasks.problems.schema import PROBLEMS
from tasks.retrieval.schema import CONTEXTS
from tasks.select.pool import FILTER_PROBES, RERUN
from tasks.select.schema import SELECTIONS

CELL = ["task_id", "condition"]


@dataclass(frozen=True)
class Inputs:
    """One benchmark's and model's results.

    `tasks` is in benchmark order. `candidates` has a row a candidate: its key, finish_reason,
    tokens_in, tokens_out, origin, the status of each probe of the filter under the probe's name,
    passed, status, error_type (of the normal form) and raw_passed (of the raw text). `contexts`
    has a row a problem and condition: pieces, tokens, cut_tokens; zeros where nothing was found.
    `selections` has task_id, selector and the chosen key. `extract`, `audit` and `spot_check` are
    the summaries of those stages.
    """

    benchmark: str
    model: str
    solvers: tuple[str, ...]
    selectors: tuple[str, ...]
    tasks: tuple[str, ...]
    candidates: pl.DataFrame
    contexts: pl.DataFrame
    selections: pl.DataFrame
    extract: Mapping[str, Any]
    audit: Mapping[str, Any]
    spot_check: Mapping[str, Any]


def load_inputs(params: Params, benchmark: str, model: str, root: Path = Path("data")) -> Inputs:
    """Read the tables of the enabled conditions below `root` and join them.

    Raises CodeGraftError if a file is missing or the tables do not belong together.
    """
    cells = [root / "generate" / benchmark / model / solver for solver in params.solvers]

    def table(stage: str, name: str, schema: Any) -> pl.DataFrame:
        return read_frame(root / stage / benchmark / model / name, schema)

    return assemble(
        benchmark=benchmark,
        model=model,
        solvers=tuple(params.solvers),
        selectors=tuple(params.select.selectors),
        problems=read_frame(root / "problems" / benchmark / "problems.arrow", PROBLEMS),
        candidates=pl.concat([read_frame(c / "candidates.arrow", CANDIDATES) for c in cells]),
        contexts=pl.concat([read_frame(c / "contexts.arrow", CONTEXTS) for c in cells]),
        executions=table("execute", "executions.arrow", EXECUTIONS),
        selections=table("select", "selections.arrow", SELECTIONS),
        grades=table("grade", "grades.arrow", GRADES),
        extract=_summary(root / "extract" / "summary.json"),
        audit=_summary(root / "audit" / benchmark / "summary.json"),
        spot_check=_summary(root / "spotcheck" / benchmark / model / "spotcheck.json"),
    )


def assemble(
    *,
    benchmark: str,
    model: str,
    solvers: tuple[str, ...],
    selectors: tuple[str, ...],
    problems: pl.DataFrame,
    candidates: pl.DataFrame,
    contexts: pl.DataFrame,
    executions: pl.DataFrame,
    selections: pl.DataFrame,
    grades: pl.DataFrame,
    extract: Mapping[str, Any],
    audit: Mapping[str, Any],
    spot_check: Mapping[str, Any],
) -> Inputs:
    """Join the tables; raises CodeGraftError if a row has no partner or a key is doubled."""
    _require_distinct_names(solvers, selectors)
    require_unique(problems, ["task_id"], where="problems")
    cells = problems.select("task_id").join(pl.DataFrame({"condition": solvers}), how="cross")
    join(cells, candidates.select(CELL).unique(), on=CELL, cardinality="1:1", where="candidates")
    join(cells, contexts, on=CELL, cardinality="1:m", where="contexts")
    asked = problems.select("task_id").join(pl.DataFrame({"selector": selectors}), how="cross")
    join(asked, selections, on=["task_id", "selector"], cardinality="1:1", where="selections")
    judged = candidates.select(*KEY, "finish_reason", "tokens_in", "tokens_out", "origin")
    for name, part in (("executions", _probes(executions)), ("grades", _verdicts(grades))):
        judged = join(judged, part, on=KEY, cardinality="1:1", where=name)
    join(selections, judged, on=KEY, cardinality="m:1", where="selections")
    return Inputs(
        benchmark=benchmark,
        model=model,
        solvers=solvers,
        selectors=selectors,
        tasks=tuple(problems["task_id"]),
        candidates=judged,
        contexts=_shown(cells, contexts),
        selections=selections.select("task_id", "selector", "condition", "sample"),
        extract=extract,
        audit=audit,
        spot_check=spot_check,
    )


def _require_distinct_names(solvers: tuple[str, ...], selectors: tuple[str, ...]) -> None:
    if clash := sorted(set(selectors) & {*solvers, "oracle", "random"}):
        raise CodeGraftError(
            f"selectors and other rows of the result table have the same name: {clash}",
            where="params.yaml: select.selectors",
            remedy="rename the selector's file",
        )


def _summary(path: Path) -> Mapping[str, Any]:
    try:
        found = read_json(path)
    except FileNotFoundError:
        raise CodeGraftError(
            "a stage's summary is missing", where=str(path), remedy="run `dvc repro`"
        ) from None
    if not isinstance(found, dict):
        raise CodeGraftError("not a JSON object", where=str(path), remedy=RERUN)
    return found


def _probes(executions: pl.DataFrame) -> pl.DataFrame:
    """One row a candidate, one column a probe of the filter; "" where it was not run."""
    require_unique(executions, [*KEY, "probe"], where="executions")
    status = [
        pl.col("status").filter(pl.col("probe") == probe).first().fill_null("").alias(probe)
        for probe in FILTER_PROBES
    ]
    return executions.group_by(KEY, maintain_order=True).agg(status)


def _verdicts(grades: pl.DataFrame) -> pl.DataFrame:
    """One row a candidate: the verdict on its normal form, and whether the raw text passed."""
    kept = ["passed", "status", "error_type"]
    normal = grades.filter(pl.col("suite") == "tests").select(*KEY, *kept)
    raw = grades.filter(pl.col("suite") == "raw").select(*KEY, pl.col("passed").alias("raw_passed"))
    return join(normal, raw, on=KEY, cardinality="1:1", where="grades: suites tests and raw")


def _shown(cells: pl.DataFrame, contexts: pl.DataFrame) -> pl.DataFrame:
    """What was shown with each problem under each condition."""
    totals = contexts.group_by(CELL).agg(
        pl.len().cast(pl.Int64).alias("pieces"),
        pl.col("tokens").cast(pl.Int64).sum(),
        pl.col("cut_tokens").cast(pl.Int64).sum(),
    )
    joined = cells.join(totals, on=CELL, how="left", maintain_order="left")
    return joined.with_columns(pl.col("pieces", "tokens", "cut_tokens").fill_null(0))

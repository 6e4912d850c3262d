"""Gather what a page says about its making."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tasks.core.params import Params
from tasks.page import costs, provenance

STAGES = ("execute/{cell}/executions.arrow", "select/{cell}/selections.arrow")
CELLS = ("candidates.arrow", "contexts.arrow")


def made_from(
    params: Params, benchmark: str, model: str, *, data: Path, models: Path, reports: Path
) -> dict[str, Any]:
    """Weights, corpus, parameters, digests of the inputs and versions, for the template."""
    weights = provenance.weights(params, model, models)
    weights["Vectors"] = provenance.embedder_of(costs.read_side(data / "embed" / "summary.json"))
    versions = provenance.versions()
    if revision := provenance.revision(Path()):
        versions = [("git revision", revision), *versions]
    return {
        "weights": {title: rows for title, rows in weights.items() if rows},
        "corpus": provenance.corpus(costs.read_side(data / "ingest" / "summary.json")),
        "parameters": provenance.parameters(params, benchmark, model),
        "inputs": provenance.md5s(input_files(params, benchmark, model, data, reports)),
        "versions": versions,
    }


def input_files(
    params: Params, benchmark: str, model: str, data: Path, reports: Path
) -> list[Path]:
    """The tables from which the page was made."""
    cell = f"{benchmark}/{model}"
    return [
        data / "ingest" / "documents.arrow",
        data / "extract" / "nodes.arrow",
        data / "problems" / benchmark / "problems.arrow",
        data / "audit" / benchmark / "matches.arrow",
        *(data / "generate" / cell / s / name for s in params.solvers for name in CELLS),
        *(data / path.format(cell=cell) for path in STAGES),
        *(reports / cell / name for name in ("details.json", "problems.csv", "which_solves.csv")),
    ]


def costs_of(details: Mapping[str, Any], folder: Path, *, data: Path, bench: Path) -> costs.Costs:
    """The page's section on costs, from the side files that there are."""
    vectors = costs.read_side(data / "embed" / "summary.json").get("vectors", 0)
    return costs.build(
        costs.read_side(folder / "costs.json"), costs.read_side(bench), details, vectors
    )

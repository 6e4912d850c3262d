"""Time, tokens and storage beside the paper's, with what the figures do not say.

They come from costs.json and bench.json, which are measured, differ from run to run, and are no
inputs of the stage: a page is not made anew because a clock went differently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.core.files import read_json

Found = Mapping[str, Any]


@dataclass(frozen=True)
class Costs:
    """Tables of text: `paper` has what, paper, here; `stages` stage, items, seconds, per item;
    `storage` name and size. `notes` say what is missing or comes from an earlier run.
    """

    paper: list[tuple[str, str, str]]
    stages: list[tuple[str, str, str, str]]
    storage: list[tuple[str, str]]
    notes: list[str]


def read_side(path: Path) -> dict[str, Any]:
    """A side file; empty where there is none that can be read."""
    try:
        value = read_json(path)
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def build(costs: Found, bench: Found, details: Found, vectors: int) -> Costs:
    """The section of a page; `vectors` is how many texts the index holds."""
    if not costs:
        return Costs([], [], [], ["No times or sizes: costs.json, a side file, is not there."])
    stages, paper = costs["stages"], costs["paper"]
    notes = []
    fresh = stages.get("embed", {}).get("items")
    cached = fresh is not None and fresh < vectors
    if "embed" not in stages or "extract" not in stages:
        notes.append("Build time is incomplete: some stages left no times on this machine.")
    if cached:
        notes.append(
            f"The last run found finished work in the store (it embedded {fresh:,} of {vectors:,} "
            "texts), so its build time is no measure of building from nothing."
        )
    if details["replayed"]:
        notes.append(
            f"{details['replayed']:,} of {details['candidates']:,} generations were replayed, so "
            "the times of generate are those of retrieval and replay."
        )
    notes.append(f"Nodes in the graph here: {details['nodes']:,}. The paper's: {paper['source']}.")
    return Costs(
        paper=_beside_paper(costs, bench, details, vectors, cached=cached),
        stages=[_stage(name, entry) for name, entry in stages.items()],
        storage=[(name, _size(size)) for name, size in costs["bytes"].items() if size],
        notes=notes,
    )


def _beside_paper(
    costs: Found, bench: Found, details: Found, vectors: int, *, cached: bool
) -> list[tuple[str, str, str]]:
    paper, build = costs["paper"], costs["build"]
    rate = {name: entry["figures"] for name, entry in bench.get("benchmarks", {}).items()}
    here = f"{build['minutes']:.1f} min" + (" (from the store)" if cached else "")
    rows = [("building graph and index", f"{paper['minutes']['overall']} min", here)]
    if "extract" in rate and "embed" in rate:
        seconds = details["nodes"] / rate["extract"]["nodes_per_s"]
        seconds += vectors / rate["embed"]["texts_per_s"]
        rows.append(("the same from nothing, at the rates of make bench", "",
                     f"about {seconds / 60:.0f} min"))  # fmt: skip
    storage = f"{paper['megabytes'] / 1000:.1f} GB"
    rows.append(("storage of graph and index", storage, f"{build['megabytes']:,.0f} MB"))
    query = [
        entry["per_item_s"]
        for name, entry in costs["stages"].items()
        if name.startswith("generate ") and name != "generate none" and "per_item_s" in entry
    ]
    what = "retrieval and replay" if details["replayed"] else "retrieval and generation"
    here = f"{min(query):.3f} to {max(query):.3f} s ({what})" if query else "not measured"
    rows.append(("time a query", f"{paper['seconds_per_query']} s", here))
    if "search" in rate:
        search = rate["search"]
        each = 1000 * search["seconds"] / search["queries"]
        rows.append((f"search among {search['vectors']:,} vectors, by make bench", "",
                     f"{each:.1f} ms a query"))  # fmt: skip
    return rows


def _stage(name: str, entry: Found) -> tuple[str, str, str, str]:
    items, seconds = entry.get("items"), entry.get("seconds")
    each = entry.get("per_item_s")
    return (
        name,
        "" if items is None or name.startswith("weights") else f"{items:,}",
        "" if seconds is None else f"{seconds:,.1f}",
        "" if each is None or name.startswith("weights") else f"{1000 * each:,.2f}",
    )


def _size(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count} bytes"

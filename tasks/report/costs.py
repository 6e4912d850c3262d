"""costs.json: what building and running took, beside the paper's figures.

Wall times differ from run to run, so this file stands apart from metrics.json: it is neither a
metric of DVC nor committed. A stage that resumed or found its work in the store reports the time
of that run only.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tasks.core.files import read_json

BUILD = ("ingest", "extract", "embed")  # the stages that make the graph and its index
PAPER = {
    "source": "PKG 2026, table 8 and section 6.4: PythonAlpaca, 425,058 nodes",
    "minutes": {"extraction": 3, "blocks": 25, "encoding": 241, "graph": 33, "overall": 301},
    "megabytes": 12530,
    "seconds_per_query": 3,
}


def build_costs(
    benchmark: str, model: str, *, data: Path, models: Path, store: Path
) -> dict[str, Any]:
    """Seconds, items and bytes by stage, for the shared stages and this benchmark and model.

    Each entry of `stages` is what the stage's timing file says plus `per_item_s`; `bytes` are the
    sizes of the stages' folders, of the store and of the search index.
    """
    stages = {name: _timing(path) for name, path in sorted(_timing_files(data, benchmark, model))}
    stages |= {
        f"weights {path.parent.name}": _timing(path)
        for path in sorted(models.glob("*/timing.json"))
    }
    build = [stages[name]["seconds"] for name in BUILD if "seconds" in stages.get(name, {})]
    sizes = {
        folder.name: _size(folder)
        for folder in sorted(data.iterdir())
        if folder.is_dir() and folder.resolve() != store.resolve()
    }
    index = _size(store / "lance")
    graph = sum(sizes.get(name, 0) for name in BUILD)
    return {
        "stages": stages,
        "bytes": {
            **sizes,
            "models": _size(models),
            "search index": index,
            "store": _size(store) - index,
        },
        "build": {
            "minutes": round(sum(build) / 60, 3),
            "megabytes": round((graph + index) / 1e6, 3),
        },
        "paper": PAPER,
    }


def _timing_files(data: Path, benchmark: str, model: str) -> Iterator[tuple[str, Path]]:
    """Pairs of stage (with its condition, if it has one) and timing file."""
    for path in data.glob("*/timing.json"):
        yield path.parent.name, path
    for path in data.glob(f"*/{benchmark}/timing.json"):
        yield path.parent.parent.name, path
    for path in data.glob(f"*/{benchmark}/{model}/timing.json"):
        yield path.parents[2].name, path
    for path in data.glob(f"*/{benchmark}/{model}/*/timing.json"):
        yield f"{path.parents[3].name} {path.parent.name}", path
    # stages whose folder is a DVC out keep their side file in data/timing/
    for path in data.glob("timing/*.json"):
        yield path.stem, path
    prefix = f"{benchmark}-{model}"
    for path in data.glob("timing/*/*.json"):
        if path.stem in (benchmark, prefix) or path.stem.startswith(f"{prefix}-"):
            yield f"{path.parent.name} {path.stem.removeprefix(prefix).lstrip('-')}".strip(), path


def _timing(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = dict(read_json(path))
    if found.get("items") and "seconds" in found:
        found["per_item_s"] = round(found["seconds"] / found["items"], 6)
    return found


def _size(folder: Path) -> int:
    """Bytes of the files below a folder; 0 if there is none."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

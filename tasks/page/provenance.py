"""What made a page: weights, corpus, parameters, versions and digests of the inputs."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import yaml

from tasks.core.params import Params
from tasks.page.costs import read_side

# Those that the numbers could depend on, and those that drew the page.
PACKAGES = ("torch", "transformers", "sentence-transformers", "tokenizers", "gguf", "lancedb",
            "bm25s", "tree-sitter", "tree-sitter-python", "pyarrow", "polars", "numpy", "scipy",
            "dvc", "altair", "vl-convert-python", "Pygments")  # fmt: skip
Rows = list[tuple[str, str]]
CHAIN = ("ingest", "audit", "extract", "embed", "generation", "execute", "select", "grade",
         "report")  # fmt: skip


def weights(params: Params, model: str, models: Path) -> dict[str, Rows]:
    """The generator's and the embedder's identity, from their manifests."""
    made = {}
    for title, name in (("Model", model), ("Embedder", params.embed.model)):
        manifest = read_side(models / name / "manifest.json")
        keys = ("name", "file", "format", "dtype", "bytes", "sha256", "url", "model")
        made[title] = [(key, str(manifest[key])) for key in keys if manifest.get(key)]
    return made


def corpus(summary: Mapping[str, Any]) -> Rows:
    """Each source with what is known of its origin; `summary` is ingest's."""
    rows = []
    for source, entry in summary.get("sources", {}).items():
        licences = ", ".join(f"{name} {count}" for name, count in entry["licences"].items())
        origin = ", ".join(f"{k} {v}" for k, v in entry.get("provenance", {}).items())
        rows.append((source, f"{entry['documents']:,} documents ({licences}); {origin}"))
    return rows


def parameters(params: Params, benchmark: str, model: str) -> str:
    """The parameters of the stages that lead here, as YAML."""
    whole = params.model_dump(mode="json")
    chosen = {
        "benchmark": {
            "name": benchmark,
            "limit": params.benchmark.limit,
            **params.benchmark.options(benchmark),
        },
        "conditions": {solver: whole["conditions"][solver] for solver in params.solvers},
        **{name: whole[name] for name in CHAIN},
        "model": {model: whole["weights"]["generators"][model]},
    }
    text: str = yaml.safe_dump(chosen, sort_keys=False, allow_unicode=True, width=96)
    return text


def versions() -> Rows:
    """Python and the packages in the environment that makes the page."""
    rows = [("Python", platform.python_version())]
    for name in PACKAGES:
        try:
            rows.append((name, version(name)))
        except PackageNotFoundError:
            rows.append((name, "not installed"))
    return rows


def md5s(paths: Iterable[Path]) -> Rows:
    """MD5 of each file that there is, which is how dvc.lock names it."""
    rows = []
    for path in paths:
        if path.is_file():
            with path.open("rb") as stream:
                rows.append((path.as_posix(), hashlib.file_digest(stream, "md5").hexdigest()))
    return rows


def revision(root: Path) -> str:
    """The commit that the page was made in, or "" outside git."""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def embedder_of(summary: Mapping[str, Any]) -> Rows:
    """What the vectors were made with; `summary` is embed's."""
    try:
        found = json.loads(summary["embedder"])
    except (KeyError, TypeError, ValueError):
        return []
    return [(key, str(value)) for key, value in found.items() if value != ""]

"""From a model's parameters to models/<name>/.

DVC deletes models/<name>/ before it runs the stage, so what is costly to make is kept elsewhere:
the finished folder in the store under its content key, and models/<name>/ is hard links to it.
"""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tasks.core.errors import CodeGraftError
from tasks.core.files import write_json
from tasks.core.ids import digest
from tasks.core.params import AllWeights, EmbedderWeights, GeneratorWeights
from tasks.core.store import store_root
from tasks.weights.chain import obtain
from tasks.weights.convert import convert_gguf
from tasks.weights.folders import copy_release, link_tree, locked, replace_folder
from tasks.weights.manifest import describe, is_whole, read_manifest

Spec = GeneratorWeights | EmbedderWeights

# Raise it when the files made from the same release change.
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Prepared:
    """What a run of the stage did: its folder, where the bytes came from, and seconds spent.

    `source` is a source's kind, "kept" for files of an earlier run, or "endpoint".
    """

    folder: Path
    source: str
    seconds: float


def find_spec(weights: AllWeights, name: str) -> Spec:
    """The parameters of a generator or embedder; raises CodeGraftError for an unknown name."""
    known: dict[str, Spec] = {**weights.embedders, **weights.generators}
    if doubled := sorted(set(weights.embedders) & set(weights.generators)):
        raise CodeGraftError(
            f"generators and embedders share the names {doubled}", where="params.yaml: weights"
        )
    if name not in known:
        raise CodeGraftError(
            f"unknown model: {name!r}",
            where="params.yaml: weights",
            remedy=f"use one of: {', '.join(sorted(known))}",
        )
    return known[name]


def prepare(name: str, spec: Spec, *, models: Path) -> Prepared:
    """Make `models`/name whole, and with it manifest.json, which is written last.

    A folder that is whole already is left alone. Raises CodeGraftError if no source has the
    release file with its size and SHA-256.
    """
    start = time.monotonic()
    folder = models / name
    identity = _identity(name, spec)
    if is_whole(folder, identity, hashes=False):
        return Prepared(folder, "already there", time.monotonic() - start)
    kept, source = _keep(name, spec) if spec.format != "remote" else (None, "endpoint")
    seconds = time.monotonic() - start

    def publish(new: Path) -> None:
        side = {"seconds": round(seconds, 3), "items": spec.bytes, "source": source}
        write_json(new / "timing.json", side)
        if kept is not None:
            link_tree(kept, new)
            identity["files"] = read_manifest(kept)["files"]
        write_json(new / "manifest.json", identity)

    replace_folder(folder, publish)
    return Prepared(folder, source, seconds)


def target_dtype(spec: Spec) -> str:
    """The number format of the files made; "as released" where they are not converted."""
    if spec.format != "gguf":
        return "as released"
    return "bfloat16" if spec.dtype == "auto" else spec.dtype


def _identity(name: str, spec: Spec) -> dict[str, object]:
    if spec.format == "remote":
        return {"name": name, "format": "remote", "url": spec.url, "model": spec.name}
    return {
        "name": name,
        "format": spec.format,
        "file": spec.file,
        "sha256": spec.sha256,
        "bytes": spec.bytes,
        "dtype": target_dtype(spec),
    }


def _keep(name: str, spec: Spec) -> tuple[Path, str]:
    """The finished folder in the store, made if it is absent or damaged, and its source."""
    dtype = target_dtype(spec)
    key = digest("weights", FORMAT_VERSION, spec.sha256, spec.format, dtype)
    kept = store_root() / "weights" / key
    downloads = store_root() / "downloads" / name
    about: dict[str, object] = {"sha256": spec.sha256, "dtype": dtype}
    with locked(kept.with_name(f"{key}.lock")):
        if is_whole(kept, about, hashes=True):
            return kept, "kept"
        if kept.exists():
            print(f"weights {name}: the kept files are damaged; making them anew", file=sys.stderr)
        release, source = obtain(name, spec, downloads=downloads)

        def fill(new: Path) -> None:
            if spec.format == "gguf":
                convert_gguf(release, new, dtype=dtype)
            else:
                copy_release(release, new)
            write_json(new / "manifest.json", {**about, "files": describe(new)})

        replace_folder(kept, fill)
        shutil.rmtree(downloads, ignore_errors=True)
    return kept, source

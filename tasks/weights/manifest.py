"""manifest.json: what a prepared folder holds, and whether it still does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tasks.core.files import read_json
from tasks.core.ids import sha256_file

NAME = "manifest.json"
# Figures of one run stand beside the files but are none of the model's.
SIDE_FILES = frozenset({NAME, "timing.json"})


def describe(folder: Path) -> dict[str, dict[str, object]]:
    """Size in bytes and SHA-256 of each of the model's files, by relative path."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name not in SIDE_FILES)
    return {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": sha256_file(path),
        }
        for path in files
    }


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a folder; empty where there is none that can be read."""
    try:
        value = read_json(folder / NAME)
    except (OSError, json.JSONDecodeError, UnicodeDecodeError):
        return {}
    return value if isinstance(value, dict) else {}


def is_whole(folder: Path, identity: Mapping[str, object], *, hashes: bool) -> bool:
    """Whether the folder's manifest has the identity's entries and its files are as listed.

    Sizes are compared always, contents only with `hashes` (about a second per gigabyte).
    """
    manifest = read_manifest(folder)
    if not manifest or any(manifest.get(key) != value for key, value in identity.items()):
        return False
    for relative, entry in manifest.get("files", {}).items():
        path = folder / relative
        if not path.is_file() or path.stat().st_size != entry["bytes"]:
            return False
        if hashes and sha256_file(path) != entry["sha256"]:
            return False
    return True

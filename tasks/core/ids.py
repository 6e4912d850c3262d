"""Content and identity hashes: BLAKE2b-128 in hex."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def digest(*parts: str | bytes | int) -> str:
    """BLAKE2b-128 of the parts, each framed by its length so that ("ab","c") != ("a","bc")."""
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()


def digest_json(value: Any) -> str:
    """Digest of a JSON-able value, independent of key order."""
    return digest(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def sha256_file(path: Path) -> str:
    """SHA-256 of a file's bytes in hex, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

"""Small real wheels, and weights specifications for them."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tasks.core.params import EmbedderWeights, GeneratorWeights
from tasks.core.strict import validated


def make_wheel(folder: Path, *, name: str, version: str, members: Mapping[str, bytes]) -> Path:
    """A wheel that pip takes; `members` maps paths to contents."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    files = {
        **members,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},{_hash(data)},{len(data)}\n" for path, data in files.items())
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in files.items():
            archive.writestr(member, data)
        archive.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")
    return path


def _hash(data: bytes) -> str:
    text = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"sha256={text}"


def embedder(content: bytes, sources: list[dict[str, Any]], **more: Any) -> EmbedderWeights:
    """The parameters of safetensors weights with this content."""
    raw = {
        "backend": "sentence-transformers",
        "format": "safetensors",
        "file": "model.safetensors",
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "sources": sources,
        **more,
    }
    return validated(EmbedderWeights, raw, where="test")


def generator(content: bytes, sources: list[dict[str, Any]], **more: Any) -> GeneratorWeights:
    """The parameters of GGUF weights with this content."""
    raw = {
        "backend": "transformers",
        "template": "qwen-chat",
        "format": "gguf",
        "file": "tiny.gguf",
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "sources": sources,
        **more,
    }
    return validated(GeneratorWeights, raw, where="test")

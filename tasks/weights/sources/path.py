"""A file on this machine, or a folder that has it."""

from __future__ import annotations

from pathlib import Path

from tasks.core.errors import CodeGraftError
from tasks.core.params import EmbedderWeights, GeneratorWeights, PathSource


def fetch(spec: GeneratorWeights | EmbedderWeights, source: PathSource, *, folder: Path) -> Path:
    """The file itself, read where it is; `folder` is not used."""
    if source.path is None:
        raise CodeGraftError("no path is given")
    path = Path(source.path).expanduser()
    release = path / spec.file if path.is_dir() else path
    if not release.is_file():
        raise CodeGraftError(f"there is no file {release}")
    return release

"""Folders that are whole or absent, made of links so that a gigabyte lies on the disk once."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tasks.weights.manifest import SIDE_FILES

# What the libraries load; model cards, licences and training notes stay out, so that the folder
# has the same bytes whichever source it came from.
LOADED = (
    "*.json",
    "*.txt",
    "*.model",
    "*.jinja",
)
NOT_LOADED = frozenset({"data_config.json"})


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock between processes; the system drops it if this process dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def replace_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Let `fill` write into an empty sibling, which then takes the folder's place.

    What an interrupted run left in the sibling is dropped. Only one process may do this at once.
    """
    new = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        fill(new)
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def link_or_copy(source: Path, target: Path) -> None:
    """A hard link where the file system allows one, else a copy."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copyfile(source, target)


def link_tree(source: Path, target: Path) -> None:
    """Link all files of one folder into another, without manifest and side figures."""
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.name not in SIDE_FILES:
            link_or_copy(path, target / path.relative_to(source))


def copy_release(release: Path, target: Path) -> None:
    """Link a safetensors file and the configuration around it into `target`."""
    link_or_copy(release, target / release.name)
    for path in sorted(release.parent.rglob("*")):
        relative = path.relative_to(release.parent)
        hidden = any(part.startswith(".") for part in relative.parts)
        if path.is_file() and not hidden and is_loaded(relative.name):
            link_or_copy(path, target / relative)


def is_loaded(name: str) -> bool:
    """Whether a model library reads a file of this name beside the weights."""
    return name not in NOT_LOADED and any(Path(name).match(glob) for glob in LOADED)

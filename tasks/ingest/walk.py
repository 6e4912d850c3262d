"""The files of a folder, in the order of their paths."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tasks.core.errors import CodeGraftError
from tasks.ingest.globs import Selection
from tasks.ingest.types import RawFile, Skipped


def checked_folder(path: str) -> Path:
    """The folder at `path`, resolved. Raises CodeGraftError if there is none."""
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise CodeGraftError(
            "a corpus folder does not exist",
            where=str(folder),
            remedy="correct `path` of this source under ingest.sources in params.yaml",
        )
    return folder.resolve()


def printable(path: str) -> str:
    """A file system path with slashes and as valid Unicode: foreign bytes become escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace").replace(os.sep, "/")


def selected_paths(root: Path, selection: Selection) -> list[tuple[str, Path]]:
    """(path below root, file) for every selected file, sorted. Linked folders are not entered."""
    found: list[tuple[str, Path]] = []
    for current, folders, names in os.walk(root):
        base = printable(os.path.relpath(current, root))
        prefix = "" if base == "." else f"{base}/"
        folders[:] = [name for name in folders if selection.enters(prefix + printable(name))]
        for name in names:
            path = prefix + printable(name)
            if selection.takes(path):
                found.append((path, Path(current, name)))
    return sorted(found)


def read_files(root: Path, selection: Selection, *, max_bytes: int) -> Iterator[RawFile | Skipped]:
    """Read the selected files of a folder. What cannot be read is skipped, never an error."""
    for path, file in selected_paths(root, selection):
        yield read_file(root, path, file, max_bytes=max_bytes)


def read_file(root: Path, path: str, file: Path, *, max_bytes: int) -> RawFile | Skipped:
    """Read one file of at most `max_bytes`. A link is followed only inside `root`."""
    try:
        if file.is_symlink() and not file.resolve(strict=True).is_relative_to(root):
            return Skipped(path, "link")
        if not file.is_file():  # pipes and devices would block or never end
            return Skipped(path, "unreadable")
        with file.open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except (OSError, RuntimeError):  # RuntimeError: a loop of links
        return Skipped(path, "unreadable")
    return Skipped(path, "too-large") if len(data) > max_bytes else RawFile(path, data)

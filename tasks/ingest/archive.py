"""Files of a wheel, zip or source archive, read in memory: nothing is unpacked or run.

Archives are hostile until shown otherwise: paths that lead out, links and devices are skipped, a
file is read to `max_bytes` at most, and the whole to `max_total` at most, whatever sizes the
archive declares.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, cast

from tasks.core.errors import CodeGraftError
from tasks.ingest.globs import Selection
from tasks.ingest.types import RawFile, Reason, Skipped

DEFAULT_MAX_TOTAL = 1024**3
_DAMAGE = (
    OSError, EOFError, RuntimeError, NotImplementedError, ValueError,
    zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError,
)  # fmt: skip
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError,
)  # fmt: skip
_OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": lambda path: cast(IO[bytes], gzip.open(path)),
    ".tgz": lambda path: cast(IO[bytes], gzip.open(path)),
    ".bz2": lambda path: cast(IO[bytes], bz2.open(path)),
    ".xz": lambda path: cast(IO[bytes], lzma.open(path)),
    ".tar": lambda path: path.open("rb"),
}


@dataclass(frozen=True)
class Member:
    """A regular file in an archive. `read(n)` gives at most n bytes."""

    path: str
    size: int
    read: Callable[[int], bytes]


@dataclass(frozen=True)
class Archive:
    """An open archive: its regular files sorted by path, and what was left out."""

    members: list[Member]
    skipped: list[Skipped]

    def without_root(self) -> Archive:
        """The same with the one top folder, which source archives have, taken off all paths."""
        roots = {member.path.partition("/")[::2] for member in self.members}
        root = next(iter(roots), ("", ""))[0]
        if any(name != root or not rest for name, rest in roots):
            return self
        cut = len(root) + 1
        members = [replace(member, path=member.path[cut:]) for member in self.members]
        skipped = [
            replace(item, path=item.path[cut:]) if item.path.startswith(f"{root}/") else item
            for item in self.skipped
        ]
        return Archive(members, skipped)

    def files(
        self, selection: Selection, *, max_bytes: int, max_total: int = DEFAULT_MAX_TOTAL
    ) -> Iterator[RawFile | Skipped]:
        """Read the selected files. Raises CodeGraftError once `max_total` bytes are exceeded."""
        total = 0
        yield from (item for item in self.skipped if selection.takes(item.path))
        for member in self.members:
            if selection.takes(member.path):
                item = read_member(member, max_bytes=max_bytes)
                total += len(item.data) if isinstance(item, RawFile) else 0
                if total > max_total:
                    raise _bomb(member.path, max_total)
                yield item


@contextmanager
def open_archive(path: Path, *, max_total: int = DEFAULT_MAX_TOTAL) -> Iterator[Archive]:
    """Open a .whl, .zip, .tar, .tar.gz, .tgz, .tar.bz2 or .tar.xz file.

    Raises CodeGraftError for another or damaged format, and for a compressed tar that expands to
    more than `max_total` bytes.
    """
    try:
        if path.suffix in (".whl", ".zip"):
            with zipfile.ZipFile(path) as package:
                yield _archive([_zip_entry(package, info) for info in package.infolist()])
        elif path.suffix in _OPENERS:
            with _expanded(path, max_total) as plain, tarfile.open(fileobj=plain, mode="r:") as tar:
                yield _archive([_tar_entry(tar, info) for info in tar.getmembers()])
        else:
            raise zipfile.BadZipFile(f"unknown archive format {path.suffix!r}")
    except _BROKEN as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # of this machine, not of the archive
        raise CodeGraftError(
            f"not a readable archive: {error}",
            where=str(path),
            remedy="delete the file so that it is downloaded again",
        ) from error


def safe_path(name: str) -> str | None:
    """A member's name as a relative path with slashes; None if it leads out of the archive."""
    path = name.replace("\\", "/")
    if path.startswith("/") or re.match(r"^[A-Za-z]:", path):
        return None
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        return None
    return "/".join(parts).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _archive(entries: list[Member | Skipped | None]) -> Archive:
    members: dict[str, Member] = {}
    skipped = [entry for entry in entries if isinstance(entry, Skipped)]
    for entry in entries:
        if isinstance(entry, Member):
            if entry.path in members:
                skipped.append(Skipped(entry.path, "doubled-name"))
            members[entry.path] = entry
    return Archive([members[path] for path in sorted(members)], skipped)


def _entry(
    name: str, reason: Reason | None, size: int, read: Callable[[int], bytes]
) -> Member | Skipped:
    path = safe_path(name)
    if path is None:
        return Skipped(printable_name(name), "unsafe-path")
    return Skipped(path, reason) if reason else Member(path, size, read)


def printable_name(name: str) -> str:
    """A hostile name made harmless to match against globs: without leading ways out."""
    return re.sub(r"^(?:[A-Za-z]:|[./\\])+", "", name) or "_"


def _zip_entry(package: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member | Skipped | None:
    def read(size: int) -> bytes:
        with package.open(info) as stream:
            return stream.read(size)

    if info.is_dir():
        return None
    mode = info.external_attr >> 16
    odd = bool(stat.S_IFMT(mode)) and not stat.S_ISREG(mode)
    reason: Reason | None = "link" if odd else "unreadable" if info.flag_bits & 1 else None
    return _entry(info.filename, reason, info.file_size, read)


def _tar_entry(tar: tarfile.TarFile, info: tarfile.TarInfo) -> Member | Skipped | None:
    def read(size: int) -> bytes:
        stream = tar.extractfile(info)
        return stream.read(size) if stream else b""

    if info.isdir():
        return None
    return _entry(info.name, None if info.isreg() else "link", info.size, read)


def read_member(member: Member, *, max_bytes: int) -> RawFile | Skipped:
    """Read one file; damage and more than `max_bytes` are reasons to skip it, not errors."""
    if member.size > max_bytes:
        return Skipped(member.path, "too-large")
    try:
        data = member.read(max_bytes + 1)
    except _DAMAGE:
        return Skipped(member.path, "unreadable")
    return (
        Skipped(member.path, "too-large") if len(data) > max_bytes else RawFile(member.path, data)
    )


@contextmanager
def _expanded(path: Path, max_total: int) -> Iterator[IO[bytes]]:
    """The decompressed tar in a nameless temporary file: members are then read in any order."""
    with _OPENERS[path.suffix](path) as packed, tempfile.TemporaryFile() as plain:
        while piece := packed.read(1 << 20):
            plain.write(piece)
            if plain.tell() > max_total:
                raise _bomb(path.name, max_total)
        plain.seek(0)
        yield plain


def _bomb(where: str, max_total: int) -> CodeGraftError:
    return CodeGraftError(
        f"an archive expands to more than {max_total:,} bytes",
        where=where,
        remedy="if the package is really that large, raise `max_total` of this source",
    )

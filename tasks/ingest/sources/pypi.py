"""A package of the Python package index by name and version. Its code is read, never run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from packaging.utils import canonicalize_name
from packaging.version import Version
from pydantic import AfterValidator, Field

from tasks.core.errors import CodeGraftError
from tasks.core.ids import sha256_file
from tasks.core.strict import Strict
from tasks.ingest import licences
from tasks.ingest.archive import DEFAULT_MAX_TOTAL, Archive, Member, open_archive, read_member
from tasks.ingest.decode import decode
from tasks.ingest.download import fetch
from tasks.ingest.files import documents
from tasks.ingest.globs import DEFAULT_MAX_BYTES, Globs, MaxBytes, Selection
from tasks.ingest.types import Document, RawFile, Skipped, Source


def _version(text: str) -> str:
    return str(Version(text))  # InvalidVersion is a ValueError, which pydantic reports


class Options(Strict):
    """`sha256` pins the archive; `licence` overrides what its metadata says."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")]
    version: Annotated[str, AfterValidator(_version)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    include: Globs = ["*.py"]
    exclude: Globs = []
    max_bytes: MaxBytes = DEFAULT_MAX_BYTES
    max_total: MaxBytes = DEFAULT_MAX_TOTAL
    licence: str | None = None


def connect(options: Options) -> Source:
    """Source `pypi:<name>==<version>`.

    Raises CodeGraftError if the package cannot be fetched, read or is not the one pinned.
    """
    name = canonicalize_name(options.name)
    path = fetch(name, options.version)
    found = sha256_file(path)
    if options.sha256 not in (None, found):
        raise CodeGraftError(
            f"{path.name} has SHA-256 {found}, not the pinned {options.sha256}",
            where=str(path),
            remedy="delete the file to fetch it again, or correct `sha256`",
        )

    def items() -> Iterator[Document | Skipped]:
        return _documents(path, options)

    provenance = {"file": path.name, "sha256": found}
    return Source(f"pypi:{name}=={options.version}", items, provenance)


def _documents(path: Path, options: Options) -> Iterator[Document | Skipped]:
    selection = Selection.of(options.include, options.exclude)
    with open_archive(path, max_total=options.max_total) as archive:
        licence = options.licence or archive_licence(archive)
        if path.suffix != ".whl":
            archive = archive.without_root()
        files = archive.files(selection, max_bytes=options.max_bytes, max_total=options.max_total)
        yield from documents(files, licence_of=lambda _: licence)


def archive_licence(archive: Archive) -> str:
    """Licence by the package's metadata, else by the licence file nearest to the root."""
    for member in _matching(archive, r"(^|/)(METADATA|PKG-INFO)$"):
        if (found := licences.of_metadata(_text(member))) != licences.UNKNOWN:
            return found
    for member in _matching(archive, rf"(^|/){licences.LICENCE_NAME}$"):
        if (found := licences.of_text(_text(member))) != licences.UNKNOWN:
            return found
    return licences.UNKNOWN


def _matching(archive: Archive, pattern: str) -> list[Member]:
    found = [member for member in archive.members if re.search(pattern, member.path)]
    return sorted(found, key=lambda member: (member.path.count("/"), member.path))


def _text(member: Member) -> str:
    file = read_member(member, max_bytes=1 << 20)
    decoded = decode(file.data, coding_line=False) if isinstance(file, RawFile) else None
    return decoded.text if decoded else ""

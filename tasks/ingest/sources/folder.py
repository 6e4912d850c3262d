"""A folder or git checkout on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import Field

from tasks.core.strict import Strict
from tasks.ingest import git, licences
from tasks.ingest.files import documents
from tasks.ingest.globs import DEFAULT_MAX_BYTES, Globs, MaxBytes, Selection
from tasks.ingest.installed import read_text, recorded_licences
from tasks.ingest.types import Document, Skipped, Source
from tasks.ingest.walk import checked_folder, printable, read_files

_EXCLUDED = [
    ".git/", ".hg/", ".svn/", ".venv/", "venv/", ".tox/", ".nox/", "node_modules/",
    "__pycache__/", ".mypy_cache/", ".ruff_cache/", ".pytest_cache/", "*.egg-info/",
]  # fmt: skip


class Options(Strict):
    """`name` labels the source (default: the folder's name); `licence` overrides detection.

    `gitignore`: leave out what the checkout's .gitignore files name. Version control, virtual
    environments and caches are left out always, unless `exclude` takes them back with `!`.
    """

    path: str
    name: Annotated[str, Field(min_length=1)] | None = None
    include: Globs = ["*.py"]
    exclude: Globs = []
    gitignore: bool = True
    max_bytes: MaxBytes = DEFAULT_MAX_BYTES
    licence: str | None = None


def connect(options: Options) -> Source:
    """Source `folder:<name>`; the commit of a checkout is in its provenance.

    Raises CodeGraftError if the folder does not exist.
    """
    root = checked_folder(options.path)
    ignored = git.ignore_patterns(root) if options.gitignore else []
    selection = Selection.of(options.include, _EXCLUDED + ignored + options.exclude)

    def items() -> Iterator[Document | Skipped]:
        files = read_files(root, selection, max_bytes=options.max_bytes)
        return documents(files, licence_of=_licences(root, options.licence))

    commit = git.revision(root)
    provenance = {"revision": commit} if commit else {}
    return Source(f"folder:{options.name or printable(root.name)}", items, provenance)


def _licences(root: Path, stated: str | None) -> Callable[[str], str]:
    """Licence by path: what the user states, else a licence file or pyproject.toml in a folder
    above it, else an installed package's metadata, else a licence file in the root."""
    if stated:
        return lambda _: stated
    recorded = recorded_licences(root)
    found_in = cache(lambda folder: _stated_in(root / folder))

    def licence_of(path: str) -> str:
        above = [str(folder) for folder in PurePosixPath(path).parents]
        inner = (found_in(folder) for folder in above[:-1])
        nearest = next((found for found in inner if found != licences.UNKNOWN), None)
        return nearest or recorded.get(path) or found_in(".")

    return licence_of


def _stated_in(place: Path) -> str:
    names = sorted(path.name for path in place.iterdir()) if place.is_dir() else []
    for name in (name for name in names if licences.LICENCE_FILE.match(name)):
        if (found := licences.of_text(read_text(place / name))) != licences.UNKNOWN:
            return found
    if "pyproject.toml" in names:
        return licences.of_pyproject(read_text(place / "pyproject.toml"))
    return licences.UNKNOWN

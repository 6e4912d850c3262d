"""Fetch a package's archive from the package index without building or running any of it.

`pip download` may build a source archive to learn its dependencies, which runs the package's
code. So wheels are fetched with pip's command, and a source archive by asking pip's finder for
the link and reading the bytes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.specifiers import SpecifierSet

from tasks.core.errors import CodeGraftError
from tasks.core.store import store_root

_SUFFIXES = (".whl", ".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def fetch(name: str, version: str) -> Path:
    """The archive of a package, from the download cache or else from the index.

    Raises CodeGraftError saying what was tried.
    """
    folder = store_root() / "downloads" / "pypi" / f"{name}-{version}"
    if cached := _archives(folder):
        return cached[0]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        tried = [_fetch_wheel(name, version, Path(scratch))]
        if not _archives(Path(scratch)):
            tried.append(_fetch_source(name, version, Path(scratch)))
        if not (found := _archives(Path(scratch))):
            raise CodeGraftError(
                f"package {name}=={version} could not be fetched: "
                + "; ".join(filter(None, tried)),
                where="ingest.sources, kind pypi",
                remedy="check name, version and network, or put its wheel or source archive "
                f"into {folder}",
            )
        return found[0].replace(folder / found[0].name)


def _archives(folder: Path) -> list[Path]:
    """Archives in a folder, wheels first."""
    names = [path for path in folder.glob("*") if path.name.endswith(_SUFFIXES)]
    return sorted(names, key=lambda path: (path.suffix != ".whl", path.name))


def _fetch_wheel(name: str, version: str, folder: Path) -> str:
    """Run `pip download` for a wheel; what went wrong, if anything."""
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:",
        "--ignore-requires-python", "--no-input", "--disable-pip-version-check", "--quiet",
        "--dest", str(folder), f"{name}=={version}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    return "" if done.returncode == 0 else f"as a wheel: {(lines or ['pip failed'])[-1]}"


def _fetch_source(name: str, version: str, folder: Path) -> str:
    """Read a source archive from the link that pip's finder gives; what went wrong, if anything.

    pip has no public command for this; the finder and session used here carry the user's index,
    credentials, proxy and certificates.
    """
    from pip._internal.commands import create_command

    command = create_command("download")
    options, _ = command.parse_args(["--no-deps", "--no-binary=:all:", "--no-input", name])
    try:
        with command.main_context():
            session = command.get_default_session(options)  # type: ignore[attr-defined]
            finder = command._build_package_finder(options, session)  # type: ignore[attr-defined]
            best = finder.find_best_candidate(name, SpecifierSet(f"=={version}")).best_candidate
            if best is None:
                return "as a source archive: the index has none"
            link = best.link
            response = session.get(
                link.url_without_fragment, headers={"Accept-Encoding": "identity"}
            )
            response.raise_for_status()
            data = response.content
    except Exception as error:
        return f"as a source archive: {error}"
    if link.hash and hashlib.new(link.hash_name, data).hexdigest() != link.hash:
        return "as a source archive: its hash differs from the one that the index states"
    target = folder / os.path.basename(link.filename)
    target.write_bytes(data)
    return ""

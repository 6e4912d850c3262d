"""The part of this machine that a worker needs: an interpreter, its library, shared objects."""

from __future__ import annotations

import os
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

WORKER = Path(__file__).with_name("worker.py")
# Not -I: that would ignore PYTHONHASHSEED, the only variable there is. -S: no site-packages.
PYTHON_FLAGS = ("-s", "-S", "-P", "-B")


@dataclass(frozen=True)
class Runtime:
    """`python`: the real executable; `shown`: paths to show read-only; `hidden`: folders to mask;
    `links`: symbolic links (path, target) of a merged /usr."""

    python: str
    shown: tuple[str, ...]
    hidden: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


def find_runtime() -> Runtime:
    """The running interpreter's own runtime, without installed packages."""
    python = os.path.realpath(sys.executable)
    library = sysconfig.get_path("stdlib")
    # In a virtual environment the default would be the environment's own folder.
    extensions = sysconfig.get_path("platstdlib", vars={"platbase": sys.base_exec_prefix})
    shown = [python, library, extensions]
    shown += _mapped("libpython")
    links = []
    for path in ("/usr/lib", "/usr/lib64", "/lib", "/lib64"):
        if os.path.islink(path):
            links.append((path, os.readlink(path)))
        elif os.path.isdir(path):
            shown.append(path)
    packages = ("site-packages", "dist-packages", "test")
    hidden = [os.path.join(library, name) for name in packages]
    if os.path.isdir("/usr/lib/python3/dist-packages"):
        hidden.append("/usr/lib/python3/dist-packages")
    return Runtime(
        python=python,
        shown=tuple(_outermost(shown)),
        hidden=tuple(path for path in hidden if os.path.isdir(path)),
        links=tuple(links),
    )


def _mapped(name: str) -> list[str]:
    """Files that this process has loaded whose base name starts with `name`."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    paths = {line.split(maxsplit=5)[5] for line in lines if line.count("/")}
    return sorted(path for path in paths if os.path.basename(path).startswith(name))


def _outermost(paths: list[str]) -> list[str]:
    """The paths without those that lie inside another one, sorted."""
    unique = sorted(set(paths))
    return [p for p in unique if not any(p != q and Path(p).is_relative_to(q) for q in unique)]

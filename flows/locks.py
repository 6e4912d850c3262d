"""Locks of DVC that a killed process left behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psutil
from dvc.lock import make_lock
from dvc.repo import Repo

from tasks.core.files import write_text

_RWLOCK = "rwlock"


def drop_stale_locks(root: Path) -> None:
    """Remove path locks that no DVC process holds, so that they block no run.

    DVC itself drops those of process ids that are gone. It keeps one whose id has been given to
    another program since, as happens in a restarted container, and stops at a file that a kill
    cut off; both are mended here, under DVC's own guard of the file.
    """
    with Repo(str(root)) as repo:
        folder = Path(repo.tmp_dir)
        guard = make_lock(
            str(folder / f"{_RWLOCK}.lock"),
            tmp_dir=repo.tmp_dir,
            hardlink_lock=repo.config["core"].get("hardlink_lock", False),
            wait=True,
        )
    with guard:
        path = folder / _RWLOCK
        if not path.is_file():
            return
        text = path.read_text(encoding="utf-8")
        kept = _held(text)
        if kept != text:
            write_text(path, kept)


def _held(text: str) -> str:
    """The file's text without what nobody holds."""
    try:
        locks = json.loads(text)
        write = {p: info for p, info in locks.get("write", {}).items() if _is_dvc(info)}
        read = {p: list(filter(_is_dvc, infos)) for p, infos in locks.get("read", {}).items()}
    except (ValueError, AttributeError, TypeError, KeyError):
        return "{}"
    held = {"write": write, "read": {p: infos for p, infos in read.items() if infos}}
    return json.dumps(held) if held != {"write": {}, "read": {}} else "{}"


def _is_dvc(info: dict[str, Any]) -> bool:
    """Whether the process of a lock lives and is the one that took it."""
    try:
        running = psutil.Process(int(info["pid"])).cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False
    except psutil.AccessDenied:
        return True
    return any(Path(part).name in ("dvc", "__main__.py") or part == "dvc" for part in running)

"""Locks that no DVC process holds any more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.locks import drop_stale_locks
from tests.flows.project import make

STAGE = """
  one: {cmd: echo 1 > one, outs: [one]}
"""


@pytest.fixture
def project(folder: Path) -> Path:
    return make(folder, STAGE)


@pytest.fixture
def holder() -> Iterator[subprocess.Popen[bytes]]:
    """A process that looks like a running DVC."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "dvc"])
    yield process
    process.kill()
    process.wait()


def _dvc(project: Path, *command: str) -> int:
    full = [sys.executable, "-m", "dvc", *command]
    return subprocess.run(full, cwd=project, capture_output=True).returncode


def _lock(project: Path, pid: int) -> dict[str, Any]:
    return {"write": {str(project / "one"): {"pid": pid, "cmd": "dvc repro"}}, "read": {}}


@pytest.mark.parametrize("left", ["", '{"write": {"a', "another program's"])
def test_what_would_stop_dvc_is_removed(project: Path, left: str) -> None:
    """A cut-off file, and a lock whose process id belongs to another program now."""
    path = project / ".dvc/tmp/rwlock"
    path.write_text(json.dumps(_lock(project, os.getppid())) if "program" in left else left)
    assert _dvc(project, "repro") != 0
    drop_stale_locks(project)
    assert _dvc(project, "repro") == 0


def test_a_lock_that_dvc_holds_stays(project: Path, holder: subprocess.Popen[bytes]) -> None:
    path = project / ".dvc/tmp/rwlock"
    held = _lock(project, holder.pid)
    held["read"] = {"/a": [{"pid": holder.pid, "cmd": "dvc"}, {"pid": 2**22 + 1, "cmd": "dvc"}]}
    path.write_text(json.dumps(held))
    drop_stale_locks(project)
    held["read"]["/a"].pop()
    assert json.loads(path.read_text()) == held

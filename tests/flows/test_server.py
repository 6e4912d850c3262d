"""Which server a flow talks to, and what it says when there is none."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from flows.server import HOST, announced, free_port, is_up, running_url
from tests.flows.project import ROOT, make

STAGE = """
  one: {cmd: echo 1 > one, outs: [one]}
"""


def _run(folder: Path, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    base = {key: value for key, value in os.environ.items() if not key.startswith("PREFECT_")}
    return subprocess.run(
        [sys.executable, "-m", "flows.reproduce"],
        cwd=folder,
        env={**base, "PYTHONPATH": str(ROOT), "PREFECT_HOME": str(home), **env},
        capture_output=True,
        text=True,
    )


def test_without_a_server_the_ways_out_are_told(folder: Path, tmp_path: Path) -> None:
    ended = _run(make(folder, STAGE), tmp_path / "home")
    assert ended.returncode == 2
    assert "make ui" in ended.stderr and "--ephemeral" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_flow_refuses_to_run_inside_a_stage(folder: Path, tmp_path: Path) -> None:
    ended = _run(make(folder, STAGE), tmp_path / "home", DVC_STAGE="report")
    assert ended.returncode == 2 and "inside a DVC stage" in ended.stderr


def test_an_address_that_does_not_answer_is_named(folder: Path, tmp_path: Path) -> None:
    url = f"http://{HOST}:{free_port()}/api"
    ended = _run(make(folder, STAGE), tmp_path / "home", PREFECT_API_URL=url)
    assert ended.returncode == 2 and url in ended.stderr


def test_a_taken_port_gives_another() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        assert free_port(port) != port
    assert free_port(port) == port


def test_the_address_is_known_while_the_server_runs(
    server: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    assert running_url() is None
    with announced(server["PREFECT_API_URL"]):
        assert running_url() == server["PREFECT_API_URL"]
    assert running_url() is None
    assert not is_up(f"http://{HOST}:{free_port()}/api")

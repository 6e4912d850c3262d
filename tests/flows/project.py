"""A small DVC project whose stages succeed, fail, are killed and take long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
LONG = """
import json, os, subprocess, sys, time
from pathlib import Path
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"],
                         start_new_session=True)
print("begins", flush=True)
for done in range(1, {steps} + 1):
    event = dict(stage="counting", done=done, total={steps}, unit="steps", elapsed_s=0.1 * done)
    with open(os.environ["CODEGRAFT_PROGRESS"], "a") as sink:
        sink.write(json.dumps(event) + "\\n")
    Path("pids").write_text(f"{{os.getpid()}} {{child.pid}}")
    time.sleep(0.1)
child.kill()
Path("{out}").write_text("done")
"""
MEET = """
import sys, time
from pathlib import Path
mine, other = Path(sys.argv[1] + ".here"), Path(sys.argv[2] + ".here")
mine.write_text("")
deadline = time.monotonic() + 30
while not other.exists():
    assert time.monotonic() < deadline, "the other stage never ran beside this one"
    time.sleep(0.05)
Path(sys.argv[1]).write_text("met")
"""
BAD = """
import sys
if open("switch").read() != "on":
    sys.exit("some talk\\nerror: the switch is off\\n  remedy: write `on` to it")
open("bad.txt", "w").write("good after all")
"""


def make(folder: Path, stages: str, **scripts: str) -> Path:
    """A git repository with DVC, a dvc.yaml and scripts; the folder's path is returned."""
    folder.mkdir(parents=True)
    for command in (["git", "init", "-q"], [sys.executable, "-m", "dvc", "init", "-q"]):
        subprocess.run(command, cwd=folder, check=True)
    config = "[core]\n  analytics = false\n  check_update = false\n  autostage = false\n"
    (folder / ".dvc/config").write_text(config)
    (folder / "dvc.yaml").write_text(f"stages:{stages}")
    for name, text in scripts.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def start(folder: Path, env: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    """`python -m flows.reproduce …` in the folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "flows.reproduce", *arguments],
        cwd=folder,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit code and output."""
    output = process.communicate(timeout=90)[0]
    return process.returncode, output


def living(folder: Path) -> list[str]:
    """Command lines of the processes that run in the folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and process.cwd() == str(folder):
                found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found

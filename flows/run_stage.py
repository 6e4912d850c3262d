"""Run one stage through DVC and judge how it went. Knows processes, not Prefect."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flows.outcomes import Outcome, is_busy, judge
from flows.process import run_tree

_KEPT_LINES = 400
_BUSY_S = 5.0


def stage_environment(base: Mapping[str, str]) -> dict[str, str]:
    """What a stage's command sees: this environment's `python` first, nothing of Prefect's run."""
    env = {key: value for key, value in base.items() if not key.startswith("PREFECT__")}
    return {**env, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{base.get('PATH', '')}"}


def run_stage(
    stage: str,
    *,
    root: Path,
    force: bool,
    stop: threading.Event,
    on_line: Callable[[str], None],
    on_event: Callable[[dict[str, Any]], None],
) -> Outcome:
    """Give one stage to `dvc repro --single-item`; wait while another DVC holds its files."""
    command = [sys.executable, "-m", "dvc", "--wait-for-lock", "repro", "--single-item", stage]
    if force:
        command.append("--force")
    begun = time.monotonic()
    while True:
        lines: deque[str] = deque(maxlen=_KEPT_LINES)

        def keep(line: str, lines: deque[str] = lines) -> None:
            lines.append(line)
            if line.strip():
                on_line(line)

        code = run_tree(
            command,
            env=stage_environment(os.environ),
            cwd=root,
            stop=stop,
            on_line=keep,
            on_event=on_event,
        )
        seconds = time.monotonic() - begun
        if stop.is_set() and code != 0:
            return Outcome(stage, "Stopped", "run it again to continue", seconds)
        if code == 0 or not is_busy(lines):
            return judge(stage, code, lines, seconds)
        on_line(f"another DVC command uses this stage's files; next try in {_BUSY_S:.0f} s")
        stop.wait(_BUSY_S)

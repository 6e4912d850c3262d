"""Run a sweep's commands. Knows processes, not Prefect."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from flows.outcomes import judge
from flows.process import run_tree
from flows.run_stage import stage_environment

_KEPT_LINES = 400


def run_command(
    command: Sequence[str],
    *,
    root: Path,
    on_line: Callable[[str], None],
    on_event: Callable[[dict[str, Any]], None],
    stop: threading.Event | None = None,
) -> str:
    """Run a command to its end; the reason why it failed, or "".

    Raises KeyboardInterrupt if `stop` ended it.
    """
    lines: deque[str] = deque(maxlen=_KEPT_LINES)

    def keep(line: str) -> None:
        lines.append(line)
        if line.strip():
            on_line(line)

    env = stage_environment(os.environ)
    code = run_tree(command, env=env, cwd=root, on_line=keep, on_event=on_event, stop=stop)
    if stop is not None and stop.is_set():
        raise KeyboardInterrupt
    outcome = judge("point", code, lines, 0.0)
    return "" if outcome.good else outcome.reason or f"exit code {code}"


def quiet(command: Sequence[str]) -> str:
    """Run a command without showing its lines."""
    return run_command(
        command, root=Path.cwd(), on_line=lambda line: None, on_event=lambda event: None
    )

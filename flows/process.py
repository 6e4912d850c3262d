"""Run a command on a leash: lines and progress events come out, no process of it stays behind."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

OnLine = Callable[[str], None]
OnEvent = Callable[[dict[str, Any]], None]

_LEASH = Path(__file__).with_name("leash.py")
_TICK_S = 0.5


@contextmanager
def leashed(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path | None = None,
    output: int | IO[bytes] | None = subprocess.PIPE,
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command on a leash (leash.py); at the end of the block its tree is stopped.

    Closing the process's `stdin` lets the leash go. `output` takes both of its streams; None leaves
    them where this process's go. The exit code is the command's, or 128 and the signal that ended
    it.
    """
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(_LEASH), *command],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=dict(env),
        cwd=cwd,
        start_new_session=True,  # Ctrl-C on the terminal is for the holder of the leash
    )
    try:
        yield process
    finally:
        _let_go(process)
        process.wait()
        if process.stdout:
            process.stdout.close()


def run_tree(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    on_line: OnLine,
    on_event: OnEvent,
    cwd: Path | None = None,
    stop: threading.Event | None = None,
) -> int:
    """Run a command to its end and return its exit code (128 and the number for a signal).

    `on_line` gets each line of its output, `on_event` each progress event that it or a process
    below it writes to $CODEGRAFT_PROGRESS, both in the calling thread. The whole tree is stopped
    when `stop` is set, when the caller is interrupted, and when this process dies by any cause.
    """
    with tempfile.TemporaryDirectory(prefix="codegraft-") as folder:
        events = _Events(Path(folder) / "progress.jsonl", on_event)
        merged = {**env, "CODEGRAFT_PROGRESS": str(events.path), "PYTHONUNBUFFERED": "1"}
        with leashed(command, env=merged, cwd=cwd) as process:
            try:
                _follow(process, on_line, events, stop)
            except BaseException:
                _let_go(process)
                raise
            code = process.wait()
        events.read()
        return code


def _let_go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()


def _follow(
    process: subprocess.Popen[bytes],
    on_line: OnLine,
    events: _Events,
    stop: threading.Event | None,
) -> None:
    """Hand on lines and events until the command's output ends."""
    assert process.stdout is not None
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if selector.select(timeout=_TICK_S):
                chunk = os.read(process.stdout.fileno(), 65536)
                if not chunk:
                    break
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    on_line(_text(line))
            events.read()
            if stop is not None and stop.is_set():
                _let_go(process)
    if rest:
        on_line(_text(rest))


def _text(line: bytes) -> str:
    """A line as a terminal would show it: what follows the last carriage return."""
    return line.decode(errors="replace").rstrip("\r").rpartition("\r")[2]


class _Events:
    """Reads the lines that were added to a file of progress events since the last look."""

    def __init__(self, path: Path, on_event: OnEvent) -> None:
        self.path, self._on_event = path, on_event
        self._offset = 0

    def read(self) -> None:
        """Hand on the events of complete lines; a line that is not an event is passed over."""
        try:
            with self.path.open("rb") as stream:
                stream.seek(self._offset)
                added = stream.read()
        except FileNotFoundError:
            return
        complete = added[: added.rfind(b"\n") + 1]
        self._offset += len(complete)
        for line in complete.splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                self._on_event(event)

"""Starts one worker process and collects what it writes, within time and size."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from tasks.sandbox.types import Launch

CHANNEL_BYTES = 16384
_GRACE_S = 2.0  # after the worker has ended or was killed, until its pipes must have closed


@dataclass(frozen=True)
class Raw:
    """What a worker left: exit code as Popen gives it, and the bytes of its three streams."""

    exit_code: int
    timed_out: bool
    channel: bytes
    stdout: bytes
    stderr: bytes
    wall_s: float


class _Sink:
    """Keeps the first `limit` bytes of a stream and reads the rest away."""

    def __init__(self, limit: int) -> None:
        self.limit, self.data = limit, bytearray()

    def take(self, fd: int) -> bool:
        """Read once; False at the end of the stream."""
        piece = os.read(fd, 65536)
        self.data += piece[: self.limit - len(self.data)]
        return bool(piece)


def run_worker(
    launch: Launch, payload: bytes, channel: tuple[int, int], *, wall_s: float, output_bytes: int
) -> Raw:
    """Run the worker on `payload` (its standard input) and wait for its end.

    `channel` is the pipe of verdicts (read end, write end); both are closed here. After `wall_s`
    seconds the worker's process group is killed; the backend sees to what left that group.
    """
    start = time.monotonic()
    reader, writer = channel
    with ExitStack() as stack:
        stack.callback(os.close, reader)
        try:
            process = _start(launch, payload, writer)
        finally:
            os.close(writer)
        stack.callback(_kill, process)
        assert process.stdout and process.stderr
        out, err = stack.enter_context(process.stdout), stack.enter_context(process.stderr)
        sinks = {
            reader: _Sink(CHANNEL_BYTES),
            out.fileno(): _Sink(output_bytes),
            err.fileno(): _Sink(output_bytes),
        }
        timed_out = _collect(process, sinks, deadline=start + wall_s)
        _kill(process)
        data = [bytes(sink.data) for sink in sinks.values()]
        wall = time.monotonic() - start
        return Raw(process.returncode, timed_out, data[0], data[1], data[2], wall)


def _start(launch: Launch, payload: bytes, writer: int) -> subprocess.Popen[bytes]:
    with os.fdopen(os.memfd_create("job"), "w+b") as stdin:
        stdin.write(payload)
        stdin.seek(0)
        return subprocess.Popen(
            launch.argv,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(writer, *launch.pass_fds),
            # Hash order is part of a program's behaviour: fixed, so that verdicts repeat.
            env={"PYTHONHASHSEED": "0"},
            cwd=launch.cwd,
            start_new_session=True,  # Ctrl-C is for us; it must not look like a program's crash
            user=launch.uid,
            group=launch.uid,
            extra_groups=None if launch.uid is None else [],
        )


def _collect(process: subprocess.Popen[bytes], sinks: dict[int, _Sink], *, deadline: float) -> bool:
    """Read until all streams have ended and the process too; True if the deadline came first.

    A stream that stays open after the process has ended is held by something that left its tree;
    it is given up after a moment.
    """
    timed_out = ended = False
    pidfd = os.pidfd_open(process.pid)
    with selectors.DefaultSelector() as selector:
        for fd in (*sinks, pidfd):
            selector.register(fd, selectors.EVENT_READ)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0 and (ended or timed_out):
                break
            if left <= 0:
                timed_out = True
                _kill(process)
                deadline = time.monotonic() + _GRACE_S
            for key, _ in selector.select(max(left, 0)):
                if key.fd == pidfd:
                    ended = True
                    deadline = min(deadline, time.monotonic() + _GRACE_S)
                elif sinks[key.fd].take(key.fd):
                    continue
                selector.unregister(key.fd)
    os.close(pidfd)
    return timed_out


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the worker's process group and reap the worker."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()

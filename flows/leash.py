"""`python leash.py COMMAND…` runs a command; nothing of its process tree outlives the leash.

The leash is held by whoever has the write end of this process's standard input. When that closes,
because it was let go or because the holder was killed in any way, the tree is stopped: first as
Ctrl-C would, so that DVC takes its locks back, then for good. As the subreaper of the tree this
process also finds those that changed their group or lost their parents. Standard library only:
it starts in a few hundredths of a second.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

GRACE_S = 10.0
_LEFTOVER_S = 1.0
_PR_SET_CHILD_SUBREAPER = 36
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def descendants(root: int) -> list[int]:
    """Process ids below `root`, from /proc; zombies are not counted."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if fields[0] != "Z":
                children.setdefault(int(fields[1]), []).append(int(entry.name))
    found: list[int] = []
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _reap(child: int, status: int | None) -> int | None:
    """Collect ended processes; the child's wait status once it is known."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, ended = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == child:
                status = ended
    return status


def _end(child: int, status: int | None, grace_s: float) -> int | None:
    """Give the tree some time to end by itself, then kill what is left of it."""
    deadline = time.monotonic() + grace_s
    while descendants(os.getpid()):
        if time.monotonic() >= deadline:
            for pid in descendants(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
        status = _reap(child, status)
    return _reap(child, status)


def main() -> int:
    """Run the command to its end or to the end of the leash; exit code as a shell reports it."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, *_STOPPING):
        # A handler, unlike SIG_IGN, is not inherited by the command.
        signal.signal(number, lambda *_: None)
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, process_group=0).pid
    status = None
    while status is None:
        ready = select.select([0, woken], [], [])[0]
        numbers = os.read(woken, 4096) if woken in ready else b""
        status = _reap(child, status)
        if 0 in ready or any(number in numbers for number in _STOPPING):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGINT)
            status = _end(child, status, GRACE_S)
            break
    status = _end(child, status, _LEFTOVER_S)
    code = os.waitstatus_to_exitcode(status or 0)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    raise SystemExit(main())

"""A bare process with resource limits: for machines without namespaces, when asked for by name.

It protects neither the user's files nor the network nor other processes, and a program that leaves
its process group outlives its job.
"""

from __future__ import annotations

import shutil
import sys
import tempfile

from tasks.sandbox.runtime import PYTHON_FLAGS, WORKER, find_runtime
from tasks.sandbox.types import Launch, Limits

_WARNING = """\
WARNING: backend `process` does not isolate. Programs written by a model run with your rights:
they can read and delete your files, use the network and outlive their job. Only memory,
processor time, file size and wall time are limited. Use it on a machine that may be lost.
"""


def open_backend() -> BareProcess:
    """Warn loudly and make the folder that programs start in."""
    sys.stderr.write(_WARNING)
    return BareProcess()


class BareProcess:
    """An opened process backend (protocol `Sandbox`)."""

    isolation = "process"
    # The kernel counts all processes of the user, not only the sandbox's.
    limits_processes = False

    def __init__(self) -> None:
        self._python = find_runtime().python
        self._folder = tempfile.mkdtemp(prefix="codegraft-")

    def launch(self, slot: int, limits: Limits) -> Launch:
        """The worker's command; slots do not differ."""
        return Launch(argv=(self._python, *PYTHON_FLAGS, str(WORKER)), cwd=self._folder)

    def oom_kills(self, slot: int) -> int:
        """Never known."""
        return 0

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)

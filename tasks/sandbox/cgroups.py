"""Control groups, version 1 or 2, that bound memory and processes of a whole sandbox.

They exist where this process may make a group below its own: as root, in a delegated subtree.
Elsewhere the sandbox does with resource limits, and the isolation level says so.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from tasks.sandbox.types import Limits

_NAME = re.compile(r"codegraft-(\d+)-\w+-\d+")
_ROOT = Path("/sys/fs/cgroup")
# The sandbox's own helpers count as processes too: launcher and init.
_HELPERS = 2
_REAPED_S = 5.0


def _parent(controller: str) -> tuple[Path, int] | None:
    """The folder below which groups may be made, and the version of its hierarchy.

    In version 2 that is the nearest one above our own that hands the controller down.
    """
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
            number, names, path = line.split(":", 2)
            if controller in names.split(","):
                return _ROOT / controller / path.lstrip("/"), 1
            if number == "0" and (_ROOT / "cgroup.controllers").exists():
                own = _ROOT / path.lstrip("/")
                for folder in (own, *own.parents):
                    if not folder.is_relative_to(_ROOT):
                        break
                    handed_down = (folder / "cgroup.subtree_control").read_text().split()
                    if controller in handed_down and os.access(folder, os.W_OK):
                        return folder, 2
    return None


class Group:
    """One controller's group for each slot. `available()` says whether they can be made."""

    def __init__(self, controller: str) -> None:
        self.controller = controller
        self._place = _parent(controller)
        self._slots: dict[int, Path] = {}
        # Two sandboxes may be open in one process.
        self._name = f"codegraft-{os.getpid()}-{secrets.token_hex(4)}"

    def available(self) -> bool:
        """Whether a group can be made here, a limit be set on it and a process enter it."""
        try:
            if procs := self.enter(0, Limits()):
                command = ["/bin/sh", "-c", 'echo 0 >"$1"', "sh", str(procs)]
                subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.SubprocessError):
            self.close()
            self._place = None
        return self._place is not None

    def enter(self, slot: int, limits: Limits) -> Path | None:
        """Make the slot's group with these limits; its `cgroup.procs`, or None without groups."""
        if self._place is None:
            return None
        parent, version = self._place
        group = parent / f"{self._name}-{slot}"
        if slot not in self._slots:
            _remove_stale(parent)
            group.mkdir(exist_ok=True)
            self._slots[slot] = group
        for name, value in _settings(self.controller, version, limits).items():
            # Swap files are absent where the kernel does not count swap.
            if (group / name).exists() or "sw" not in name:
                (group / name).write_text(str(value))
        return group / "cgroup.procs"

    def oom_kills(self, slot: int) -> int:
        """How often the kernel killed in this slot's group so far."""
        if self._place is None or slot not in self._slots:
            return 0
        name = "memory.oom_control" if self._place[1] == 1 else "memory.events"
        with suppress(OSError):
            for line in (self._slots[slot] / name).read_text().splitlines():
                if line.startswith("oom_kill "):
                    return int(line.split()[1])
        return 0

    def wait_empty(self, slot: int) -> None:
        """Wait until the slot's last job has left nothing; a dead process counts until reaped."""
        if slot not in self._slots:
            return
        deadline = time.monotonic() + _REAPED_S
        current = self._slots[slot] / "pids.current"
        while time.monotonic() < deadline and int(current.read_text()) > 0:
            time.sleep(0.001)

    def close(self) -> None:
        """Remove the groups, and those of processes that were killed before they could."""
        for group in self._slots.values():
            with suppress(OSError):
                group.rmdir()
        self._slots.clear()
        if self._place is not None:
            _remove_stale(self._place[0])


def _settings(controller: str, version: int, limits: Limits) -> dict[str, int]:
    """Files and values; the order matters, as memory with swap may not be below memory."""
    if controller == "pids":
        return {"pids.max": limits.processes + _HELPERS}
    size = limits.memory_mb << 20
    if version == 2:
        return {"memory.max": size, "memory.swap.max": 0}
    return {"memory.limit_in_bytes": size, "memory.memsw.limit_in_bytes": size}


def _remove_stale(parent: Path) -> None:
    """Remove groups of processes that were killed before they could."""
    for group in parent.glob("codegraft-*"):
        match = _NAME.fullmatch(group.name)
        if match and not Path("/proc", match[1]).exists():
            with suppress(OSError):
                group.rmdir()

"""What became of a stage, and what its output says about it."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["Completed", "Cached", "Failed", "Crashed", "Not run", "Stopped"]
GOOD: tuple[Kind, ...] = ("Completed", "Cached")

_EXITED = re.compile(r"failed to run: .*, exited with (-?\d+)$")
_RAN = "Running stage '"
_DVC_ERROR = "ERROR: failed to reproduce"
_RESTORED = "is cached - skipping run"
_BUSY = "is busy, it is being blocked by:"
_MAX_REASON_LINES = 12


@dataclass(frozen=True)
class Outcome:
    """How a stage ended, why, and after how many seconds."""

    stage: str
    kind: Kind
    reason: str = ""
    seconds: float = 0.0

    @property
    def good(self) -> bool:
        """Whether stages that read from this one may run."""
        return self.kind in GOOD


def is_busy(lines: Iterable[str]) -> bool:
    """Whether DVC refused because another DVC process holds one of the stage's paths."""
    return any(_BUSY in line for line in lines)


def judge(stage: str, code: int, lines: Iterable[str], seconds: float) -> Outcome:
    """The outcome of `dvc repro --single-item` from its exit code and output."""
    if code == 0:
        if any(line.startswith(_RAN) for line in lines):
            return Outcome(stage, "Completed", "", seconds)
        restored = any(_RESTORED in line for line in lines)
        reason = "outputs taken from the run cache" if restored else "inputs did not change"
        return Outcome(stage, "Cached", reason, seconds)
    exited = [int(found[1]) for line in lines if (found := _EXITED.search(line))]
    if number := _signal_of(exited[-1] if exited else code):
        return Outcome(stage, "Crashed", f"killed by {_signal_name(number)}", seconds)
    return Outcome(stage, "Failed", _error_text(lines) or f"exit code {code}", seconds)


def _signal_of(code: int) -> int:
    """The signal behind an exit code, 0 if there is none; a shell reports 128 and the signal."""
    number = -code if code < 0 else code - 128
    return number if 0 < number <= signal.SIGRTMAX else 0


def _signal_name(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return f"{name} (often: out of memory)" if name == "SIGKILL" else name


def _error_text(lines: Iterable[str]) -> str:
    """The stage's own error: its `error:` block, else a traceback's end, else the last lines."""
    said = [line for line in lines if line.strip()]
    own = [line for line in said if not line.startswith((_RAN, _DVC_ERROR, "> ", "WARNING: "))]
    if not own:
        return said[-1].removeprefix("ERROR: ") if said else ""
    starts = [index for index, line in enumerate(own) if line.lower().startswith("error:")]
    if starts:
        block = own[starts[-1] :]
    elif any(line.startswith("Traceback (most recent") for line in own):
        block = own[-1:]
    else:
        block = own[-3:]
    return "\n".join(block[:_MAX_REASON_LINES]).strip()

"""From what a worker left to the outcome of its job."""

from __future__ import annotations

import re
import signal

from tasks.sandbox.capture import CHANNEL_BYTES, Raw
from tasks.sandbox.types import Outcome, Status
from tasks.sandbox.worker import TIMED_OUT

_VERDICTS: dict[str, Status] = {"pass": "pass", "fail": "fail", "oom": "oom"}
_Finding = tuple[Status, str, str, bool]  # status, error_type, detail, suspect


def judge(raw: Raw, nonce: str, *, isolation: str, oom_kills: int) -> Outcome:
    """The outcome; the verdict line counts only with the nonce and as the harness sends it.

    `oom_kills`: processes that the kernel killed for the memory limit during this job.
    """
    status, error_type, detail, suspect = _find(raw, nonce, oom_kills)
    return Outcome(
        status=status,
        error_type=error_type,
        detail=detail,
        stdout=raw.stdout.decode("utf-8", "replace"),
        stderr=raw.stderr.decode("utf-8", "replace"),
        isolation=isolation,
        wall_s=raw.wall_s,
        suspect=suspect,
    )


def _find(raw: Raw, nonce: str, oom_kills: int) -> _Finding:
    lines = raw.channel.decode("utf-8", "replace").splitlines()
    frames = [line.split("\t") for line in lines]
    if frames[:1] != [[nonce, "ready", "", ""]]:
        return "infra", "", f"the worker did not start: {_last_line(raw.stderr)}", False
    told = frames[1:]
    if len(raw.channel) >= CHANNEL_BYTES or len(told) > 1:
        return "tampered", "", "more than one verdict on the channel", False
    if told:
        frame = told[0]
        if len(frame) != 4 or frame[0] != nonce or frame[1] not in _VERDICTS:
            return "tampered", "", "a verdict that the harness did not write", False
        if not oom_kills:
            return _VERDICTS[frame[1]], _class_name(frame[2]), frame[3], False
    if oom_kills:
        return "oom", "", "killed for the memory limit", False
    return _without_verdict(raw)


def _without_verdict(raw: Raw) -> _Finding:
    if raw.timed_out or raw.exit_code == TIMED_OUT:
        return "timeout", "", "wall time", True
    ended_by = _signal(raw.exit_code)
    if ended_by == signal.SIGXCPU:
        return "timeout", "", "processor time", False
    if ended_by:
        # SIGKILL may be the machine's own lack of memory, or a caught processor limit.
        return "crash", "", f"ended by signal {ended_by}", ended_by == signal.SIGKILL
    return "crash", "", f"ended without a verdict, exit code {raw.exit_code}", False


def _signal(exit_code: int) -> int:
    """The signal that ended the worker: Popen's negative code, or the shell's 128 + n."""
    if exit_code < 0:
        return -exit_code
    return exit_code - 128 if 128 < exit_code < 128 + signal.NSIG else 0


def _class_name(text: str) -> str:
    return text if re.fullmatch(r"\w{0,80}", text) else "Exception"


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else "no message"

"""Runs jobs in a sandbox, several at a time, in the order they came."""

from __future__ import annotations

import marshal
import os
import secrets
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue

from tasks.core import plugins
from tasks.core.errors import CodeGraftError
from tasks.sandbox.backends.bubblewrap import TMP_MB
from tasks.sandbox.capture import run_worker
from tasks.sandbox.types import Job, Limits, Outcome, Sandbox
from tasks.sandbox.verdict import judge

BACKENDS = "tasks.sandbox.backends"
_ATTEMPTS = 3  # for errors of the sandbox itself
_SPARE_S = 5.0  # for starting and ending a sandbox on a loaded machine


def open_sandbox(backend: str) -> Sandbox:
    """Open a backend by name.

    Raises CodeGraftError if it is unknown or lacks a primitive on this machine; nothing weaker is
    ever put in its place.
    """
    sandbox: Sandbox = plugins.load(BACKENDS, backend, "open_backend")()
    return sandbox


def run_jobs(
    jobs: Iterable[Job], *, limits: Limits, backend: str, workers: int = 0
) -> Generator[tuple[str, Outcome], None, None]:
    """Run the jobs, `workers` at a time (0: one a core); yield (key, outcome) in their order.

    Each job has a fresh process and a fresh file system. Jobs are drawn as they are needed.
    Raises CodeGraftError if the sandbox itself fails three times on one job.
    """
    count = workers or os.cpu_count() or 1
    slots: SimpleQueue[int] = SimpleQueue()
    for slot in range(count):
        slots.put(slot)
    sandbox = open_sandbox(backend)
    pool = ThreadPoolExecutor(count, thread_name_prefix="sandbox")
    waiting: deque[tuple[str, Future[Outcome]]] = deque()
    try:
        for job in jobs:
            waiting.append((job.key, pool.submit(_run, sandbox, slots, job, limits)))
            if len(waiting) >= 4 * count:
                yield _next(waiting)
        while waiting:
            yield _next(waiting)
    finally:
        pool.shutdown(cancel_futures=True)
        sandbox.close()


def _next(waiting: deque[tuple[str, Future[Outcome]]]) -> tuple[str, Outcome]:
    key, future = waiting.popleft()
    return key, future.result()


def _run(sandbox: Sandbox, slots: SimpleQueue[int], job: Job, limits: Limits) -> Outcome:
    slot = slots.get()
    try:
        for _ in range(_ATTEMPTS):
            outcome = run_once(sandbox, slot, job, limits)
            if outcome.status != "infra":
                return outcome
    finally:
        slots.put(slot)
    raise CodeGraftError(
        f"the sandbox failed {_ATTEMPTS} times: {outcome.detail}",
        where=f"job {job.key}, {outcome.isolation}",
        remedy="free memory and processes on this machine and run again; finished work is kept",
    )


def run_once(sandbox: Sandbox, slot: int, job: Job, limits: Limits) -> Outcome:
    """Run one job in one slot of an opened sandbox."""
    nonce = secrets.token_hex(16)
    killed = sandbox.oom_kills(slot)
    launch = sandbox.launch(slot, limits)
    reader, writer = os.pipe()
    payload = marshal.dumps(
        {
            "nonce": nonce,
            "channel": writer,
            "wall_s": limits.wall_s,
            "source": _encodable(job.source),
            "check": _encodable(job.check),
            "limits": _rlimits(limits, processes=sandbox.limits_processes),
        }
    )
    raw = run_worker(
        launch,
        payload,
        (reader, writer),
        # The worker keeps the time; this is for one that cannot.
        wall_s=limits.wall_s + _SPARE_S,
        output_bytes=limits.output_kb << 10,
    )
    kills = sandbox.oom_kills(slot) - killed
    return judge(raw, nonce, isolation=sandbox.isolation, oom_kills=kills)


def _encodable(source: str) -> str:
    """Lone surrogates cannot be passed on; compiling them is an error anyway."""
    return source.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _rlimits(limits: Limits, *, processes: bool) -> dict[str, int]:
    values = {
        "RLIMIT_AS": limits.memory_mb << 20,
        "RLIMIT_CPU": limits.cpu_limit_s,
        "RLIMIT_FSIZE": TMP_MB << 20,
        "RLIMIT_NOFILE": 256,
        "RLIMIT_CORE": 0,
    }
    if processes:
        # bubblewrap's init has the same user and counts.
        values["RLIMIT_NPROC"] = limits.processes + 1
    return values

"""Run the jobs of a sweep one after the other, and leave the workspace as it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tasks.core.errors import CodeGraftError
from tasks.core.store import Store
from tasks.sweep.experiments import command, drop_outdated, dvc, finished
from tasks.sweep.journal import Journal
from tasks.sweep.naming import experiment_name
from tasks.sweep.plan import Job, Plan

# Runs a command and returns why it failed, or "".
Execute = Callable[[Sequence[str]], str]


@dataclass(frozen=True)
class Outcome:
    """What became of a job.

    `state`: ran, kept (an experiment with the same parameters and code was there) or failed, with
    the `reason`. `seconds` are those of the run that made the experiment, None if unknown.
    """

    job: Job
    name: str
    state: Literal["ran", "kept", "failed"]
    commit: str = ""
    seconds: float | None = None
    reason: str = ""


@contextmanager
def workspace(root: Path, execute: Execute) -> Iterator[Journal]:
    """Hold the workspace for a sweep; it is put back when the block ends in any way.

    What a killed sweep left is put back first. Raises CodeGraftError where the workspace cannot
    be held: changed code, or another sweep at work.
    """
    journal = Journal(root)
    with journal.locked():
        recover(journal, execute)
        journal.open()
        try:
            yield journal
        finally:
            put_back(journal, execute)


def restore_workspace(root: Path, execute: Execute) -> bool:
    """Put back what a killed sweep left, whatever happened since; whether there was anything."""
    journal = Journal(root)
    with journal.locked():
        if journal.pending:
            put_back(journal, execute)
            return True
    return False


def recover(journal: Journal, execute: Execute) -> bool:
    """Put back what a killed sweep left; whether there was anything."""
    if not journal.pending:
        return False
    journal.check_untouched()
    put_back(journal, execute)
    return True


def put_back(journal: Journal, execute: Execute) -> None:
    """Restore the workspace and, if a job ran in it, its outs."""
    touched = journal.touched
    journal.restore()
    if touched and (reason := execute(dvc("checkout", "--force", "--allow-missing", "--quiet"))):
        raise CodeGraftError(
            f"parameters and lock are as before the sweep, but not all outs are: {reason}",
            remedy="run `dvc repro`; what was computed before is taken from the run cache",
        )
    journal.close()


def run_job(root: Path, plan: Plan, job: Job, journal: Journal, execute: Execute) -> Outcome:
    """Run a job as an experiment, unless there is one with the same parameters and code."""
    name = experiment_name(plan.name, job)
    with Store("sweeps") as store:
        if commit := finished(root, job, name, plan.raw):
            known = store.get([commit]).get(commit)
            seconds = float(known) if known is not None else None
            return Outcome(job, name, "kept", commit, seconds)
        journal.restore()
        journal.note(job.settings)
        drop_outdated(root, name)
        started = time.perf_counter()
        reason = execute(command(job, name, plan.raw))
        seconds = round(time.perf_counter() - started, 1)
        if reason:
            return Outcome(job, name, "failed", reason=reason)
        if not (commit := finished(root, job, name, plan.raw)):
            return Outcome(job, name, "failed", reason=CHANGED)
        store.put({commit: str(seconds).encode()})
        return Outcome(job, name, "ran", commit, seconds)


CHANGED = (
    "the experiment does not hold the point's parameters and the present code: something else "
    "changed the workspace while it ran; start the sweep again"
)

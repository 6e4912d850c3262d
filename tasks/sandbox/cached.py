"""Outcomes remembered by content, so that a stopped stage resumes and equal programs run once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, replace

from tasks.core.ids import digest, digest_json, sha256_file
from tasks.core.progress import Progress
from tasks.core.store import Store
from tasks.sandbox.pool import run_jobs
from tasks.sandbox.runtime import WORKER
from tasks.sandbox.types import Job, Limits, Outcome

STORE = "sandbox"


def run_cached(
    jobs: Iterable[Job], *, limits: Limits, backend: str, workers: int, stage: str
) -> dict[str, Outcome]:
    """Outcomes by job key; programs of equal content run once, and once for all in the store.

    The store keeps no output (`stdout` and `stderr` come back empty). An outcome that the machine's
    load may have decided is not believed: the job runs again alone, and that outcome counts.
    """
    by_content: dict[str, list[str]] = {}
    content: dict[str, Job] = {}
    context = _context(limits, backend)
    for job in jobs:
        name = digest(context, job.source, job.check)
        by_content.setdefault(name, []).append(job.key)
        content.setdefault(name, Job(name, job.source, job.check))
    with Store(STORE) as store, Progress(stage, len(content), "programs") as progress:
        found = {name: _decode(value) for name, value in store.get(content).items()}
        progress.skip(len(found))
        missing = [job for name, job in content.items() if name not in found]
        doubtful: list[Job] = []
        # Without work no sandbox is opened: what is known can be used where none can be made.
        fresh = run_jobs(missing, limits=limits, backend=backend, workers=workers)
        for name, outcome in fresh if missing else ():
            if outcome.suspect:
                doubtful.append(content[name])
                continue
            found[name] = _keep(store, name, outcome)
            progress.add()
        alone = run_jobs(doubtful, limits=limits, backend=backend, workers=1)
        for name, outcome in alone if doubtful else ():
            found[name] = _keep(store, name, outcome)
            progress.add()
    return {key: found[name] for name, keys in by_content.items() for key in keys}


def _context(limits: Limits, backend: str) -> str:
    """What besides the program decides its outcome."""
    return digest_json(
        {
            "worker": sha256_file(WORKER),
            "python": sys.version,
            "platform": sys.platform,
            "backend": backend,
            "limits": asdict(limits),
        }
    )


def _keep(store: Store, name: str, outcome: Outcome) -> Outcome:
    kept = replace(outcome, stdout="", stderr="", suspect=False)
    store.put({name: json.dumps(asdict(kept)).encode()})
    return kept


def _decode(value: bytes) -> Outcome:
    return Outcome(**json.loads(value))

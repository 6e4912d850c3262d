"""The tests are tested first: every reference passes them, an empty program does not."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.core.errors import CodeGraftError
from tasks.sandbox import Job, Limits, run_cached


def verify_references(
    references: Mapping[str, str],
    checks: Mapping[str, str],
    *,
    limits: Limits,
    backend: str,
    workers: int,
) -> None:
    """Raise CodeGraftError naming the problems whose reference fails or that nothing solves.

    Both maps are by task_id. Outcomes are kept in the sandbox's store, so this is work only once.
    """
    jobs = [Job(f"reference {task}", source, checks[task]) for task, source in references.items()]
    jobs += [Job(f"empty {task}", "", checks[task]) for task in references]
    outcomes = run_cached(
        jobs, limits=limits, backend=backend, workers=workers, stage="grade: references"
    )
    wrong = []
    for task in references:
        reference, empty = outcomes[f"reference {task}"], outcomes[f"empty {task}"]
        if reference.status != "pass":
            cause = reference.error_type or reference.detail
            wrong.append(f"{task}: the reference does not pass ({reference.status}, {cause})")
        if empty.status == "pass":
            wrong.append(f"{task}: an empty program passes")
    if wrong:
        raise CodeGraftError(
            f"{len(wrong)} tests cannot be trusted: " + "; ".join(wrong[:10]),
            where="answers",
            remedy="correct the benchmark's data, or raise grade.wall_s if it is a timeout",
        )

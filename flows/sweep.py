"""`python -m flows.sweep -S key=v1,v2 …`: many points in parameter space, one experiment each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from prefect import flow, get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.states import Completed, Failed, State
from pydantic import Field, PositiveInt

from flows.outcomes import judge
from flows.process import run_tree
from tasks.core.errors import CodeGraftError
from tasks.core.files import write_text
from tasks.sweep.engine import Outcome, run_job, workspace
from tasks.sweep.findings import Entry, Findings, choose
from tasks.sweep.journal import Journal
from tasks.sweep.naming import label
from tasks.sweep.plan import Job, Plan, make_plan
from tasks.sweep.points import draw, grid, read_points
from tasks.sweep.table import benchmark_csv, points_csv
from tasks.sweep.values import parse_axis

REPORTS = Path("reports/sweeps")


def execute(command: Sequence[str]) -> str:
    """Run a command with its lines in the run's log; the reason why it failed, or ""."""
    lines: list[str] = []
    logger = get_run_logger()

    def on_line(line: str) -> None:
        lines.append(line)
        logger.info(line)

    code = run_tree(command, env=os.environ, on_line=on_line, on_event=lambda event: None)
    outcome = judge("point", code, lines, 0.0)
    return "" if outcome.good else outcome.reason


@task(name="point", cache_policy=NO_CACHE)
def run_point(plan: Plan, job: Job, journal: Journal) -> State[Any]:
    outcome = run_job(Path.cwd(), plan, job, journal, execute)
    if outcome.state == "failed":
        return Failed(message=outcome.reason, data=outcome)
    kept = outcome.state == "kept"
    return Completed(name="Cached" if kept else "Completed", data=outcome)


@flow(name="sweep", persist_result=False)
def sweep(
    settings: list[str],
    sampler: Literal["grid", "random", "file"] = "grid",
    limit: PositiveInt | None = None,
    seed: int = 0,
    name: str | None = None,
    dev: str = "mbpp-dev",
    dev_limit: PositiveInt = 80,
    benchmark: str = "humaneval",
    solvers: list[str] | None = None,
    points: str | None = None,
) -> None:
    axes = [parse_axis(text) for text in settings]
    plan = make_plan(
        Path.cwd(), grid(axes), name=name, dev=dev, dev_limit=dev_limit, benchmark=benchmark,
        solvers=solvers,
    )
    with workspace(Path.cwd(), execute) as journal:
        outcomes = []
        for point in plan.points:
            job = plan.dev_job(point)
            state = run_point.with_options(task_run_name=label(point, plan.keys))(
                plan, job, journal, return_state=True)
            outcomes.append(state.data)
    found = choose(Path.cwd(), plan, outcomes)
    write_text(REPORTS / plan.name / "points.csv", points_csv(found))
    print(points_csv(found))


if __name__ == "__main__":
    import sys
    sweep(sys.argv[1:])

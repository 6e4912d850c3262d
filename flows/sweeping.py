"""The flow of a sweep: each point a Prefect task. Import after `require_server`."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, Literal

from prefect import flow, get_run_logger, runtime, task
from prefect.artifacts import create_link_artifact, create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed
from pydantic import Field

from flows.artifacts import ProgressBar, figures_markdown, key_of
from flows.model_slot import model_slot
from flows.server import refuse_inside_stage
from flows.sweep_process import run_command
from flows.sweep_screen import QuietScreen
from tasks.sweep.engine import Outcome, run_job, workspace
from tasks.sweep.findings import Entry, Findings, choose, with_final
from tasks.sweep.journal import Journal
from tasks.sweep.naming import label
from tasks.sweep.plan import Job, Plan, Request, make_plan
from tasks.sweep.report import write_report

SCREEN: ContextVar[QuietScreen] = ContextVar("SCREEN", default=QuietScreen())  # noqa: B039
_LOOK_S = 3.0

Settings = Annotated[
    list[str],
    Field(
        description="Parameters and the values to try, or a range to draw from as low..high",
        examples=[["conditions.block-pkg.min_similarity=0.3,0.5,0.7"]],
    ),
]
Sampler = Annotated[
    Literal["grid", "random", "file"],
    Field(description="All combinations, a random draw of `limit`, or the points of a file"),
]
Limit = Annotated[int | None, Field(ge=1, description="Number of points at most")]
Seed = Annotated[int, Field(description="Of the random draw")]
Name = Annotated[str | None, Field(description="Of the sweep and its report; empty: what is swept")]
Dev = Annotated[str, Field(description="Development set, by which the best point is chosen")]
DevLimit = Annotated[int, Field(ge=1, description="Problems of the development set")]
Benchmark = Annotated[
    str, Field(description="Where the best point and the present parameters are run afterwards")
]
Solvers = Annotated[
    list[str] | None,
    Field(description="Conditions to run; empty: none and those whose parameters are swept"),
]
Points = Annotated[str | None, Field(description="File of points for the sampler `file`")]


def _run_name() -> str:
    given = runtime.flow_run.parameters
    return "sweep " + (given.get("name") or " ".join(given.get("settings") or ["of a file"]))


@flow(name="sweep", flow_run_name=_run_name, persist_result=False)
def sweep(
    settings: Settings = [],  # noqa: B006
    sampler: Sampler = "grid",
    limit: Limit = None,
    seed: Seed = 0,
    name: Name = None,
    dev: Dev = "mbpp-dev",
    dev_limit: DevLimit = 80,
    benchmark: Benchmark = "humaneval",
    solvers: Solvers = None,
    points: Points = None,
) -> State[Any]:
    """Run every point on the development set, then the best one and the present parameters on the
    benchmark, and write a report. Points that were run before with the same code are not run again.
    """
    refuse_inside_stage()
    request = Request(
        settings=settings, sampler=sampler, limit=limit, seed=seed, name=name, dev=dev,
        dev_limit=dev_limit, benchmark=benchmark, solvers=solvers, points=points,
    )  # fmt: skip
    plan = make_plan(Path.cwd(), request)
    with _cancellation() as stop:
        run = _Run(Path.cwd(), plan, stop)
        with workspace(run.root, run.execute) as run.journal:
            found = run.to_the_end()
    folder = write_report(found, run.root)
    _artifacts(found, folder)
    SCREEN.get().found(found, folder)
    failed = [entry for entry in found.points if entry.reason]
    text = f"{len(found.points) - len(failed)} of {len(found.points)} points"
    return (
        Failed(message=f"no point succeeded: {failed[0].reason}")
        if (len(failed) == len(found.points))
        else Completed(message=text)
    )


class _Run:
    """The points of a plan, one after the other."""

    journal: Journal

    def __init__(self, root: Path, plan: Plan, stop: threading.Event) -> None:
        self.root, self.plan, self._stop = root, plan, stop
        self._screen = SCREEN.get()
        self._bar = ProgressBar("points of the sweep")
        self._fresh: list[float] = []  # seconds of the points that ran now
        self._on_event: Any = lambda event: None

    def execute(self, command: Sequence[str]) -> str:
        """An engine's way to run a command: lines go to the run's log."""
        stop = (
            None if "checkout" in command else self._stop
        )  # the workspace is put back in any case
        return run_command(
            command,
            root=self.root,
            on_line=get_run_logger().info,
            on_event=lambda event: self._on_event(event),
            stop=stop,
        )

    def to_the_end(self) -> Findings:
        """Points on the development set; then, chosen by them alone, the best on the benchmark."""
        plan = self.plan
        total = len(plan.points) + 2
        outcomes = [
            self._point(plan.dev_job(point), place, total)
            for place, point in enumerate(plan.points)
        ]
        found = choose(self.root, plan, outcomes)
        if found.best is None:
            return found
        jobs = {"best": plan.benchmark_job(plan.points[found.best]),
                "default": plan.benchmark_job(plan.default)}  # fmt: skip
        final = {
            role: self._point(job, len(plan.points) + place, total)
            for place, (role, job) in enumerate(jobs.items())
        }
        return with_final(self.root, found, final)

    def _point(self, job: Job, place: int, total: int) -> Outcome:
        text = f"{job.benchmark}: {label(job.point, self.plan.keys)}"
        ended: list[Outcome] = []
        self._screen.began(place + 1, total, text)

        @task(
            name=job.benchmark, task_run_name=text, cache_policy=NO_CACHE, persist_result=False,
            description="One point of the sweep as a DVC experiment",
        )  # fmt: skip
        def point() -> State[Any]:
            ended.append(self._execute_job(job))
            return _state_of(ended[0])

        state = point(return_state=True)
        if not ended:
            state.result()  # raises what stopped it
        self._tell(ended[0], place + 1, total)
        return ended[0]

    def _execute_job(self, job: Job) -> Outcome:
        bar = ProgressBar(f"{job.benchmark} {label(job.point, self.plan.keys)}")
        self._on_event = lambda event: self._screen.progressed(bar.on_event(event))
        with model_slot(self._stop, get_run_logger().info):
            return run_job(self.root, self.plan, job, self.journal, self.execute)

    def _tell(self, outcome: Outcome, done: int, total: int) -> None:
        if outcome.state == "ran" and outcome.seconds is not None:
            self._fresh.append(outcome.seconds)
        mean = sum(self._fresh) / len(self._fresh) if self._fresh else 0.0
        left = mean * (total - done)
        entry = Entry.of(self.root, self.plan, outcome)
        self._screen.ended(entry, outcome.state, left)
        event = {"stage": "sweep", "done": done, "total": total, "unit": "points",
                 "elapsed_s": sum(self._fresh)}  # fmt: skip
        self._bar.on_event(event)


def _state_of(outcome: Outcome) -> State[Any]:
    if outcome.state == "failed":
        return Failed(message=outcome.reason)
    if outcome.state == "kept":
        return Completed(name="Cached", message=f"experiment {outcome.name} is there already")
    return Completed(message=f"experiment {outcome.name}, {outcome.seconds:.1f} s")


@contextmanager
def _cancellation() -> Iterator[threading.Event]:
    """An event that is set when somebody cancels this run in the UI."""
    stop, over = threading.Event(), threading.Event()
    run_id = runtime.flow_run.id

    def look() -> None:
        with get_client(sync_client=True) as client:
            while not over.wait(_LOOK_S):
                try:
                    state = client.read_flow_run(run_id).state
                except Exception:
                    continue  # a server that is gone cancels nothing
                if state is not None and (state.is_cancelling() or state.is_cancelled()):
                    stop.set()

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield stop
    finally:
        over.set()
        watcher.join()


def _artifacts(found: Findings, folder: Path) -> None:
    """The result table, the report with its figures, and a link to the page."""
    rows = [
        {
            "point": entry.label,
            "pass@1": entry.scores[0].rate if entry.scores else None,
            "tokens": entry.scores[0].tokens if entry.scores else None,
            "best": place == found.best,
            "why": entry.reason,
        }
        for place, entry in enumerate(found.points)
    ]
    title = f"Sweep {found.plan.name}"
    key = key_of("sweep", found.plan.name)
    create_table_artifact(rows, key=f"{key}-points", description=f"{title} on {found.plan.dev}")
    text = (folder / "report.md").read_text(encoding="utf-8")
    create_markdown_artifact(text, key=f"{key}-report", description=title)
    if figures := figures_markdown(folder):
        create_markdown_artifact(figures, key=f"{key}-figures", description=title)
    page = (folder / "index.html").resolve().as_uri()
    create_link_artifact(page, link_text=str(folder / "index.html"), key=f"{key}-page",
                         description=title)  # fmt: skip

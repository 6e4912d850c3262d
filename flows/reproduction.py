"""The flow: DVC's graph as Prefect task runs. Import after `require_server`."""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any

from prefect import flow, get_run_logger, runtime, task
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import State, StateDetails
from prefect.futures import PrefectFuture
from prefect.states import Cancelled, Completed, Crashed, Failed
from pydantic import Field

from flows.artifacts import ProgressBar, report_artifacts, stage_table
from flows.board import BOARD
from flows.dag import Dag, Stage, changed_stages, read_dag, unchanged_stages
from flows.locks import drop_stale_locks
from flows.model_slot import model_slot
from flows.outcomes import Outcome
from flows.overrides import apply_overrides
from flows.run_stage import run_stage
from flows.schedule import Schedule, loads_model
from flows.server import refuse_inside_stage
from tasks.core.errors import CodeGraftError

_LOOK_S = 3.0


def _run_name() -> str:
    parameters = runtime.flow_run.parameters
    stages = " ".join(parameters.get("stages") or ["all stages"])
    return ", ".join([f"reproduce {stages}", *(parameters.get("set") or [])])


Parallel = Annotated[int, Field(ge=1, le=64)]


@flow(name="reproduce", flow_run_name=_run_name, persist_result=False)
def reproduce(
    stages: list[str] = [],  # noqa: B006
    parallel: Parallel = 2,
    force: bool = False,
    set: list[str] = [],  # noqa: B006
) -> State[Any]:
    """Run the stages of dvc.yaml that need it; a stopped or failed run goes on where it was.

    Args:
        stages: Stages to bring up to date, with what they read from, such as `report`; empty: all
        parallel: At most so many stages at the same time; only one of them loads a model
        force: Also run stages whose inputs did not change
        set: Changes of params.yaml, kept there, such as `conditions.block-pkg.k=3`
    """
    try:
        refuse_inside_stage()
        if set:
            apply_overrides(Path("params.yaml"), set)
        drop_stale_locks(Path.cwd())
        dag = read_dag(Path.cwd(), stages)
        return _run(dag, parallel=parallel, force=force)
    except CodeGraftError as error:
        return Failed(message=str(error))


def _run(dag: Dag, *, parallel: int, force: bool) -> State[Any]:
    root = Path.cwd()
    still = frozenset() if force else unchanged_stages(dag, changed_stages(root, dag))
    get_run_logger().info("%d stages, %d of them unchanged", len(dag.stages), len(still))
    known = {name: Outcome(name, "Cached", "nothing it reads changed") for name in still}
    run = _Run(root, dag, known, parallel=parallel, force=force)
    outcomes = run.to_the_end()
    stage_table(outcomes[stage.name] for stage in dag.stages if stage.name in outcomes)
    for folder in report_folders(dag, outcomes):
        report_artifacts(root, folder)
    return _final_state(outcomes, stopped=run.stop.is_set())


def report_folders(dag: Dag, outcomes: Mapping[str, Outcome]) -> list[Path]:
    """Folders with a result table that this run made or found up to date."""
    return [
        Path(out).parent
        for stage in dag.stages
        for out in stage.outs
        if Path(out).name == "details.json" and outcomes.get(stage.name, _NONE).good
    ]


_NONE = Outcome("", "Not run")


def _final_state(outcomes: Mapping[str, Outcome], *, stopped: bool) -> State[Any]:
    counts = Counter(outcome.kind for outcome in outcomes.values())
    text = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    if stopped:
        return Cancelled(message=f"stopped ({text}); run it again to continue")
    bad = [o for o in outcomes.values() if o.kind in ("Failed", "Crashed")]
    if bad:
        said = ", ".join(f"{outcome.stage} {outcome.kind.lower()}" for outcome in bad)
        return Failed(message=f"{said} ({text})")
    return Completed(message=text)


def _state_of(outcome: Outcome) -> State[Any]:
    if outcome.kind == "Completed":
        return Completed(message=f"ran for {outcome.seconds:.1f} s")
    if outcome.kind == "Cached":
        return Completed(name="Cached", message=outcome.reason)
    if outcome.kind == "Failed":
        return Failed(message=outcome.reason)
    if outcome.kind == "Crashed":
        return Crashed(message=outcome.reason)
    name = "Cancelled" if outcome.kind == "Stopped" else outcome.kind
    return Cancelled(name=name, message=outcome.reason)


class _Run:
    """One walk over the graph; each stage is a task run that names the ones it waited for."""

    def __init__(
        self, root: Path, dag: Dag, known: Mapping[str, Outcome], *, parallel: int, force: bool
    ) -> None:
        self.stop = threading.Event()
        self._root, self._force, self._known = root, force, known
        self._lines = dag.lines
        self._schedule = Schedule(dag, parallel=parallel)
        self._futures: dict[str, PrefectFuture[Any]] = {}
        self._ended: queue.Queue[Outcome] = queue.Queue()
        self._board = BOARD.get()
        self._client = get_client(sync_client=True)

    def to_the_end(self) -> dict[str, Outcome]:
        """Run what needs it; on Ctrl-C and on Prefect's termination stop all trees first."""
        try:
            self._walk()
        except KeyboardInterrupt:
            self.stop.set()
        except BaseException:
            self.stop.set()
            self._wind_up()
            raise
        self._wind_up()
        for future in self._futures.values():
            future.wait()
        return self._schedule.outcomes

    def _walk(self) -> None:
        while not self.stop.is_set():
            for stage, outcome in self._schedule.settle(self._known):
                self._submit(stage, outcome)
                self._board.ended(outcome)
            for stage in self._schedule.take():
                self._submit(stage, None)
            if not self._schedule.running:
                return
            self._take_end()

    def _wind_up(self) -> None:
        while self._schedule.running:
            self._take_end()

    def _take_end(self) -> None:
        try:
            outcome = self._ended.get(timeout=_LOOK_S)
        except queue.Empty:
            if self._cancelled():
                self.stop.set()
            return
        self._schedule.end(outcome)
        self._board.ended(outcome)

    def _cancelled(self) -> bool:
        """Whether somebody cancelled this run in the UI; a server that is gone cancels nothing."""
        try:
            state = self._client.read_flow_run(runtime.flow_run.id).state
        except Exception:
            return False
        return state is not None and (state.is_cancelling() or state.is_cancelled())

    def _submit(self, stage: Stage, outcome: Outcome | None) -> None:
        above = [self._edge(dep) for dep in self._lines[stage.name]]

        @task(
            name=stage.kind,
            description=stage.desc,
            task_run_name=stage.name,
            cache_policy=NO_CACHE,
            persist_result=False,
        )
        def run() -> State[Any]:
            return _state_of(outcome or self._execute(stage))

        self._futures[stage.name] = run.submit(wait_for=above, return_state=False)

    def _edge(self, dep: str) -> PrefectFuture[Any] | State[Any]:
        """What makes the UI draw a line from `dep`.

        Prefect runs no task after one that did not complete; that task's run is then named by a
        state of its own making, so that "not run" can be said in the run below it.
        """
        future = self._futures[dep]
        if self._schedule.outcomes[dep].good:
            return future
        return Completed(data=dep, state_details=StateDetails(task_run_id=future.task_run_id))

    def _execute(self, stage: Stage) -> Outcome:
        """In the task's thread. Whatever happens, the walk hears of an end."""
        outcome = Outcome(stage.name, "Failed", "the flow itself failed; its log says how")
        log = get_run_logger()

        def waits(why: str) -> None:
            log.info(why)
            self._board.waits(stage.name, why)

        try:
            slot: AbstractContextManager[None] = (
                model_slot(self.stop, waits) if loads_model(stage) else nullcontext()
            )
            with slot:
                outcome = self._with_progress(stage)
            return outcome
        finally:
            self._ended.put(outcome)

    def _with_progress(self, stage: Stage) -> Outcome:
        if self.stop.is_set():
            return Outcome(stage.name, "Stopped", "before it began")
        self._board.started(stage.name)
        bar = ProgressBar(stage.name)
        outcome = run_stage(
            stage.name,
            root=self._root,
            force=self._force,
            stop=self.stop,
            on_line=get_run_logger().info,
            on_event=lambda event: self._board.progressed(stage.name, bar.on_event(event)),
        )
        bar.finish(outcome)
        return outcome

"""Which stages may start now. Knows neither Prefect nor processes."""

from __future__ import annotations

from collections.abc import Mapping

from flows.dag import Dag, Stage
from flows.outcomes import Outcome

MODEL_KINDS = frozenset({"generate", "spotcheck"})


def loads_model(stage: Stage) -> bool:
    """Whether a stage may hold a code model in memory; only one such stage runs at a time."""
    return stage.kind in MODEL_KINDS


class Schedule:
    """Hands out stages in the order of the graph, at most `parallel` at a time.

    A stage below one that did not end well is never handed out; its outcome is known at once, and
    other branches go on.
    """

    def __init__(self, dag: Dag, *, parallel: int) -> None:
        self._waiting = list(dag.stages)
        self._running: dict[str, Stage] = {}
        self._parallel = parallel
        self.outcomes: dict[str, Outcome] = {}

    @property
    def running(self) -> bool:
        """Whether a stage that was handed out has not ended yet."""
        return bool(self._running)

    def take(self) -> list[Stage]:
        """Stages to start now; each must be ended by `end`."""
        taken = []
        for stage in list(self._waiting):
            if self._may_start(stage):
                self._waiting.remove(stage)
                self._running[stage.name] = stage
                taken.append(stage)
        return taken

    def _may_start(self, stage: Stage) -> bool:
        ready = all(dep in self.outcomes and self.outcomes[dep].good for dep in stage.deps)
        busy = loads_model(stage) and any(map(loads_model, self._running.values()))
        return ready and not busy and len(self._running) < self._parallel

    def end(self, outcome: Outcome) -> None:
        """Note how a stage ended."""
        self._running.pop(outcome.stage, None)
        self.outcomes[outcome.stage] = outcome

    def settle(self, known: Mapping[str, Outcome]) -> list[tuple[Stage, Outcome]]:
        """Stages that need no run: those of `known`, and those below a stage that ended badly."""
        settled = []
        for stage in list(self._waiting):
            bad = [dep for dep in stage.deps if dep in self.outcomes if not self._good(dep)]
            outcome = _not_run(stage, self.outcomes[bad[0]]) if bad else known.get(stage.name)
            if outcome is not None:
                self._waiting.remove(stage)
                self.outcomes[stage.name] = outcome
                settled.append((stage, outcome))
        return settled

    def _good(self, name: str) -> bool:
        return self.outcomes[name].good


def _not_run(stage: Stage, cause: Outcome) -> Outcome:
    """Names the stage that failed, not one that was itself not run because of it."""
    if cause.kind == "Not run":
        return Outcome(stage.name, "Not run", cause.reason)
    return Outcome(stage.name, "Not run", f"because {cause.stage} {cause.kind.lower()}")

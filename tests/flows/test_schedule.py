"""Laws of the walk over the graph."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from flows.dag import Dag, Stage, unchanged_stages
from flows.outcomes import Outcome
from flows.schedule import Schedule, loads_model


def _stage(name: str, *deps: str) -> Stage:
    return Stage(name, "", deps, ())


@st.composite
def graphs(draw: st.DrawFn) -> Dag:
    """Graphs of up to twelve stages, some of which load a model."""
    stages: list[Stage] = []
    for number in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from(["generate", "grade"]))
        above = [stage.name for stage in stages]
        chosen = draw(st.lists(st.sampled_from(above), unique=True)) if above else []
        stages.append(_stage(f"{kind}@{number}", *chosen))
    return Dag(tuple(stages))


@given(graphs(), st.integers(1, 4), st.sets(st.integers(0, 11)), st.integers())
def test_every_stage_ends_once_within_the_limits(
    dag: Dag, parallel: int, bad: set[int], seed: int
) -> None:
    """No stage before what it reads, no second model, and only what is below a failure is left."""
    schedule, choice = Schedule(dag, parallel=parallel), random.Random(seed)
    kinds: dict[str, str] = {}
    running: list[Stage] = []
    while True:
        kinds |= {stage.name: outcome.kind for stage, outcome in schedule.settle({})}
        for stage in schedule.take():
            assert all(kinds[dep] == "Completed" for dep in stage.deps)
            running.append(stage)
        assert len(running) <= parallel
        assert sum(map(loads_model, running)) <= 1
        if not running:
            break
        ended = running.pop(choice.randrange(len(running)))
        failed = int(ended.name.partition("@")[2]) in bad
        kinds[ended.name] = "Failed" if failed else "Completed"
        schedule.end(Outcome(ended.name, "Failed" if failed else "Completed"))
    assert set(kinds) == {stage.name for stage in dag.stages}
    for stage in dag.stages:
        below_bad = any(kinds[dep] != "Completed" for dep in stage.deps)
        assert (kinds[stage.name] == "Not run") == below_bad


def test_a_stage_not_run_names_the_one_that_failed() -> None:
    dag = Dag((_stage("a"), _stage("b", "a"), _stage("c", "b")))
    schedule = Schedule(dag, parallel=1)
    schedule.take()
    schedule.end(Outcome("a", "Crashed", "killed by SIGSEGV"))
    reasons = {stage.name: outcome.reason for stage, outcome in schedule.settle({})}
    assert reasons == {"b": "because a crashed", "c": "because a crashed"}


def test_unchanged_means_no_ancestor_changed() -> None:
    dag = Dag((_stage("a"), _stage("b", "a"), _stage("c", "b"), _stage("d")))
    assert unchanged_stages(dag, frozenset("b")) == {"a", "d"}


@given(graphs())
def test_lines_reach_what_deps_reach(dag: Dag) -> None:
    """A drawing with fewer lines still joins each stage to all that it descends from."""

    def above(near: dict[str, tuple[str, ...]], name: str) -> set[str]:
        return {name}.union(*(above(near, dep) for dep in near[name]))

    for stage in dag.stages:
        assert set(dag.lines[stage.name]) <= set(stage.deps)
        assert above(dag.lines, stage.name) == above(dag.deps, stage.name)

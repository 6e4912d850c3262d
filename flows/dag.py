"""The stage graph, read from DVC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dvc.exceptions import DvcException
from dvc.repo import Repo
from dvc.repo.reproduce import collect_stages, get_active_graph, plan_repro

from tasks.core.errors import CodeGraftError


@dataclass(frozen=True)
class Stage:
    """One stage of dvc.yaml: its address, what it is for, the stages it reads from, its outs."""

    name: str
    desc: str
    deps: tuple[str, ...]
    outs: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The name in dvc.yaml, without the values of its matrix."""
        return self.name.partition("@")[0]


@dataclass(frozen=True)
class Dag:
    """Stages in an order in which each one follows those it reads from."""

    stages: tuple[Stage, ...]

    @property
    def deps(self) -> dict[str, tuple[str, ...]]:
        """Names of the stages that each stage reads from."""
        return {stage.name: stage.deps for stage in self.stages}


def read_dag(root: Path, targets: Sequence[str] = ()) -> Dag:
    """The stages that `dvc repro TARGETS` would go through; without targets, all of them.

    A target is a stage, a matrix's name for all of its cells, or an out. Raises CodeGraftError
    for an unknown target or a project that DVC cannot read.
    """
    try:
        with Repo(str(root)) as repo:
            graph = get_active_graph(repo.index.graph)
            chosen = collect_stages(repo, targets) if targets else list(repo.index.stages)
            order = plan_repro(graph, chosen)
            return Dag(
                tuple(
                    Stage(
                        name=stage.addressing,
                        desc=stage.desc or "",
                        deps=tuple(sorted(dep.addressing for dep in graph.successors(stage))),
                        outs=tuple(out.def_path for out in stage.outs),
                    )
                    for stage in order
                )
            )
    except DvcException as error:
        raise CodeGraftError(
            str(error), where=str(root), remedy="`dvc stage list` names the stages"
        ) from error


def changed_stages(root: Path, dag: Dag) -> frozenset[str]:
    """Stages whose inputs or outputs differ from dvc.lock, as `dvc status` sees them."""
    try:
        with Repo(str(root), _wait_for_lock=True) as repo:
            return frozenset(repo.status(targets=[stage.name for stage in dag.stages]))
    except DvcException as error:
        raise CodeGraftError(str(error), where=str(root)) from error


def unchanged_stages(dag: Dag, changed: frozenset[str]) -> frozenset[str]:
    """Stages that need no look: neither they nor anything they descend from has changed."""
    still: set[str] = set()
    for stage in dag.stages:
        if stage.name not in changed and still.issuperset(stage.deps):
            still.add(stage.name)
    return frozenset(still)

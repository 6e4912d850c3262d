"""Laws of the DAG, read from dvc.yaml as DVC resolves it."""

from __future__ import annotations

from pathlib import Path

import pytest
from dvc.repo import Repo
from dvc.stage import PipelineStage

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def stages() -> dict[str, PipelineStage]:
    """All resolved stages by name."""
    with Repo(str(ROOT)) as repo:
        return {stage.addressing: stage for stage in repo.index.stages}


def _inputs(stage: PipelineStage) -> set[str]:
    return {item.def_path for item in stage.deps if not hasattr(item, "params")}


def _outputs(stage: PipelineStage) -> set[str]:
    return {item.def_path for item in stage.outs}


def _descends(
    stages: dict[str, PipelineStage], path: str, *, allowed: str, seen: set[str] | None = None
) -> set[str]:
    """Files from which `path` descends, not looking behind files named `allowed`."""
    seen = set() if seen is None else seen
    for stage in stages.values():
        for out in _outputs(stage):
            reaches = out == path or out.startswith(f"{path}/")
            if reaches and out not in seen and Path(out).name != allowed:
                seen.add(out)
                for dep in _inputs(stage):
                    seen.add(dep)
                    _descends(stages, dep, allowed=allowed, seen=seen)
    return seen


@pytest.mark.parametrize("kind", ["generate", "execute", "select", "spotcheck"])
def test_nothing_that_chooses_descends_from_answers(
    stages: dict[str, PipelineStage], kind: str
) -> None:
    """Only the audit's deny-list may stand between answers and a solver."""
    mine = {name: stage for name, stage in stages.items() if name.partition("@")[0] == kind}
    assert mine
    for name, stage in mine.items():
        for dep in _inputs(stage):
            ancestors = _descends(stages, dep, allowed="deny.arrow") | {dep}
            leaks = {item for item in ancestors if "answers" in item or "grade" in item}
            assert not leaks, f"{name} reads {dep}, which descends from {leaks}"


def test_the_law_would_notice_a_leak(stages: dict[str, PipelineStage]) -> None:
    """`grade` does read answers, so the walk must say so."""
    grade = next(stage for name, stage in stages.items() if name.startswith("grade@"))
    assert any("answers" in dep for dep in _inputs(grade))
    report = next(stage for name, stage in stages.items() if name.startswith("report@"))
    ancestors = set().union(*(_descends(stages, dep, allowed="-") for dep in _inputs(report)))
    assert any("answers.arrow" in item for item in ancestors)


def test_deny_list_holds_document_ids_only() -> None:
    """The one way from answers to solvers carries nothing else."""
    from tasks.audit.schema import DENY

    assert DENY.names == ["doc_id"]


def test_a_generate_cell_depends_on_its_own_condition_only(
    stages: dict[str, PipelineStage],
) -> None:
    """Changing one condition's file or parameters must re-run one condition."""
    cells = [stage for name, stage in stages.items() if name.startswith("generate@")]
    for stage in cells:
        files = {dep for dep in _inputs(stage) if dep.startswith("tasks/conditions")}
        assert len(files) == 1
        assert not any(dep == "tasks/conditions" for dep in files)


@pytest.mark.parametrize("kind", ["figures", "page", "overview"])
def test_what_is_shown_holds_no_answers(stages: dict[str, PipelineStage], kind: str) -> None:
    """Verdicts come by way of the report; tests and reference solutions are not read."""
    mine = [stage for name, stage in stages.items() if name.partition("@")[0] == kind]
    assert mine
    for stage in mine:
        assert not {dep for dep in _inputs(stage) if "answers" in dep or "grade" in dep}


def test_the_overview_comes_after_every_page(stages: dict[str, PipelineStage]) -> None:
    """It links to those that exist, so all that are to be made must have been."""
    cards = {
        out
        for name, stage in stages.items()
        if name.startswith("page@")
        for out in _outputs(stage)
        if out.endswith("card.json")
    }
    (folder,) = (dep for dep in _inputs(stages["overview"]) if dep.startswith("data/"))
    assert cards and all(card.startswith(f"{folder}/") for card in cards)

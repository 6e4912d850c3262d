"""Sweeps over a real DVC project: experiments, failures, restarts, and an unchanged workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.sweep.engine import Outcome, run_job, workspace
from tasks.sweep.plan import Plan, Request, make_plan
from tasks.sweep.results import read_scores
from tests.sweep.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path)
    monkeypatch.setenv("CODEGRAFT_STORE", str(made.folder / "data" / "store"))
    return made


def _plan(project: Project, *axes: str) -> Plan:
    return make_plan(
        project.folder,
        Request(settings=list(axes)),
    )


def _sweep(project: Project, plan: Plan) -> list[Outcome]:
    with workspace(project.folder, project.execute) as journal:
        return [
            run_job(project.folder, plan, plan.dev_job(point), journal, project.execute)
            for point in plan.points
        ]


def test_points_are_experiments_and_the_workspace_stays(project: Project) -> None:
    params = project.folder / "params.yaml"
    params.write_text(params.read_text().replace("wall_s: 10.0", "wall_s: 9.0"))  # not committed
    project.dvc("repro", "--quiet")
    before, _ = project.contents(), project.runs()
    plan = _plan(project, "conditions.block-pkg.min_similarity=0.1,0.9,0.3")

    first = _sweep(project, plan)
    assert project.contents() == before
    assert [outcome.state for outcome in first] == ["ran", "failed", "ran"]
    assert "too similar" in first[1].reason and "remedy: lower it" in first[1].reason
    assert not any(line.startswith("weights") for line in project.runs())
    for outcome, rate in zip((first[0], first[2]), (0.425, 0.475), strict=True):
        assert outcome.name in project.dvc("exp", "list", "--name-only").splitlines()
        (score,) = read_scores(project.folder, outcome.commit, outcome.job, plan.measured)
        assert (score.condition, score.rate) == ("block-pkg", rate)
    assert "wall_s: 9.0" in project.git("show", f"{first[0].commit}:params.yaml")

    again = _sweep(project, plan)
    assert project.contents() == before
    assert [outcome.state for outcome in again] == ["kept", "failed", "kept"]
    assert [outcome.commit for outcome in again] == [outcome.commit for outcome in first]
    assert again[0].seconds == first[0].seconds
    assert project.runs() == ["work mbpp-dev qwen-05b"]  # the failing point alone is tried again

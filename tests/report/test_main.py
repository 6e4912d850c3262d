"""The stage as a user and DVC start it: in a folder with the stages' outs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tasks.core.files import read_json
from tests.report.results import SOLVERS, write_stages

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path):
    params = yaml.safe_load((ROOT / "params.yaml").read_text())
    params["solvers"] = list(SOLVERS)
    params["select"] = {"selectors": ["similarity"]}
    params["report"]["bootstrap"] = 200
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(params))
    write_stages(tmp_path / "data")
    return tmp_path


def start(project, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, "-m", "tasks.report", *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_report_then_show(project):
    done = start(project, "tiny", "fake")
    assert (done.returncode, done.stderr) == (0, "")
    folder = project / "reports" / "tiny" / "fake"
    assert sorted(path.name for path in folder.iterdir()) == [
        "costs.json",
        "details.json",
        "metrics.json",
        "problems.csv",
        "table.md",
        "which_solves.csv",
    ]
    assert read_json(folder / "metrics.json")["pass@1"]["block-pkg"] == 0.75
    assert not any(b"secret" in path.read_bytes() for path in folder.iterdir())
    shown = start(project, "show").stdout
    assert "Report: reports/tiny/fake/table.md" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_missing_table_is_named_and_nothing_is_written(project):
    (project / "data/grade/tiny/fake/grades.arrow").unlink()
    done = start(project, "tiny", "fake")
    assert done.returncode == 2
    assert "missing" in done.stderr and "grades.arrow" in done.stderr
    assert not (project / "reports").exists()


def test_a_disabled_condition_is_not_picked_up(project):
    shutil.copytree(project / "data/generate/tiny/fake/none", project / "data/generate/tiny/fake/x")
    assert start(project, "tiny", "fake").returncode == 0
    metrics = read_json(project / "reports/tiny/fake/details.json")
    assert metrics["candidates"] == 12

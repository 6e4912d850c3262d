"""The whole graph on the real model, small: a copy of the project, three problems, one package.

Slow beside the other tests (about two minutes, weights downloaded once), and the only place where
everything meets: DVC, every stage, the real weights, the sandbox.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
CELL = "humaneval/qwen-05b"
CONDITIONS = ["none", "func-bm25", "block-pkg"]


class Project:
    """A copy of the project in a folder with a space, with a store and a HOME of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "my project"
        for name in ("tasks", "flows", ".dvc/config", ".dvcignore", "dvc.yaml", "params.yaml"):
            source, target = ROOT / name, self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        shutil.copytree(ROOT / "data/recorded", self.folder / "data/recorded")
        shared = ROOT / "data/store"  # half a gigabyte of weights is fetched once, not per test run
        for name in ("weights", "downloads"):
            (shared / name).mkdir(parents=True, exist_ok=True)
            (self.folder / "data/store").mkdir(exist_ok=True)
            (self.folder / "data/store" / name).symlink_to(shared / name)
        home = folder / "home"
        home.mkdir()
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.env = {**os.environ, "HOME": str(home), "PATH": path}
        self.env.pop("CODEGRAFT_STORE", None)
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)

    def configure(self, changes: dict[str, Any]) -> None:
        """Set parameters by dotted name."""
        path = self.folder / "params.yaml"
        params = yaml.safe_load(path.read_text(encoding="utf-8"))
        for name, value in changes.items():
            *groups, last = name.split(".")
            place = params
            for group in groups:
                place = place[group]
            place[last] = value
        path.write_text(yaml.safe_dump(params, sort_keys=False), encoding="utf-8")

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run `python -m …` in the project."""
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=900,
        )
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done

    def repro(self, *options: str) -> list[str]:
        """`dvc repro`; the stages that ran."""
        return re.findall(r"Running stage '([^']+)'", self.run("dvc", "repro", *options).stdout)

    def metrics(self) -> dict[str, Any]:
        """The metrics of the one cell."""
        path = self.folder / "reports" / CELL / "metrics.json"
        return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A reproduced project."""
    made = Project(tmp_path_factory.mktemp("end to end"))
    made.configure(
        {
            "ingest.sources": [{"kind": "pypi", "name": "algorithms", "version": "1.0.1"}],
            "solvers": CONDITIONS,
            "benchmark.limit": 3,
            "generation.recorded": "ignore",
            "generation.max_new_tokens": 96,
        }
    )
    made.repro()
    return made


def test_a_live_run_reaches_the_report(project: Project) -> None:
    metrics = project.metrics()
    assert metrics["problems"] == 3
    assert sorted(metrics["pass@1"]) == sorted(CONDITIONS)
    assert all(0.0 <= value <= 1.0 for value in metrics["pass@1"].values())
    assert metrics["replayed"] == 0
    assert metrics["fresh"] == 9
    assert metrics["oracle"] >= max(metrics["pass@1"].values())
    assert metrics["oracle"] >= metrics["selected"]["similarity"]
    assert metrics["nodes"] > 1000


def test_a_second_run_does_nothing(project: Project) -> None:
    assert project.repro() == []


def test_one_condition_changes_alone(project: Project) -> None:
    project.configure({"conditions.block-pkg.k": 2})
    ran = project.repro()
    cell = CELL.replace("/", "-")
    assert ran[0] == f"generate@{cell}-block-pkg"
    assert {name.partition("@")[0] for name in ran[1:]} <= {
        "spotcheck", "execute", "select", "grade", "report", "figures", "page", "overview",
    }  # fmt: skip


def test_forced_again_gives_the_same_bytes(project: Project) -> None:
    path = project.folder / "reports" / CELL / "metrics.json"
    before = path.read_bytes()
    assert len(project.repro("-f")) > 10
    assert path.read_bytes() == before


def test_a_disabled_condition_is_not_picked_up(project: Project) -> None:
    project.configure({"solvers": ["none", "block-pkg"]})
    project.repro()
    assert (project.folder / "data/generate" / CELL / "func-bm25").is_dir()
    assert sorted(project.metrics()["pass@1"]) == ["block-pkg", "none"]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"solvers": ["none", "blok-pkg"]}, "blok-pkg"),
        ({"conditions.block-pkg.k": "three"}, "conditions.block-pkg"),
        ({"conditions.block-pkg.kk": 3}, "kk"),
        ({"generation.recorded": "maybe"}, "generation.recorded"),
        ({"ingest.sources": [{"kind": "moon"}]}, "moon"),
    ],
)
def test_bad_parameters_stop_before_work(
    project: Project, changes: dict[str, Any], word: str
) -> None:
    path = project.folder / "params.yaml"
    good = path.read_text(encoding="utf-8")
    try:
        project.configure(changes)
        done = project.run("tasks.ingest", check=False)
    finally:
        path.write_text(good, encoding="utf-8")
    assert done.returncode == 2
    assert word in done.stderr
    assert "remedy:" in done.stderr
    assert "Traceback" not in done.stderr


def _kill_when(project: Project, command: list[str], store: str, entries: int) -> int:
    """Start a stage, kill -9 it once its store holds so many entries; how many it held then."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=project.folder,
        env=project.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 300
    try:
        while process.poll() is None and time.monotonic() < deadline:
            if _entries(project, store) >= entries:
                break
            time.sleep(0.05)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return _entries(project, store)


def _entries(project: Project, store: str) -> int:
    try:
        path = project.folder / "data/store" / f"{store}.sqlite"
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return int(database.execute("SELECT count(*) FROM item").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def _forget(project: Project, store: str) -> None:
    for path in (project.folder / "data/store").glob(f"{store}.sqlite*"):
        path.unlink()


def test_embed_killed_goes_on_and_ends_the_same(project: Project) -> None:
    vectors = project.folder / "data/embed/vectors.arrow"
    whole = vectors.read_bytes()
    vectors.unlink()
    _forget(project, "embeddings")
    kept = _kill_when(project, ["tasks.embed"], "embeddings", 256)
    assert kept >= 256
    assert not vectors.exists(), "a killed stage left something that looks whole"
    project.run("tasks.embed")
    assert vectors.read_bytes() == whole


def test_generate_killed_keeps_what_was_finished(project: Project) -> None:
    candidates = project.folder / "data/generate" / CELL / "none/candidates.arrow"
    candidates.unlink()
    _forget(project, "generations")
    project.configure(
        {"generation.batch_size": 1}
    )  # one after the other, so that a kill finds some
    cell = [*CELL.split("/"), "none"]
    assert _kill_when(project, ["tasks.generate", *cell], "generations", 1) >= 1
    assert not candidates.exists()
    before = _completions(project)
    project.run("tasks.generate", *cell)
    after = _completions(project)
    assert before.items() <= after.items()
    assert len(after) == 3
    assert candidates.exists()


def _completions(project: Project) -> dict[str, bytes]:
    path = project.folder / "data/store/generations.sqlite"
    with sqlite3.connect(path) as database:
        return dict(database.execute("SELECT key, value FROM item"))

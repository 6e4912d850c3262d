"""The project's own files: what is locked, and what DVC does not look at."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from dvc.ignore import DvcIgnoreFilter
from dvc.repo import Repo
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def locked() -> dict[str, str]:
    lines = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pins}


def test_every_dependency_is_locked_within_its_range(locked: dict[str, str]):
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    for requirement in map(Requirement, wanted):
        version = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), requirement


def test_the_lock_names_releases_and_no_place(locked: dict[str, str]):
    for name, version in locked.items():
        assert re.fullmatch(r"[0-9][0-9A-Za-z.!]*", version), f"{name}=={version}"


@pytest.fixture(scope="module")
def ignores(tmp_path_factory) -> DvcIgnoreFilter:
    root = tmp_path_factory.mktemp("project")
    for name in (".dvcignore", ".dvc/config"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text((REPOSITORY / name).read_text(encoding="utf-8"))
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return Repo(str(root)).dvcignore


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("data/generate/humaneval/qwen-05b/none/timing.json", True),
        ("data/generate/humaneval/qwen-05b/none/candidates.arrow", False),
        ("tasks/core/__pycache__/ids.cpython-311.pyc", True),
        ("tasks/core/ids.py", False),
        ("models/minilm/timing.json", True),
        ("models/minilm/manifest.json", False),
        ("data/store/embeddings.sqlite", True),
        ("data/recorded/humaneval.jsonl.zst", False),
    ],
)
def test_side_figures_and_compiled_code_change_no_stage(
    ignores: DvcIgnoreFilter, path: str, ignored: bool
):
    place = Path(ignores.root_dir) / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch()
    folders = [p for p in place.parents if p.is_relative_to(ignores.root_dir)]
    hidden = any(ignores.is_ignored_dir(str(p)) for p in folders)
    assert (hidden or ignores.is_ignored_file(str(place))) is ignored


def test_dvc_reports_nothing_home():
    settings = Repo(str(REPOSITORY)).config["core"]
    assert settings["analytics"] is False
    assert settings["check_update"] is False

"""One DVC experiment a point: how to run it, and how to know that it was run already."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tasks.sweep.git import experiments, git, show
from tasks.sweep.plan import Job, Missing, lookup, overlay
from tasks.sweep.values import spell

TARGET = "report"  # the stage whose files tell how a point fared, with all that it needs


def command(job: Job, name: str, raw: Mapping[str, Any]) -> list[str]:
    """`dvc exp run` of a job in the workspace.

    Not in a temporary folder: models are outs that DVC does not cache, so they would be made anew.
    A key that params.yaml leaves out has to be added, which Hydra's grammar marks with a plus.
    """
    settings = []
    for key, value in job.settings:
        mark = "+" if lookup(raw, key) is Missing else ""
        settings += ["-S", f"{mark}{key}={spell(value)}"]
    return dvc("exp", "run", "--name", name, *settings, TARGET)


def dvc(*arguments: str) -> list[str]:
    """A DVC command that waits for another one to end."""
    return [sys.executable, "-m", "dvc", "--wait-for-lock", *arguments]


def finished(root: Path, job: Job, name: str, raw: Mapping[str, Any]) -> str:
    """Commit of an experiment of this name with the same parameters and code, or ""."""
    expected = overlay(raw, job.settings)
    for _, commit in experiments(root, name):
        if same_params(root, commit, expected) and same_code(root, commit):
            return commit
    return ""


def drop_outdated(root: Path, name: str) -> None:
    """Remove an experiment of this name on the present commit: its name is needed again."""
    head = git(root, "rev-parse", "HEAD")
    for ref, commit in experiments(root, name):
        if "".join(ref.split("/")[2:4]) == head:
            git(root, "update-ref", "-d", ref, commit)


def same_params(root: Path, commit: str, expected: Mapping[str, Any]) -> bool:
    """Whether the experiment's params.yaml holds these parameters."""
    found = yaml.safe_load(show(root, commit, "params.yaml") or "null")
    return bool(found == expected)


def same_code(root: Path, commit: str) -> bool:
    """Whether the graph and every tracked file that a stage of it read are as they are now."""
    lock = yaml.safe_load(show(root, commit, "dvc.lock") or "null") or {}
    stages: Sequence[Mapping[str, Any]] = list((lock.get("stages") or {}).values())
    made = {out["path"] for stage in stages for out in stage.get("outs", [])}
    read = {dep["path"] for stage in stages for dep in stage.get("deps", [])}
    paths = sorted(path for path in read - made if not path.startswith(("/", "..")))
    return bool(stages) and not git(
        root, "diff", "--name-only", commit, "HEAD", "--", "dvc.yaml", *paths
    )

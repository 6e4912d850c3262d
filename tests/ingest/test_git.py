"""A checkout is read without running git in it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tasks.ingest.git import anchored, ignore_patterns, revision
from tasks.ingest.globs import Selection
from tasks.ingest.walk import selected_paths

NEW = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=main"]
    command = ["git", *who, *arguments]
    return subprocess.run(
        command, cwd=folder, env=NEW, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init")
    (root / "a.py").write_text("a = 1\n")
    git(root, "add", ".")
    git(root, "commit", "-m", "first")
    return root


def test_the_commit_of_a_branch_also_when_packed_or_detached(checkout: Path):
    commit = git(checkout, "rev-parse", "HEAD")
    assert revision(checkout) == commit
    git(checkout, "pack-refs", "--all")
    assert revision(checkout) == commit
    git(checkout, "checkout", "--detach")
    assert revision(checkout) == commit


def test_the_commit_of_a_worktree(checkout: Path):
    git(checkout, "worktree", "add", "-b", "other", "../tree")
    assert revision(checkout.parent / "tree") == git(checkout, "rev-parse", "other")


def test_no_checkout_or_no_commit_yet(tmp_path: Path):
    assert revision(tmp_path) is None
    git(tmp_path, "init")
    assert revision(tmp_path) is None


@pytest.mark.parametrize(
    ("pattern", "base", "expected"),
    [
        ("*.py", "", "*.py"),
        ("*.py", "a/b", "/a/b/**/*.py"),
        ("/x", "a", "/a/x"),
        ("x/y", "a", "/a/x/y"),
        ("x/", "a", "/a/**/x/"),
        ("!x.py", "a", "!/a/**/x.py"),
        ("x", "a[1]", "/a\\[1\\]/**/x"),
        ("# note", "a", ""),
        ("  ", "a", ""),
        ("!", "a", ""),
    ],
)
def test_patterns_of_inner_folders_are_anchored(pattern, base, expected):
    assert anchored(pattern, base) == expected


def test_ignored_files_are_those_that_git_ignores(checkout: Path):
    files = [
        "a.py",
        "b.py",
        "x/a.py",
        "x/c.py",
        "x/y/c.py",
        "x/y/d.py",
        "build/e.py",
        "x/build/f.py",
    ]
    for name in files:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(name)
    (checkout / ".gitignore").write_text("/build/\nb.py\nc.py\n")
    (checkout / "x" / ".gitignore").write_text("!c.py\n/a.py\n# no\ny/d.py\n")
    selection = Selection.of(["*.py"], [".git/", *ignore_patterns(checkout)])
    ours = [path for path, _ in selected_paths(checkout, selection)]
    listed = git(checkout, "ls-files", "--cached", "--others", "--exclude-standard").split()
    assert ours == sorted(name for name in listed if name.endswith(".py"))
    assert ours == ["a.py", "x/build/f.py", "x/c.py", "x/y/c.py"]

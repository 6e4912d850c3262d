"""The few questions that a sweep asks Git."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tasks.core.errors import CodeGraftError


def git(root: Path, *arguments: str, check: bool = True) -> str:
    """Standard output of a git command, without the last line end; "" where it failed unchecked."""
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        if not check:
            return ""
        raise CodeGraftError(
            done.stderr.strip() or f"git {arguments[0]} failed",
            where=f"git {' '.join(arguments)}",
            remedy="experiments need a Git repository with a commit",
        )
    return done.stdout.rstrip("\n")


def show(root: Path, revision: str, path: str) -> str:
    """Text of a file in a revision; "" if it is not in there."""
    return git(root, "show", f"{revision}:{path}", check=False)


def experiments(root: Path, name: str) -> list[tuple[str, str]]:
    """Refs and commits of the experiments of this name, those of the present commit first."""
    head = git(root, "rev-parse", "HEAD")
    listed = git(root, "for-each-ref", "--format=%(refname) %(objectname)", "refs/exps")
    found = []
    for line in listed.splitlines():
        ref, _, commit = line.partition(" ")
        parts = ref.split("/")
        if len(parts) == 5 and parts[4] == name:  # refs/exps/<2 digits>/<38 digits>/<name>
            found.append((ref, commit))
    return sorted(found, key=lambda item: "".join(item[0].split("/")[2:4]) != head)

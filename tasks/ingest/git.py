"""What a git checkout says about itself, read from its files.

The git command is not used: a foreign checkout's configuration can make it run programs.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_COMMIT = re.compile(r"^[0-9a-f]{40}([0-9a-f]{24})?$")


def revision(root: Path) -> str | None:
    """The commit that is checked out in `root`; None if it is no checkout or has no commit."""
    try:
        folder = root / ".git"
        if folder.is_file():  # a worktree or submodule: "gitdir: <path>"
            folder = (root / folder.read_text(encoding="utf-8").split(":", 1)[1].strip()).resolve()
        head = (folder / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head if _COMMIT.match(head) else None
        shared = folder / "commondir"
        common = folder / shared.read_text(encoding="utf-8").strip() if shared.exists() else folder
        return _resolve(common, head.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError, IndexError):
        return None


def _resolve(folder: Path, reference: str) -> str | None:
    """A branch's commit, from its own file or from packed-refs."""
    loose = folder / reference
    if ".." not in reference and loose.is_file():
        commit = loose.read_text(encoding="utf-8").strip()
        return commit if _COMMIT.match(commit) else None
    packed = folder / "packed-refs"
    for line in packed.read_text(encoding="utf-8").splitlines() if packed.is_file() else []:
        commit, _, name = line.partition(" ")
        if name == reference and _COMMIT.match(commit):
            return commit
    return None


def ignore_patterns(root: Path) -> list[str]:
    """The patterns of all .gitignore files below `root`, rewritten to be read from `root`.

    Outer files come first, so that inner ones overrule them, as in git.
    """
    patterns: list[str] = []
    for current, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name != ".git")
        file = Path(current, ".gitignore")
        if ".gitignore" in names and file.is_file() and not file.is_symlink():
            base = "" if current == str(root) else os.path.relpath(current, root)
            text = file.read_text(encoding="utf-8", errors="replace")
            patterns += (anchored(line, base.replace(os.sep, "/")) for line in text.splitlines())
    return [pattern for pattern in patterns if pattern]


def anchored(pattern: str, base: str) -> str:
    """A pattern of the .gitignore in folder `base`, as the root's .gitignore would say it.

    Empty for comments, blank lines and a lone "!".
    """
    pattern = pattern if pattern.endswith("\\ ") else pattern.rstrip()
    negated = "!" if pattern.startswith("!") else ""
    body = pattern[len(negated) :]
    if not body or pattern.startswith("#"):
        return ""
    if not base:
        return pattern
    folder = re.sub(r"([*?\[\]\\!#])", r"\\\1", base)
    if "/" in body.rstrip("/"):  # a slash before the end ties a pattern to its folder
        return f"{negated}/{folder}/{body.lstrip('/')}"
    return f"{negated}/{folder}/**/{body}"

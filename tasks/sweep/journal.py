"""The user's workspace, kept safe while experiments run in it.

`dvc exp run` works in the workspace: it detaches HEAD, rewrites params.yaml and dvc.lock, stashes
tracked changes and replaces outs. Before the first point the journal copies everything of that
which Git and DVC's cache could not give back; after each point, at the end, after Ctrl-C and, when
the sweep was killed, at the next start, it puts the copies back.

Only what a pipeline writes may differ from the commit (parameters, lock, reports). Changed code is
refused rather than carried along: a point's experiment would hold code that no commit has, and
DVC would keep the only copy of it in a stash while a point runs.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tasks.core.errors import CodeGraftError
from tasks.core.files import atomic_path, read_json, write_json
from tasks.sweep.git import git
from tasks.sweep.plan import Settings, overlay

FOLDER = Path(".dvc/tmp/sweep")
FILES = ("params.yaml", "dvc.lock")
FOLDERS = ("reports", "data/timing")  # written beside DVC's cache
OURS = "reports/sweeps"  # what sweeps themselves write is not put back
STATE = "state.json"
EXECUTION = "refs/exps/exec/"


class Journal:
    """Copies of the workspace below `.dvc/tmp/sweep`, from `open` to `close`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / FOLDER

    @property
    def pending(self) -> bool:
        """Whether a sweep stopped before it put the workspace back."""
        return (self.folder / STATE).is_file()

    @property
    def touched(self) -> bool:
        """Whether a job was started in the workspace."""
        return self._state()["settings"] is not None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other sweeps out; the lock goes with the process, however it ends."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with self.folder.with_suffix(".lock").open("w") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CodeGraftError(
                    "another sweep is at work in this workspace",
                    where=str(self.root),
                    remedy="wait until it ends, or stop it",
                ) from None
            yield

    def open(self) -> None:
        """Copy the workspace. Raises CodeGraftError if it holds changes that only Git can keep."""
        refuse_changes(self.root)
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in FILES:
            _copy(self.root / name, self.folder / "files" / name)
        for name in FOLDERS:
            for path in self._files(name):
                _copy(self.root / path, self.folder / "files" / path)
        state = {
            "branch": git(self.root, "symbolic-ref", "--quiet", "HEAD", check=False),
            "commit": git(self.root, "rev-parse", "HEAD"),
            "data": sorted(self._outs()),
            "settings": None,
        }
        write_json(self.folder / STATE, state)  # last: from now on the journal counts

    def note(self, settings: Settings) -> None:
        """Remember which parameters the workspace is about to have."""
        write_json(self.folder / STATE, {**self._state(), "settings": list(settings)})

    def restore(self) -> None:
        """Put HEAD, index, parameters, lock and reports back to what `open` saw.

        Cached outs that were not there are removed, so that no job finds what another one left.
        """
        state = self._state()
        for path in self._outs() - set(state["data"]):
            _remove(self.root / path)
        self._attach(state)
        git(self.root, "reset", "--quiet")
        saved = self.folder / "files"
        for name in FILES:
            _put_back(saved / name, self.root / name)
        for name in FOLDERS:
            copies = (path for path in (saved / name).rglob("*") if path.is_file())
            for relative in {*(path.relative_to(saved) for path in copies), *self._files(name)}:
                _put_back(saved / relative, self.root / relative)
            _prune(self.root / name)

    def close(self) -> None:
        """Forget the copies. Outs come back by `dvc checkout`, which is the caller's."""
        shutil.rmtree(self.folder)

    def check_untouched(self) -> None:
        """Raise CodeGraftError if somebody changed params.yaml after the sweep was killed."""
        state = self._state()
        present = _yaml(self.root / "params.yaml")
        original = _yaml(self.folder / "files" / "params.yaml")
        committed = yaml.safe_load(git(self.root, "show", "HEAD:params.yaml", check=False))
        expected = [original, committed]
        if state["settings"] is not None:
            expected.append(overlay(original, tuple(map(tuple, state["settings"]))))
        if present not in expected:
            raise CodeGraftError(
                "a sweep was killed, and params.yaml was changed since",
                where=f"params.yaml; the copy from before the sweep: {FOLDER}/files/params.yaml",
                remedy="to go back to the copy run `python -m flows.sweep --restore`; to keep the "
                f"present state delete the folder {FOLDER}",
            )

    def _attach(self, state: dict[str, Any]) -> None:
        """Undo DVC's detached HEAD, unless somebody moved on since."""
        head = git(self.root, "rev-parse", "HEAD")
        detached = not git(self.root, "symbolic-ref", "--quiet", "HEAD", check=False)
        branch = state["branch"]
        if branch and detached and git(self.root, "rev-parse", branch, check=False) == head:
            git(self.root, "symbolic-ref", "HEAD", branch)
        for ref in git(self.root, "for-each-ref", "--format=%(refname)", EXECUTION).splitlines():
            git(self.root, "update-ref", "--no-deref", "-d", ref)

    def _state(self) -> dict[str, Any]:
        return dict(read_json(self.folder / STATE))

    def _files(self, name: str) -> set[Path]:
        found = {path.relative_to(self.root) for path in (self.root / name).rglob("*")}
        return {
            path
            for path in found
            if (self.root / path).is_file() and not path.as_posix().startswith(f"{OURS}/")
        }

    def _outs(self) -> set[str]:
        """Cached outs of the present lock that exist."""
        stages = (_yaml(self.root / "dvc.lock") or {}).get("stages", {}).values()
        paths = {out["path"] for stage in stages for out in stage.get("outs", [])}
        return {path for path in paths if path.startswith("data/") and (self.root / path).exists()}


def refuse_changes(root: Path) -> None:
    """Raise CodeGraftError for staged changes, and for others than those of a pipeline's files."""
    staged = git(root, "diff", "--cached", "--name-only").splitlines()
    changed = git(root, "diff", "--name-only").splitlines()
    code = git(root, "ls-files", "--others", "--exclude-standard", "--", "tasks").splitlines()
    foreign = [path for path in changed if path not in FILES and not path.startswith("reports/")]
    if found := sorted({*staged, *foreign, *code}):
        raise CodeGraftError(
            "the workspace holds changes that are not committed",
            where=_some(found),
            remedy="commit them, or put them aside with `git stash -u`, and start again; changes "
            "of params.yaml, dvc.lock and reports/ alone may stay",
        )


def _some(paths: Iterable[str]) -> str:
    listed = list(paths)
    more = f" and {len(listed) - 5} more" if len(listed) > 5 else ""
    return ", ".join(listed[:5]) + more


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else None


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def _put_back(saved: Path, target: Path) -> None:
    """Make `target` what the copy is; absent if there is none. Equal bytes are left alone."""
    if not saved.is_file():
        target.unlink(missing_ok=True)
    elif not target.is_file() or target.read_bytes() != saved.read_bytes():
        with atomic_path(target) as temporary:
            shutil.copy2(saved, temporary)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _prune(folder: Path) -> None:
    """Remove folders that became empty."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()

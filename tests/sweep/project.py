"""A small DVC project with the repository's parameters and one stage that makes up reports."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tasks.core.files import read_json

ROOT = Path(__file__).parents[2]
GRAPH = """\
stages:
  weights:
    cmd: python stage.py weights
    deps: [tasks/stage.py]
    outs:
      - models/weights: {cache: false}
  work:
    matrix: {benchmark: "${benchmark.run}", model: "${models}"}
    cmd: python tasks/stage.py work ${item.benchmark} ${item.model}
    deps: [tasks/stage.py, models/weights]
    params: [conditions, benchmark.limit, solvers]
    outs:
      - data/work/${item.benchmark}/${item.model}.json
  report:
    matrix: {benchmark: "${benchmark.run}", model: "${models}"}
    cmd: python tasks/stage.py report ${item.benchmark} ${item.model}
    deps: [tasks/stage.py, "data/work/${item.benchmark}/${item.model}.json"]
    outs:
      - reports/${item.benchmark}/${item.model}/details.json: {cache: false}
    metrics:
      - reports/${item.benchmark}/${item.model}/metrics.json: {cache: false}
""".replace("python stage.py", "python tasks/stage.py")

# pass@1 is 0.4 + min_similarity / 4 on the development set and falls with it on the benchmark;
# 0.9 fails, and every run of a stage adds a line to runs.log.
STAGE = """\
import json, os, sys, time
from pathlib import Path
import yaml

with open("runs.log", "a") as log:
    log.write(" ".join(sys.argv[1:]) + "\\n")
stage, *cell = sys.argv[1:]
params = yaml.safe_load(open("params.yaml"))
options = params["conditions"]["block-pkg"]

def write(path, value):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(value))

if stage == "weights":
    write("models/weights/manifest.json", {})
elif stage == "work":
    time.sleep(float(os.environ.get("STAGE_SECONDS", 0)))
    if options["min_similarity"] == 0.9:
        sys.exit("error: too similar\\n  where: work\\n  remedy: lower it")
    sign = 1 if cell[0] == "mbpp-dev" else -1
    rate = round(0.4 + sign * options["min_similarity"] / 4, 6)
    write(f"data/work/{'/'.join(cell)}.json", {"rate": rate, "solvers": params["solvers"]})
else:
    work = json.load(open(f"data/work/{'/'.join(cell)}.json"))
    rates = {s: 0.5 if s == "none" else work["rate"] for s in work["solvers"]}
    details = {
        "problems": 80,
        "confidence": 0.95,
        "pass@1": rates,
        "intervals": {s: [r - 0.1, r + 0.1] for s, r in rates.items()},
        "context": {s: {"tokens": 0.0 if s == "none" else 40.0} for s in rates},
        "vs_none": {
            s: {"difference": r - 0.5, "interval": [r - 0.6, r - 0.4], "helped": 3, "hurt": 5,
                "mcnemar_p": 0.7}
            for s, r in rates.items() if s != "none"
        },
    }
    folder = f"reports/{'/'.join(cell)}"
    write(f"{folder}/details.json", details)
    write(f"{folder}/metrics.json", {"pass@1": rates})
"""


class Project:
    """The project's folder, and what tests ask of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a project"
        self.folder.mkdir()
        shutil.copy(ROOT / "params.yaml", self.folder)
        (self.folder / "tasks").mkdir()
        (self.folder / "tasks" / "stage.py").write_text(STAGE)
        (self.folder / "dvc.yaml").write_text(GRAPH)
        (self.folder / ".gitignore").write_text("/data/\n/models/\n/runs.log\n")
        self.git("init", "--quiet")
        self.git("config", "user.name", "t")
        self.git("config", "user.email", "t@example.org")
        self.dvc("init", "--quiet")
        self.dvc("config", "core.analytics", "false")
        self.dvc("repro", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "start")

    @property
    def env(self) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        kept = {k: v for k, v in os.environ.items() if k not in ("DVC_STAGE", "CODEGRAFT_STORE")}
        return {**kept, "PATH": path, "CODEGRAFT_STORE": str(self.folder / "data" / "store")}

    def run(self, command: Sequence[str], **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env={**self.env, **env}, capture_output=True, text=True
        )

    def git(self, *arguments: str) -> str:
        done = self.run(["git", *arguments])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def dvc(self, *arguments: str) -> str:
        done = self.run([sys.executable, "-m", "dvc", *arguments])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def execute(self, command: Sequence[str]) -> str:
        """An engine's way to run commands: the reason why it failed, or ""."""
        done = self.run(command)
        return (done.stderr or "failed") if done.returncode else ""

    def runs(self) -> list[str]:
        """Stages that were run since the last look."""
        log = self.folder / "runs.log"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def contents(self) -> Mapping[str, bytes | str]:
        """Every file of the user's, and where Git stands, without what tools keep."""
        files: dict[str, bytes | str] = {}
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            own = name.startswith((".git/", ".dvc/", "data/store", "reports/sweeps", "runs.log"))
            if path.is_file() and not own:
                files[name] = path.read_bytes()
        files["HEAD"] = (self.folder / ".git" / "HEAD").read_text()
        files["status"] = self.git("status", "--porcelain", "--untracked-files=all")
        return files

    def details(self, benchmark: str) -> dict[str, object]:
        return dict(read_json(self.folder / "reports" / benchmark / "qwen-05b" / "details.json"))

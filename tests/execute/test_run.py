import os
import subprocess
import sys
from pathlib import Path

import pytest

from tasks.core.params import Execute
from tasks.core.tables import read_frame
from tasks.execute.run import limits_of, probe_candidates
from tasks.execute.schema import EXECUTIONS
from tests.execute.tables import frame, write_candidates, write_problems

EXECUTE = Execute(wall_s=4.0, memory_mb=512, workers=2)
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "store"))


def test_probes_of_each_kind_of_candidate():
    rows = probe_candidates(
        frame(
            ("T/0", "none", "def f(x):\n    return x"),
            ("T/1", "none", "def f(x):\n    return missing(x)"),
            ("T/2", "none", "def f(:"),
            ("T/3", "none", "import nowhere\ndef f(x):\n    return x"),
            ("T/4", "none", "import os\nos._exit(0)"),
            ("T/0", "dense", "def f(x):\n    return x"),
        ),
        EXECUTE,
    )
    assert [(r["task_id"], r["probe"], r["status"], r["error_type"]) for r in rows] == [
        ("T/0", "parse", "pass", ""),
        ("T/0", "names", "pass", ""),
        ("T/0", "load", "pass", ""),
        ("T/1", "parse", "pass", ""),
        ("T/1", "names", "fail", "NameError"),
        ("T/1", "load", "pass", ""),
        ("T/2", "parse", "fail", "SyntaxError"),
        ("T/2", "names", "fail", "SyntaxError"),
        ("T/2", "load", "fail", "SyntaxError"),
        ("T/3", "parse", "pass", ""),
        ("T/3", "names", "pass", ""),
        ("T/3", "load", "fail", "ModuleNotFoundError"),
        ("T/4", "parse", "pass", ""),
        ("T/4", "names", "pass", ""),
        ("T/4", "load", "crash", ""),
        ("T/0", "parse", "pass", ""),
        ("T/0", "names", "pass", ""),
        ("T/0", "load", "pass", ""),
    ]
    assert [r["isolation"] for r in rows[:2]] == ["static", "static"]
    assert rows[2]["isolation"].startswith("bubblewrap+")
    assert [r["condition"] for r in rows[-3:]] == ["dense"] * 3


def test_limits_come_from_the_parameters():
    limits = limits_of(Execute(wall_s=7.0, memory_mb=100, processes=3, output_kb=5), wall_s=3.0)
    assert (limits.wall_s, limits.memory_mb, limits.processes, limits.output_kb) == (3.0, 100, 3, 5)
    assert limits.cpu_limit_s == 2


def test_the_stage_reads_no_answers(tmp_path):
    (tmp_path / "params.yaml").write_bytes((ROOT / "params.yaml").read_bytes())
    problems = tmp_path / "data/problems/humaneval"
    write_problems(problems, {"T/0": ("def f(x): pass", "assert f", "asserts")})
    (problems / "answers.arrow").unlink()
    generated = tmp_path / "data/generate/humaneval/m"
    for condition in ("none", "bm25", "dense", "func-bm25", "func-pkg", "block-pkg", "disabled"):
        write_candidates(generated, condition, {"T/0": "def f(x):\n    return 1"})
    subprocess.run(
        [sys.executable, "-m", "tasks.execute", "humaneval", "m"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    table = read_frame(tmp_path / "data/execute/humaneval/m/executions.arrow", EXECUTIONS)
    assert table.height == 6 * 3
    assert set(table["status"]) == {"pass"}
    assert "disabled" not in set(table["condition"])

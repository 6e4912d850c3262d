import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.params import load_params
from tasks.core.tables import read_frame
from tasks.grade.checks import check_sources
from tasks.grade.references import verify_references
from tasks.grade.run import grade_candidates
from tasks.grade.schema import GRADES
from tasks.problems.run import read_items, write_items
from tasks.problems.schema import ANSWERS, PROBLEMS
from tasks.sandbox import Limits
from tests.execute.tables import frame, write_candidates, write_problems

ROOT = Path(__file__).parents[2]
SANDBOX: dict[str, Any] = {"limits": Limits(wall_s=4.0), "backend": "bubblewrap", "workers": 2}
CHECK = "def check(candidate):\n    assert candidate(1) == 2\n\ncheck(f)\n"
GOOD = "def f(x):\n    return x + 1\n"


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "store"))


def _verdicts(rows):
    return [(r["task_id"], r["suite"], r["status"], r["passed"], r["error_type"]) for r in rows]


def test_verdicts_of_both_suites():
    candidates = frame(
        ("T/0", "none", GOOD),
        ("T/0", "dense", "def f(x):\n    return x\n"),
        ("T/1", "none", "import sys\nsys.exit(0)"),
        ("T/1", "dense", "import os\nos._exit(0)"),
    )
    echoed = GOOD + "assert f(1) == 3\n"
    raws = [echoed, *list(candidates["raw"])[1:]]
    candidates = candidates.with_columns(raw=candidates["code"].replace(GOOD, echoed))
    assert list(candidates["raw"]) == raws
    rows = grade_candidates(candidates, {"T/0": CHECK, "T/1": CHECK}, **SANDBOX)
    assert _verdicts(rows) == [
        ("T/0", "tests", "pass", True, ""),
        ("T/0", "raw", "fail", False, "AssertionError"),
        ("T/0", "tests", "fail", False, "AssertionError"),
        ("T/0", "raw", "fail", False, "AssertionError"),
        ("T/1", "tests", "fail", False, "SystemExit"),
        ("T/1", "raw", "fail", False, "SystemExit"),
        ("T/1", "tests", "crash", False, ""),
        ("T/1", "raw", "crash", False, ""),
    ]


def test_tests_that_cannot_be_trusted_stop_the_run():
    checks = {"T/0": CHECK, "T/1": "x = 1\n", "T/2": CHECK}
    references = {"T/0": GOOD, "T/1": GOOD, "T/2": "def f(x):\n    return x\n"}
    with pytest.raises(CodeGraftError) as refused:
        verify_references(references, checks, **SANDBOX)
    assert refused.value.what == (
        "2 tests cannot be trusted: T/1: an empty program passes; "
        "T/2: the reference does not pass (fail, AssertionError)"
    )
    verify_references({"T/0": GOOD}, checks, **SANDBOX)


def test_references_of_humaneval_pass_their_own_tests(tmp_path):
    """A dozen of them; the stage itself proves all of them before it grades."""
    items = read_items("humaneval", load_params().benchmark)[::14]
    write_items(items, tmp_path)
    answers = read_frame(tmp_path / "answers.arrow", ANSWERS)
    checks = check_sources(read_frame(tmp_path / "problems.arrow", PROBLEMS), answers)
    references = dict(answers.select("task_id", "reference").iter_rows())
    assert len(references) == 12
    verify_references(references, checks, **SANDBOX)
    half = {task: source.replace("return", "return not") for task, source in references.items()}
    with pytest.raises(CodeGraftError, match="12 tests cannot be trusted"):
        verify_references(half, checks, **SANDBOX)


def test_the_stage(tmp_path):
    (tmp_path / "params.yaml").write_bytes((ROOT / "params.yaml").read_bytes())
    problems = tmp_path / "data/problems/humaneval"
    write_problems(problems, {"T/0": (GOOD, "def check(c):\n    assert c(1) == 2\n", "check")})
    solvers = load_params().solvers
    for condition in (*solvers, "disabled"):
        write_candidates(tmp_path / "data/generate/humaneval/m", condition, {"T/0": GOOD})
    out = tmp_path / "data/grade/humaneval/m"
    written = []
    for _ in range(2):
        subprocess.run(
            [sys.executable, "-m", "tasks.grade", "humaneval", "m"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
        )
        written.append((out / "grades.arrow").read_bytes())
    assert written[0] == written[1]
    table = read_frame(out / "grades.arrow", GRADES)
    assert list(table["condition"]) == [name for name in solvers for _ in range(2)]
    assert table["passed"].all()
    assert json.loads((out / "timing.json").read_text())["items"] == 2 * len(solvers)

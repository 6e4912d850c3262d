import shutil

import pytest

from tasks.core.errors import CodeGraftError
from tasks.select.load import load_pool
from tasks.select.run import run_selectors
from tests.report.results import SOLVERS, TASKS, write_stages
from tests.select.pools import WordEncoder


def load(data, solvers=SOLVERS):
    return load_pool("tiny", "fake", solvers=solvers, data=data, encoder=WordEncoder)


def test_a_pool_needs_neither_answers_nor_grades(tmp_path):
    write_stages(tmp_path)
    shutil.rmtree(tmp_path / "grade")
    pool = load(tmp_path)
    assert list(pool.candidates) == list(TASKS)
    rows = run_selectors(pool, {"similarity": None})
    # the codes are alike, so the first survivor of each problem is chosen
    assert [row["condition"] for row in rows] == ["none", "none", "none", "block-pkg"]


def test_folders_of_disabled_conditions_are_not_opened(tmp_path):
    write_stages(tmp_path)
    (tmp_path / "generate/tiny/fake/other").mkdir()
    (tmp_path / "generate/tiny/fake/other/candidates.arrow").write_bytes(b"rubbish")
    assert {c.condition for c in load(tmp_path).candidates["T/0"]} == set(SOLVERS)


def test_executions_of_a_disabled_condition_are_refused(tmp_path):
    write_stages(tmp_path)
    with pytest.raises(CodeGraftError, match="not enabled"):
        load(tmp_path, solvers=("none", "dense"))

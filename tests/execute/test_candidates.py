import polars as pl
import pytest

from tasks.core.errors import CodeGraftError
from tasks.execute.candidates import read_candidates
from tests.execute.tables import write_candidates

PROBLEMS = pl.DataFrame({"task_id": ["T/0", "T/1"]})


def _read(folder, *solvers):
    return read_candidates(PROBLEMS, folder=folder, solvers=solvers)


def test_only_enabled_solvers_are_read_in_their_order(tmp_path):
    for condition in ("none", "dense", "bm25"):
        write_candidates(tmp_path, condition, {"T/0": "a", "T/1": condition})
    found = _read(tmp_path, "dense", "none")
    assert found.select("task_id", "condition", "code").rows() == [
        ("T/0", "dense", "a"),
        ("T/1", "dense", "dense"),
        ("T/0", "none", "a"),
        ("T/1", "none", "none"),
    ]


def test_what_does_not_belong_together_is_refused(tmp_path):
    write_candidates(tmp_path, "short", {"T/0": "a"})
    write_candidates(tmp_path, "long", {"T/0": "a", "T/1": "b", "T/2": "c"})
    write_candidates(tmp_path, "none", {"T/0": "a", "T/1": "b"})
    (tmp_path / "none").rename(tmp_path / "moved")
    with pytest.raises(CodeGraftError, match="find no partner"):
        _read(tmp_path, "short")
    with pytest.raises(CodeGraftError, match="find no partner"):
        _read(tmp_path, "long")
    with pytest.raises(CodeGraftError, match=r"candidates of \['none'\], not of 'moved'"):
        _read(tmp_path, "moved")
    with pytest.raises(CodeGraftError, match="an input table is missing"):
        _read(tmp_path, "none")

import polars as pl
import pytest

from tasks.core.errors import CodeGraftError
from tasks.grade.checks import check_sources

PROBLEMS = pl.DataFrame({"task_id": ["T/0", "T/1"], "entry_point": ["f", "g"]})


def _answers(*rows):
    return pl.DataFrame(rows, schema=["task_id", "reference", "test", "style"], orient="row")


def test_both_styles():
    answers = _answers(
        ("T/1", "", "assert g(1)\n", "asserts"), ("T/0", "", "def check(c): ...\n", "check")
    )
    assert check_sources(PROBLEMS, answers) == {
        "T/0": "def check(c): ...\n\ncheck(f)\n",
        "T/1": "assert g(1)\n",
    }


def test_unknown_styles_and_strangers_are_refused():
    with pytest.raises(CodeGraftError, match="unknown style of tests: 'doctest'"):
        check_sources(PROBLEMS, _answers(("T/0", "", "", "doctest"), ("T/1", "", "", "asserts")))
    with pytest.raises(CodeGraftError, match="find no partner"):
        check_sources(PROBLEMS, _answers(("T/0", "", "", "asserts")))

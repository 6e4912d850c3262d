import polars as pl
import pytest

from tasks.core.errors import CodeGraftError
from tasks.page.bodies import bodies
from tasks.page.load import with_verdicts
from tasks.page.outcome import outcomes
from tests.page.site import FULL, tiny_tables
from tests.report.results import SOLVERS, TASKS

CODES = {("T/2", "none"): "x = 1\ny = 2", ("T/2", "dense"): "x = 1\ny = 3"}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    return tiny_tables(tmp_path_factory.mktemp("site"), CODES)


def test_outcomes_in_short(tables):
    found = {entry["id"]: entry for entry in outcomes(tables)}
    assert list(found) == list(TASKS)
    assert found["T/1"] == {
        "id": "T/1",
        "name": "f",
        "share": {"none": 1.0, "dense": 0.0, "block-pkg": 1.0},
        "errors": {"none": [], "dense": ["TypeError"], "block-pkg": []},
        "helped": [],
        "hurt": ["dense"],
        "members": "none+block-pkg",
        "selected": {"similarity": "wrong"},
    }
    assert found["T/2"]["helped"] == ["dense", "block-pkg"]
    assert found["T/2"]["selected"] == {"similarity": "right"}
    assert found["T/3"]["members"] == ""
    assert found["T/3"]["errors"]["block-pkg"] == ["timeout"]
    assert found["T/3"]["selected"] == {"similarity": "hopeless"}


def test_every_problem_and_condition_has_its_body(tables):
    found = list(bodies(tables))
    assert [body["id"] for body in found] == list(TASKS)
    for body in found:
        assert list(body["conditions"]) == list(SOLVERS)
        assert all(len(c["candidates"]) == c["samples"] == 1 for c in body["conditions"].values())


def test_a_context_tells_what_became_of_it(tables):
    body = next(bodies(tables))
    (context,) = body["conditions"]["dense"]["contexts"]
    text, runs = body["texts"][context.pop("text")]
    assert text == FULL
    assert runs.startswith("k3 1 f1 ")
    assert context == {
        "source": "pypi:tiny==1",
        "path": "a.py",
        "licence": "MIT",
        "qualname": "tiny.f",
        "score": 0.5,
        "tokens": 10,
        "cut": 0,
        "marks": [["kept", 8], ["pruned", 24], ["kept", 10], ["cut", 13]],
    }
    assert body["conditions"]["none"]["contexts"] == []
    assert len(list(bodies(tables))[1]["conditions"]["dense"]["contexts"]) == 2


def test_a_candidate_and_its_difference(tables):
    body = list(bodies(tables))[2]
    (candidate,) = body["conditions"]["dense"]["candidates"]
    assert body["texts"][candidate["text"]][0] == "x = 1\ny = 3"
    assert body["texts"][candidate["base"]][0] == "x = 1\ny = 2"
    assert candidate["diff"] == [["=", 0, 0, 1], ["-", 1, [[4, 5]]], ["+", 1, [[4, 5]]]]
    assert candidate["selected_by"] == ["similarity"]
    assert (candidate["passed"], candidate["cause"], candidate["origin"]) == (True, "", "replayed")
    assert body["conditions"]["none"]["candidates"][0]["diff"] is None
    assert body["matches"] == [
        {"path": "b.py", "source": "pypi:tiny==1", "what": "prompt", "how": "ngram", "score": 0.75}
    ]
    assert body["picks"][0]["condition"] == "dense"


def test_probes_are_those_of_the_candidate(tables):
    body = list(bodies(tables))[3]
    (candidate,) = body["conditions"]["dense"]["candidates"]
    assert [probe[0] for probe in candidate["probes"]] == ["parse", "names", "load"]
    assert candidate["probes"][0][1] == "fail"
    assert candidate["survives"] is False


def test_a_candidate_without_verdict_is_refused(tables):
    key = ["task_id", "condition", "sample"]
    verdicts = tables.candidates.select(*key, "passed").head(3)
    with pytest.raises(CodeGraftError, match="no partner"):
        with_verdicts(tables.candidates.select(*key, pl.lit("x").alias("code")), verdicts)

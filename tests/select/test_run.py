import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.params import Select
from tasks.core.tables import read_frame, write_table
from tasks.select import run
from tasks.select.pool import Choice
from tasks.select.run import checked_options, run_selectors
from tasks.select.schema import SELECTIONS
from tests.select.pools import candidate, pool_of

PROMPTS = {"T/1": "sort", "T/0": "add"}
SOLVERS = ("none", "dense")


def tiny_pool():
    codes = {"none": "add", "dense": "sort"}
    rows = [candidate(task, solver, codes[solver]) for task in PROMPTS for solver in SOLVERS]
    return pool_of(PROMPTS, rows, solvers=SOLVERS)


def test_one_row_a_problem_in_benchmark_order(tmp_path):
    rows = run_selectors(tiny_pool(), checked_options(Select(selectors=["similarity"])))
    path = tmp_path / "selections.arrow"
    write_table(path, SELECTIONS, rows)
    assert read_frame(path, SELECTIONS).rows() == [
        ("T/1", "similarity", "dense", 0, 1.0),
        ("T/0", "similarity", "none", 0, 1.0),
    ]
    first = path.read_bytes()
    write_table(path, SELECTIONS, run_selectors(tiny_pool(), {"similarity": None}))
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"selectors": ["similarty"]}, "unknown selector: 'similarty'"),
        ({"selectors": ["similarity", "similarity"]}, "occurs twice"),
        ({"selectors": ["similarity"], "options": {"other": {}}}, "unknown selectors: ['other']"),
        ({"selectors": ["similarity"], "options": {"similarity": {"k": 1}}}, "k: "),
    ],
)
def test_wrong_parameters_are_refused(params, message):
    with pytest.raises(CodeGraftError) as error:
        checked_options(Select(**params))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"T/0": Choice("none", 0, 0.0)}, "missed or invented, e.g. T/1"),
        (
            {t: Choice("none", 0, 0.0) for t in ("T/0", "T/1", "T/2")},
            "missed or invented, e.g. T/2",
        ),
        ({t: Choice("none", 1, 0.0) for t in PROMPTS}, "no such candidate"),
    ],
)
def test_a_selector_that_breaks_its_contract_is_refused(monkeypatch, chosen, message):
    monkeypatch.setattr(run, "load", lambda *_: lambda pool, options: chosen)
    with pytest.raises(CodeGraftError) as error:
        run_selectors(tiny_pool(), {"broken": None})
    assert message in str(error.value)

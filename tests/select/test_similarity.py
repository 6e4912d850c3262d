import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.plugins import load
from tasks.select.pool import FILTER_PROBES, Choice
from tests.select.pools import WordEncoder, candidate, pool_of

SOLVERS = ("none", "bm25", "dense")
select = load("tasks.select.selectors", "similarity", "select")
Options = load("tasks.select.selectors", "similarity", "Options")


def choose(codes, *, failing=None, prompt="sort the tree", solvers=SOLVERS):
    """Select among one candidate a condition; `failing` maps a condition to its failing probe."""
    rows = [candidate("T/0", solver, code) for solver, code in codes.items()]
    probes = {("T/0", solver, 0): probe for solver, probe in (failing or {}).items()}
    pool = pool_of({"T/0": prompt}, rows, solvers=solvers, failing=probes)
    return select(pool, Options())["T/0"]


def test_the_most_similar_survivor_wins_with_its_cosine():
    codes = {"none": "add", "bm25": "sort tree", "dense": "sort"}
    chosen = choose(codes)
    # query and bm25: the same counts, hence cosine 1
    assert chosen == Choice(condition="bm25", sample=0, score=1.0)
    # bm25 does not survive: (1 + 0.25) / sqrt(2.25 * 1.25)
    chosen = choose(codes, failing={"bm25": "load"})
    assert (chosen.condition, chosen.score) == ("dense", pytest.approx(0.745356, abs=1e-6))


def test_without_survivor_the_best_that_parses_then_the_best_of_all():
    codes = {"none": "add", "bm25": "sort tree", "dense": "sort"}
    failing = {"none": "load", "bm25": "parse", "dense": "names"}
    assert choose(codes, failing=failing).condition == "dense"
    assert choose(codes, failing=dict.fromkeys(codes, "parse")).condition == "bm25"


def test_ties_fall_to_the_condition_listed_first():
    codes = dict.fromkeys(SOLVERS, "sort tree")
    assert choose(codes).condition == "none"
    assert choose(codes, solvers=("dense", "none", "bm25")).condition == "dense"


def test_query_and_code_are_embedded_as_what_they_are_and_once():
    rows = [candidate(task, "none", "sort") for task in ("T/0", "T/1")]
    encoder = WordEncoder()
    pool = pool_of({"T/0": "add", "T/1": "add"}, rows, solvers=("none",), encoder=encoder)
    assert set(select(pool, Options())) == {"T/0", "T/1"}
    assert encoder.seen == [("query", "add"), ("document", "sort")]


@given(st.lists(st.sampled_from([*FILTER_PROBES, None]), min_size=3, max_size=3))
def test_the_choice_never_comes_from_a_worse_tier(probes):
    failing = {s: probe for s, probe in zip(SOLVERS, probes, strict=True) if probe}
    tier = {s: {"parse": 0, "names": 1, "load": 1}.get(failing.get(s, ""), 2) for s in SOLVERS}
    chosen = choose({"none": "add", "bm25": "sort", "dense": "sort tree"}, failing=failing)
    assert tier[chosen.condition] == max(tier.values())

import polars as pl
import pytest

from tasks.core.errors import CodeGraftError
from tasks.select.pool import build_pool
from tests.select.pools import (
    WordEncoder,
    candidate,
    candidates_frame,
    executions_frame,
    pool_of,
    problems_frame,
)

PROMPTS = {"T/0": "add", "T/1": "sort"}
ROWS = [candidate(task, solver, "x = 1") for task in PROMPTS for solver in ("none", "dense")]


def build(problems=None, rows=None, executions=None, solvers=("none", "dense")):
    rows = ROWS if rows is None else rows
    return build_pool(
        problems_frame(PROMPTS) if problems is None else problems,
        candidates_frame(rows),
        executions_frame(rows) if executions is None else executions,
        benchmark="tiny",
        model="fake",
        solvers=solvers,
        encoder=WordEncoder,
    )


def test_candidates_stand_in_the_order_of_solvers_then_samples():
    rows = [candidate("T/0", "dense", "b", sample=s) for s in (1, 0)]
    rows += [candidate("T/0", "none", "a"), *(r for r in ROWS if r["task_id"] == "T/1")]
    pool = build(rows=rows)
    assert [(c.condition, c.sample) for c in pool.candidates["T/0"]] == [
        ("none", 0),
        ("dense", 0),
        ("dense", 1),
    ]
    assert list(pool.queries.items()) == [("T/0", "add"), ("T/1", "sort")]


def test_a_candidate_survives_only_if_every_probe_passes():
    failing = {
        ("T/0", "none", 0): "parse",
        ("T/0", "dense", 0): "names",
        ("T/1", "none", 0): "load",
    }
    pool = pool_of(PROMPTS, ROWS, solvers=("none", "dense"), failing=failing)
    states = {
        (task, c.condition): (c.parses, c.survives)
        for task, found in pool.candidates.items()
        for c in found
    }
    assert states == {
        ("T/0", "none"): (False, False),
        ("T/0", "dense"): (True, False),
        ("T/1", "none"): (True, False),
        ("T/1", "dense"): (True, True),
    }


def test_probes_that_were_not_run_after_a_failed_parse_do_not_pass():
    executions = executions_frame(ROWS).filter(pl.col("probe") == "parse")
    found = build(executions=executions).candidates["T/0"][0]
    assert found.parses and not found.survives


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda: build(rows=ROWS[1:], executions=executions_frame(ROWS[1:])), "no partner"),
        (lambda: build(executions=executions_frame(ROWS[1:])), "no partner"),
        (lambda: build(rows=[*ROWS, ROWS[0]], executions=executions_frame(ROWS)), "more than once"),
        (lambda: build(executions=executions_frame([*ROWS, ROWS[0]])), "more than once"),
        (lambda: build(problems=problems_frame({"T/0": "add"})), "no partner"),
        (lambda: build(solvers=("none",)), "not enabled: ['dense']"),
        (
            lambda: build(executions=executions_frame(ROWS).filter(pl.col("probe") != "parse")),
            "no parse probe",
        ),
    ],
)
def test_tables_that_do_not_belong_together_are_refused(change, message):
    with pytest.raises(CodeGraftError) as error:
        change()
    assert message in str(error.value)

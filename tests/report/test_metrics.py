import math

import polars as pl
import pytest

from tasks.core.params import Report
from tasks.report.metrics import build_metrics
from tasks.report.outcomes import outcomes_of
from tests.report.results import SOLVERS, TASKS, candidate_rows, grade, tables, tiny_inputs
from tests.select.pools import candidates_frame, executions_frame

PARAMS = Report(bootstrap=500)


def metrics_of(inputs):
    return build_metrics(inputs, outcomes_of(inputs), PARAMS)


@pytest.fixture(scope="module")
def metrics():
    return metrics_of(tiny_inputs())


def test_rates(metrics):
    assert metrics["problems"] == 4 and metrics["samples"] == 1
    assert metrics["pass@1"] == {"none": 0.5, "dense": 0.5, "block-pkg": 0.75}
    assert metrics["selected"] == {"similarity": 0.5}
    assert metrics["oracle"] == 0.75
    assert metrics["random"] == round((1 + 2 / 3 + 2 / 3 + 0) / 4, 6)
    assert "pass@3" not in metrics


def test_counts(metrics):
    assert (metrics["candidates"], metrics["candidates_surviving_filter"]) == (12, 9)
    assert (metrics["replayed"], metrics["fresh"]) == (11, 1)
    assert (metrics["nodes"], metrics["edges"]) == (1000, 900)
    assert metrics["contamination"] == {"denied": 2, "by_kind": {"prompt": 1, "reference": 1}}
    assert metrics["spot_check"] == {"checked": 8, "identical": 7, "similarity": 0.99}


def test_comparisons_are_paired_with_none(metrics):
    found = metrics["vs_none"]
    assert set(found) == {"dense", "block-pkg", "similarity"}
    assert [found["dense"][k] for k in ("difference", "helped", "hurt", "mcnemar_p")] == [
        0.0,
        1,
        1,
        1.0,
    ]
    assert [found["block-pkg"][k] for k in ("difference", "helped", "hurt")] == [0.25, 1, 0]
    assert found["block-pkg"]["interval"] == [0.0, 0.75]


def test_intervals_are_wilsons_for_shares(metrics):
    z = 1.959964
    centre, half = (0.5 + z * z / 8) / (1 + z * z / 4), z * math.sqrt(0.25 / 4 + z * z / 64)
    half /= 1 + z * z / 4
    assert metrics["intervals"]["none"] == pytest.approx([centre - half, centre + half], abs=1e-5)
    assert set(metrics["intervals"]) == {*SOLVERS, "similarity", "oracle", "random"}


def test_filter(metrics):
    found = metrics["filter"]
    keys = ("failing", "caught_by_parse", "caught_by_names", "caught_by_load", "passing_rejected")
    assert {s: [found["by_condition"][s][k] for k in keys] for s in SOLVERS} == {
        "none": [2, 0, 0, 1, 0],
        "dense": [2, 1, 0, 0, 0],
        "block-pkg": [1, 0, 0, 0, 1],
    }
    assert found["problems_without_survivor"] == 0
    # T/2 keeps none and dense, T/3 keeps block-pkg
    assert found["random"] == round((1 + 2 / 3 + 1 / 2 + 0) / 4, 6)


def test_filter_falls_back_to_those_that_parse():
    rows = candidate_rows()
    failing = {("T/0", s, 0): "names" for s in SOLVERS} | {("T/1", s, 0): "parse" for s in SOLVERS}
    failing["T/1", "dense", 0] = "load"  # the only one that parses, and it fails its tests
    found = metrics_of(tiny_inputs(executions=executions_frame(rows, failing)))["filter"]
    assert found["problems_without_survivor"] == 2
    assert found["random"] == round((1 + 0 + 2 / 3 + 0) / 4, 6)


def test_errors_contexts_tokens_and_raw_verdicts(metrics):
    assert metrics["error_types"] == {
        "none": {"AssertionError": 1, "NameError": 1},
        "dense": {"SyntaxError": 1, "TypeError": 1},
        "block-pkg": {"timeout": 1},
    }
    assert metrics["context"]["dense"] == {
        "tokens": 15.0,
        "cut_tokens": 2.0,
        "problems_with_context": 2,
    }
    assert metrics["context"]["none"]["problems_with_context"] == 0
    assert metrics["tokens"]["none"] == {"in": 20.0, "out": 10.0, "cut_off": 1}
    assert metrics["raw_verdicts"] == {
        "none": {"only_normal_passes": 1, "only_raw_passes": 0},
        "dense": {"only_normal_passes": 0, "only_raw_passes": 0},
        "block-pkg": {"only_normal_passes": 0, "only_raw_passes": 1},
    }


def test_without_none_there_is_nothing_to_compare_with():
    kept = pl.col("condition") != "none"
    names = ("candidates", "executions", "grades")
    changed = {name: tables()[name].filter(kept) for name in names}
    chosen = tables()["selections"].with_columns(pl.lit("dense").alias("condition"))
    metrics = metrics_of(tiny_inputs(solvers=SOLVERS[1:], selections=chosen, **changed))
    assert metrics["vs_none"] == {}
    assert set(metrics["pass@1"]) == {"dense", "block-pkg"}


def test_several_samples_use_the_unbiased_estimator():
    rows, grades = [], []
    for solver, passes in (("none", 1), ("dense", 2)):
        for task in TASKS:
            for sample in range(3):
                rows.append({**candidate_rows()[0], "task_id": task, "condition": solver,
                             "sample": sample})  # fmt: skip
                for suite in ("tests", "raw"):
                    grades.append(grade(task, solver, sample, suite=suite, passed=sample < passes))
    chosen = tables()["selections"].with_columns(
        pl.lit("dense").alias("condition"), pl.lit(2, dtype=pl.Int32).alias("sample")
    )
    inputs = tiny_inputs(
        solvers=("none", "dense"),
        candidates=candidates_frame(rows),
        contexts=tables()["contexts"].filter(pl.col("condition") == "dense"),
        executions=executions_frame(rows),
        grades=pl.DataFrame(grades, schema_overrides={"sample": pl.Int32}),
        selections=chosen,
    )
    metrics = metrics_of(inputs)
    assert metrics["samples"] == 3
    assert metrics["pass@1"] == {"none": round(1 / 3, 6), "dense": round(2 / 3, 6)}
    assert metrics["pass@3"] == {"none": 1.0, "dense": 1.0}
    assert metrics["selected"] == {"similarity": 0.0}
    assert metrics["vs_none"]["dense"]["helped"] == 4
    assert metrics["random"] == 0.5

import polars as pl
import pytest

from tasks.core.errors import CodeGraftError
from tests.report.results import TASKS, tables, tiny_inputs


def test_rows_are_joined_by_key_whatever_their_order():
    shuffled = {
        name: table.sample(fraction=1.0, shuffle=True, seed=7)
        for name, table in tables().items()
        if isinstance(table, pl.DataFrame) and name != "problems"
    }
    inputs, mixed = tiny_inputs(), tiny_inputs(**shuffled)
    key = ["task_id", "condition", "sample"]
    assert inputs.candidates.sort(key).equals(mixed.candidates.sort(key))
    assert inputs.tasks == mixed.tasks == TASKS
    wrong = inputs.candidates.filter(~pl.col("passed")).select("task_id", "condition", "error_type")
    assert wrong.sort("task_id", "condition").rows() == [
        ("T/1", "dense", "TypeError"),
        ("T/2", "none", "AssertionError"),
        ("T/3", "block-pkg", ""),
        ("T/3", "dense", "SyntaxError"),
        ("T/3", "none", "NameError"),
    ]


def test_contexts_are_summed_and_zero_where_nothing_was_found():
    rows = tiny_inputs().contexts.filter(pl.col("task_id") == "T/1")
    assert rows.select("condition", "pieces", "tokens", "cut_tokens").rows() == [
        ("none", 0, 0, 0),
        ("dense", 2, 50, 8),
        ("block-pkg", 0, 0, 0),
    ]


def without_first(name):
    return {name: tables()[name][1:]}


def doubled(name):
    table = tables()[name]
    return {name: pl.concat([table, table[:1]])}


def elsewhere(name):
    first = pl.int_range(pl.len()) == 0
    moved = pl.when(first).then(pl.lit("T/9")).otherwise("task_id").alias("task_id")
    return {name: tables()[name].with_columns(moved)}


@pytest.mark.parametrize("name", ["candidates", "executions", "selections", "grades"])
@pytest.mark.parametrize("change", [without_first, doubled, elsewhere])
def test_a_lost_doubled_or_foreign_row_is_refused(name, change):
    changed = change(name)
    if name == "executions" and change is without_first:
        changed = {name: tables()[name][3:]}  # all probes of one candidate
    with pytest.raises(CodeGraftError, match=r"no partner|more than once"):
        tiny_inputs(**changed)


def test_contexts_of_another_problem_are_refused():
    with pytest.raises(CodeGraftError, match="no partner"):
        tiny_inputs(**elsewhere("contexts"))


def test_a_doubled_problem_is_refused():
    with pytest.raises(CodeGraftError, match="more than once"):
        tiny_inputs(**doubled("problems"))


@pytest.mark.parametrize("selectors", [("dense",), ("oracle",), ("random",)])
def test_a_selector_may_not_bear_the_name_of_a_row(selectors):
    renamed = tables()["selections"].with_columns(pl.lit(selectors[0]).alias("selector"))
    with pytest.raises(CodeGraftError, match="same name"):
        tiny_inputs(selectors=selectors, selections=renamed)

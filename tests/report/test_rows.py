import io

import polars as pl

from tasks.report.rows import csv_text, problem_rows, which_solves
from tests.report.results import SOLVERS, TASKS, tables, tiny_inputs


def test_a_row_a_problem_and_condition_in_order_and_without_text():
    shuffled = tables()["candidates"].sample(fraction=1.0, shuffle=True, seed=3)
    text = csv_text(problem_rows(tiny_inputs(candidates=shuffled)))
    lines = text.splitlines()
    assert lines[0] == (
        "task_id,condition,sample,passed,raw_passed,status,error_type,survives_filter,"
        "selected_by,finish_reason,tokens_in,tokens_out,context_tokens,origin"
    )
    assert lines[1] == 'T/0,none,0,true,false,pass,"",true,similarity,stop,20,10,0,fresh'
    assert (
        lines[5] == "T/1,dense,0,false,false,fail,TypeError,true,similarity,stop,20,10,50,replayed"
    )
    keys = pl.read_csv(io.StringIO(text)).select("task_id", "condition").rows()
    assert keys == [(task, solver) for task in TASKS for solver in SOLVERS]
    assert "x = 1" not in text and "do it" not in text


def test_which_conditions_solve_which_problems():
    inputs = tiny_inputs()
    assert which_solves(inputs) == [
        {"none": 0, "dense": 0, "block-pkg": 0, "problems": 1, "task_ids": "T/3"},
        {"none": 0, "dense": 1, "block-pkg": 1, "problems": 1, "task_ids": "T/2"},
        {"none": 1, "dense": 0, "block-pkg": 1, "problems": 1, "task_ids": "T/1"},
        {"none": 1, "dense": 1, "block-pkg": 1, "problems": 1, "task_ids": "T/0"},
    ]
    assert sum(row["problems"] for row in which_solves(inputs)) == len(TASKS)

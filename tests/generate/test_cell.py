"""Solvers and the cell of the matrix that runs them, with a fake generator."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.audit.schema import DENY
from tasks.core.errors import CodeGraftError
from tasks.core.files import write_json
from tasks.core.params import load_params
from tasks.core.tables import read_frame, write_table
from tasks.generate import cell as cells
from tasks.generate import solver as solvers
from tasks.generate.cell import Cell, read_problems, solve_cell
from tasks.generate.schema import CANDIDATES, TRACE
from tasks.generate.solver import Solution, Tools, load_solver
from tasks.problems.schema import PROBLEMS
from tasks.retrieval.schema import CONTEXTS
from tests.generate.fakes import TEMPLATE, FakeGenerator, context, problem, problems

PARAMS = load_params(Path(__file__).parents[2] / "params.yaml")
CELL = Cell("fake", "qwen-05b", "none")


def row(item) -> dict[str, str]:
    return {name: getattr(item, name) for name in PROBLEMS.names}


def prepare(monkeypatch, generator, *, numbers=(2, 0, 1)) -> None:
    """The inputs of a cell in the working folder, with the generator in place of the model."""
    rows = [row(item) for item in problems(numbers)]
    write_table(Path("data/problems/fake/problems.arrow"), PROBLEMS, rows)
    write_table(Path("data/audit/fake/deny.arrow"), DENY, [])
    write_json(Path("models/qwen-05b/manifest.json"), {"name": "qwen-05b", "sha256": "a" * 64})
    monkeypatch.setattr(cells, "open_generator", lambda params, model: generator)
    monkeypatch.setattr(cells, "load_template", lambda name: TEMPLATE)


def table(name: str, schema):
    return read_frame(CELL.folder / f"{name}.arrow", schema)


def test_a_cell_writes_candidates_contexts_and_trace(monkeypatch):
    generator = FakeGenerator([f"\n    return {n}\n" for n in range(3)])
    prepare(monkeypatch, generator)
    found = {item.task_id: [context(item)] for item in problems([0, 1])} | {"Fake/2": []}
    monkeypatch.setattr(solvers, "retrieve", lambda kb, condition, asked, options: found)
    solve_cell(PARAMS, CELL)
    candidates = table("candidates", CANDIDATES)
    assert candidates["task_id"].to_list() == ["Fake/2", "Fake/0", "Fake/1"]
    assert candidates["code"].to_list() == [
        f"{problem(case).prompt.rstrip()}\n    return {n}\n" for n, case in enumerate((2, 0, 1))
    ]
    assert set(candidates["condition"]) == {"none"}
    assert set(candidates["origin"]) == {"fresh"}
    # Each prompt carries its own problem's context and no other's.
    for request in generator.asked:
        case = request.messages[1][1].split("case ")[1][0]
        assert ("helper" in request.messages[1][1]) == bool(found[f"Fake/{case}"])
    contexts = table("contexts", CONTEXTS)
    assert contexts["task_id"].to_list() == ["Fake/0", "Fake/1"]
    trace = table("trace", TRACE)
    assert trace.filter(task_id="Fake/0")["action"].to_list() == ["retrieve", "generate"]
    assert trace["tokens_out"].sum() == candidates["tokens_out"].sum()


def test_several_samples_are_numbered(monkeypatch):
    prepare(monkeypatch, FakeGenerator(["a", "b"]), numbers=(0,))
    generation = PARAMS.generation.model_copy(update={"samples": 2, "temperature": 0.8})
    solve_cell(PARAMS.model_copy(update={"generation": generation}), CELL)
    candidates = table("candidates", CANDIDATES)
    assert candidates["sample"].to_list() == [0, 1]
    assert candidates["completion"].to_list() == ["a", "b"]


def test_a_second_run_is_equal_bytes_and_asks_nothing(monkeypatch):
    prepare(monkeypatch, FakeGenerator(["a", "b", "c"]))
    solve_cell(PARAMS, CELL)
    files = {path: path.read_bytes() for path in CELL.folder.iterdir()}
    assert {path.name for path in files} == {
        "candidates.arrow",
        "contexts.arrow",
        "trace.arrow",
    }
    solve_cell(PARAMS, CELL)
    assert {path: path.read_bytes() for path in CELL.folder.iterdir()} == files


@pytest.mark.parametrize("kept", [[0, 1], [0, 1, 1, 2], [0, 0, 1], [], [0, 1, 2, 3]])
def test_a_solver_that_loses_or_doubles_a_problem_is_refused(monkeypatch, kept):
    prepare(monkeypatch, FakeGenerator([]))
    solutions = [Solution(f"Fake/{n}", (), (), ()) for n in kept]
    monkeypatch.setattr(cells, "load_solver", lambda *_: lambda asked, tools: iter(solutions))
    with pytest.raises(CodeGraftError, match="lost or doubled"):
        solve_cell(PARAMS, CELL)
    assert not CELL.folder.exists()


def test_a_doubled_task_id_is_refused(monkeypatch):
    prepare(monkeypatch, FakeGenerator([]), numbers=(0, 1, 0))
    with pytest.raises(CodeGraftError, match=r"occur more than once.*Fake/0"):
        read_problems("fake")


def test_missing_weights_are_named_before_anything_is_asked(monkeypatch):
    prepare(monkeypatch, FakeGenerator([]))
    Path("models/qwen-05b/manifest.json").unlink()
    with pytest.raises(CodeGraftError, match="weights of qwen-05b are missing"):
        solve_cell(PARAMS, CELL)


def test_an_unknown_condition_is_refused_with_those_that_exist():
    with pytest.raises(CodeGraftError, match="unknown condition: 'nope'") as caught:
        load_solver("nope", {})
    assert "block-pkg" in caught.value.remedy


def test_options_of_a_condition_are_checked(monkeypatch):
    prepare(monkeypatch, FakeGenerator([]))
    solve = load_solver("none", {"k": 3})
    with pytest.raises(CodeGraftError, match="k: "):
        list(solve(read_problems("fake"), Tools(None, lambda prompts: [], 1)))  # type: ignore[arg-type]


def test_problems_keep_the_benchmarks_order(monkeypatch):
    prepare(monkeypatch, FakeGenerator([]), numbers=(10, 9, 11))
    assert [item.task_id for item in read_problems("fake")] == ["Fake/10", "Fake/9", "Fake/11"]

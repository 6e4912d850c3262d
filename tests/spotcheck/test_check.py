"""The spot check: it regenerates what was replayed, and a foreign record shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.audit.schema import DENY
from tasks.core.files import write_json
from tasks.core.params import Params, load_params
from tasks.core.tables import write_table
from tasks.generate import cell as cells
from tasks.generate.backend import Completion
from tasks.generate.cell import Cell, solve_cell
from tasks.generate.recorded import record_path, write_record
from tasks.problems.schema import PROBLEMS
from tasks.spotcheck import check
from tasks.spotcheck.check import spot_check
from tests.generate.fakes import TEMPLATE, FakeGenerator, problems

NUMBERS = (0, 1, 2, 3)
REPLIES = [f"\n    return a + b + {n}\n" for n in NUMBERS]


@pytest.fixture
def params(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    """The project's parameters with one solver, in an empty working folder with four problems."""
    loaded = load_params(Path(__file__).parents[2] / "params.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(cells, "load_template", lambda name: TEMPLATE)
    rows = [{name: getattr(item, name) for name in PROBLEMS.names} for item in problems(NUMBERS)]
    write_table(Path("data/problems/fake/problems.arrow"), PROBLEMS, rows)
    write_table(Path("data/audit/fake/deny.arrow"), DENY, [])
    write_json(Path("models/qwen-05b/manifest.json"), {"name": "qwen-05b", "sha256": "a" * 64})
    generation = loaded.generation.model_copy(update={"spot_check": 3})
    return loaded.model_copy(update={"generation": generation, "solvers": ["none"]})


def use(monkeypatch: pytest.MonkeyPatch, generator: FakeGenerator) -> None:
    monkeypatch.setattr(cells, "open_generator", lambda params, model: generator)
    monkeypatch.setattr(check, "open_generator", lambda params, model: generator)


def replayed(params: Params, monkeypatch: pytest.MonkeyPatch) -> dict[str, Completion]:
    """Solve, record, and solve again from the record; completions by task."""
    use(monkeypatch, FakeGenerator(list(REPLIES)))
    used = solve_cell(params, Cell("fake", "qwen-05b", "none")).used
    write_record(record_path("fake", "qwen-05b"), used, "{}")
    use(monkeypatch, FakeGenerator([]))
    solve_cell(params, Cell("fake", "qwen-05b", "none"))
    return dict(used.values())


class Echo(FakeGenerator):
    """Says again what the record holds for each problem."""

    def __init__(self, said: dict[str, Completion]) -> None:
        super().__init__()
        self.said = said

    def complete(self, requests, decoding):
        for request in requests:
            self.asked.append(request)
            case = request.messages[1][1].split("case ")[1][0]
            yield request.key, self.said[f"Fake/{case}"]


def test_the_recorded_model_agrees(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    echo = Echo(replayed(params, monkeypatch))
    use(monkeypatch, echo)
    result = spot_check(params, "fake", "qwen-05b")
    assert (result["checked"], result["identical"], result["similarity"]) == (3, 3, 1.0)
    assert len({request.key for request in echo.asked}) == 3


def test_another_model_does_not(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    replayed(params, monkeypatch)
    use(monkeypatch, FakeGenerator(["xyz"] * 3))
    result = spot_check(params, "fake", "qwen-05b")
    assert result["identical"] == 0
    assert result["similarity"] < 0.2


def test_the_sample_is_the_same_each_time(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    replayed(params, monkeypatch)
    asked = []
    for _ in range(2):
        use(monkeypatch, FakeGenerator(["x"] * 3))
        asked.append([item["request"] for item in spot_check(params, "fake", "qwen-05b")["items"]])
    assert asked[0] == asked[1]


def test_fresh_generations_need_no_check(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, FakeGenerator(list(REPLIES)))
    solve_cell(params, Cell("fake", "qwen-05b", "none"))
    use(monkeypatch, FakeGenerator([]))
    result = spot_check(params, "fake", "qwen-05b")
    assert (result["checked"], result["similarity"]) == (0, None)


def test_a_record_keeps_its_author(params: Params, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing a record from replayed answers does not make this machine their author."""
    import polars as pl

    use(monkeypatch, FakeGenerator(list(REPLIES)))
    used = solve_cell(params, Cell("fake", "qwen-05b", "none")).used
    path = record_path("fake", "qwen-05b")
    write_record(path, used, '{"device": "first"}')
    write_record(path, used, '{"device": "second"}')
    assert pl.read_parquet(path)["made_by"].unique().to_list() == ['{"device": "first"}']

import io
import sys
from typing import Any

import pytest
from rich.console import Console

from tasks.bench.runner import names, print_results, run_all, write_results
from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json

PLUGINS = {
    "fast": (
        "def run():\n    print('noise')\n"
        "    return {'calls_per_s': 12345.6, 'static': {'s': 0.25}}\n"
    ),
    "killed": "import os\ndef run():\n    os._exit(9)\n",
    "refused": (
        "from tasks.core.errors import CodeGraftError\n"
        "def run():\n    raise CodeGraftError('no model', remedy='run it')\n"
    ),
    "wrong": "def run():\n    raise ValueError('it [broke]')\n",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "some_benches"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name, source in PLUGINS.items():
        (folder / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    yield folder.name
    sys.modules.pop(folder.name, None)


def test_the_projects_benches_are_found():
    assert "noop" in names() and "runner" not in names()


def test_one_that_fails_stops_no_other(package, tmp_path, capfd):
    results = run_all(["killed", "refused", "wrong", "fast"], package)
    assert all(result.pop("wall_s") >= 0 for result in results.values())
    assert results == {
        "killed": {"error": "ended with exit code 9"},
        "refused": {"error": "no model"},
        "wrong": {"error": "ValueError: it [broke]"},
        "fast": {"figures": {"calls_per_s": 12345.6, "static": {"s": 0.25}}},
    }
    assert capfd.readouterr().out == ""  # what a bench prints goes to stderr
    write_results(tmp_path / "bench.json", results)
    written = read_json(tmp_path / "bench.json")
    assert written["benchmarks"] == results and written["machine"]["cores"] >= 1
    write_results(tmp_path / "bench.json", {"fast": {"figures": {}}})
    assert read_json(tmp_path / "bench.json")["benchmarks"] == {**results, "fast": {"figures": {}}}


def test_results_are_printed_within_80_columns():
    results: dict[str, dict[str, Any]] = {
        "fast": {"figures": {"calls_per_s": 12345.6, "static": {"s": 0.25, "n": 3}}},
        "wrong": {"error": "it [broke] " * 12},
    }
    sink = io.StringIO()
    print_results(results, Console(file=sink, width=200))
    text = sink.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines()]
    assert ["fast", "calls_per_s", "12,346"] in cells
    assert ["", "static.s", "0.25"] in cells
    assert ["", "static.n", "3"] in cells
    assert "[broke]" in text


def test_an_unknown_bench_is_refused(package):
    with pytest.raises(CodeGraftError, match="unknown benchmarks: nope"):
        run_all(["nope"], package)

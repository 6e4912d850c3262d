import polars as pl
import pytest

from tasks.figures import rows
from tasks.figures.draw import load_rows
from tests.page.site import write_site


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    root = tmp_path_factory.mktemp("site")
    write_site(root)
    return load_rows(root / "reports/tiny/fake")


def test_rates_in_percent_by_group(tiny):
    assert [(r["name"], r["group"], r["rate"]) for r in tiny["pass_at_1"]] == [
        ("none", "baseline", 50.0),
        ("dense", "system", 50.0),
        ("block-pkg", "system", 75.0),
        ("similarity", "selector", 50.0),
        ("oracle", "reference", 75.0),
        ("random", "reference", 58.33),
    ]
    assert all(r["low"] <= r["rate"] <= r["high"] for r in tiny["pass_at_1"])


def test_helped_and_hurt(tiny):
    assert [(r["name"], r["kind"], r["signed"]) for r in tiny["helped_hurt"]][:4] == [
        ("dense", "helped", 1),
        ("dense", "hurt", -1),
        ("block-pkg", "helped", 1),
        ("block-pkg", "hurt", 0),
    ]


def test_sets_are_exclusive_and_whole(tiny):
    first = [r for r in tiny["which_solve"] if r["condition"] == "none"]
    assert {r["members"]: r["problems"] for r in first} == {
        "": 1,
        "none+block-pkg": 1,
        "dense+block-pkg": 1,
        "none+dense+block-pkg": 1,
    }
    assert [r["set"] for r in first] == [1, 2, 3, 4]


def test_only_the_largest_sets_are_drawn():
    regions = pl.DataFrame({"none": [1, 0] * 10, "problems": range(20, 0, -1)})
    found = rows.solved_sets({"solvers": ["none"]}, regions)
    assert len(found) == rows.SETS
    assert found[0] == {
        "set": 1, "problems": 20, "condition": "none", "solves": True, "members": "none",
    }  # fmt: skip


def test_errors_count_every_failure(tiny):
    assert [(r["condition"], r["error"], r["candidates"]) for r in tiny["error_types"]][:3] == [
        ("none", "AssertionError", 1),
        ("none", "NameError", 1),
        ("none", "SyntaxError", 0),
    ]
    assert sum(r["candidates"] for r in tiny["error_types"]) == 5


def test_rare_errors_are_one():
    counts = {"a": {f"E{i}": 9 - i for i in range(8)}, "b": {}}
    found = rows.errors({"solvers": ["a", "b"], "error_types": counts})
    assert [(r["error"], r["rank"]) for r in found[:6]] == [
        *((f"E{i}", i) for i in range(5)),
        ("other", 5),
    ]
    assert found[5]["candidates"] == 4 + 3 + 2
    assert all(r["candidates"] == 0 for r in found[6:])


def test_context_tokens_by_condition_that_retrieves(tiny):
    # dense shows T/0 10 and T/1 20 + 30 tokens, and nothing with the other two
    assert [r["condition"] for r in tiny["context_tokens"]] == ["dense", "block-pkg"]
    dense = tiny["context_tokens"][0]
    assert (dense["min"], dense["median"], dense["max"], dense["mean"]) == (0.0, 5.0, 50.0, 15.0)

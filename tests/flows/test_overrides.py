"""Changes of params.yaml from the command line and the UI."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from flows.overrides import apply_overrides, changed
from tasks.core.errors import CodeGraftError
from tests.flows.project import ROOT

PARAMS = (ROOT / "params.yaml").read_text(encoding="utf-8")
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)


@given(LEAVES | st.lists(LEAVES, max_size=3))
def test_one_value_changes_and_nothing_else(value: object) -> None:
    text = changed(PARAMS, "conditions.block-pkg.k=" + yaml.safe_dump(value, width=10**6))
    expected = yaml.safe_load(PARAMS)
    expected["conditions"]["block-pkg"]["k"] = value
    assert yaml.safe_load(text) == expected
    assert len(text.splitlines()) == len(PARAMS.splitlines())


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("conditions.blok-pkg.k=3", "known are: none, bm25"),
        ("conditions.block-pkg.k.x=3", "there is no `x`"),
        ("conditions.block-pkg.k=[", "not YAML"),
        ("conditions.block-pkg.k", "key.path=value"),
        ("ingest.sources=[]", "several lines"),
        ("grade.wall_s=-1", "grade.wall_s"),
        ("solvers=[bm26]", "bm26"),
    ],
)
def test_a_refused_change_leaves_the_file(tmp_path: Path, override: str, said: str) -> None:
    path = tmp_path / "params.yaml"
    shutil.copy(ROOT / "params.yaml", path)
    with pytest.raises(CodeGraftError) as caught:
        apply_overrides(path, ["report.seed=1", override])
    assert said in str(caught.value) and "remedy" in str(caught.value)
    assert path.read_text(encoding="utf-8") == PARAMS


def test_changes_are_written(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    shutil.copy(ROOT / "params.yaml", path)
    apply_overrides(path, ["solvers=[none, bm25]", "report.seed=1"])
    read = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert (read["solvers"], read["report"]["seed"]) == (["none", "bm25"], 1)
    assert "# matrix: names from `conditions`" in path.read_text(encoding="utf-8")

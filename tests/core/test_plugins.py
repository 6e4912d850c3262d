"""A plugin is a file: its name is its slug."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.plugins import available, load


@pytest.fixture
def colours(tmp_path: Path, monkeypatch) -> str:
    folder = tmp_path / "painting" / "colours"
    folder.mkdir(parents=True)
    for path in (tmp_path / "painting", folder):
        (path / "__init__.py").touch()
    (folder / "dark-red.py").write_text("value = 'maroon'\n")
    (folder / "blue.py").write_text("value = 'navy'\n")
    (folder / "_shared.py").write_text("raise RuntimeError('not a plugin')\n")
    monkeypatch.syspath_prepend(tmp_path)
    return "painting.colours"


def test_hyphens_are_part_of_the_name(colours: str):
    assert available(colours) == ["blue", "dark-red"]
    assert load(colours, "dark-red", "value") == "maroon"


@pytest.mark.parametrize("slug", ["green", "_shared", "dark_red", "../blue", ""])
def test_an_unknown_slug_names_those_that_exist(colours: str, slug: str):
    with pytest.raises(CodeGraftError, match="unknown colour") as caught:
        load(colours, slug, "value")
    assert caught.value.remedy == "use one of: blue, dark-red"

import json
import xml.etree.ElementTree as ElementTree

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json
from tasks.figures.charts import CHARTS
from tasks.figures.draw import AS_PNG, load_details, load_rows, svg, write_figures
from tasks.figures.palette import DARK, LIGHT, names, variables
from tests.page.site import EVIL, write_site


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("site")
    write_site(root)
    return root / "reports/tiny/fake"


def test_two_makes_give_the_same_bytes(folder, tmp_path):
    data = load_rows(folder)
    for place in ("one", "two"):
        write_figures(tmp_path / place, data)
    one = {p.relative_to(tmp_path / "one"): p for p in (tmp_path / "one").rglob("*.*")}
    assert len(one) == 2 * len(CHARTS) + len(AS_PNG)
    for name, path in one.items():
        assert path.read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    for name in CHARTS:
        assert read_json(tmp_path / "one/plots" / f"{name}.json") == data[name]
    for name in AS_PNG:
        assert (tmp_path / "one/figures" / f"{name}.png").read_bytes()[1:4] == b"PNG"


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_shows_its_rows(folder, name):
    data = load_rows(folder)[name]
    text = "".join(ElementTree.fromstring(svg(name, data, LIGHT)).itertext())
    for row in data:
        assert str(row.get("name", row.get("condition"))) in text


def test_pages_colour_charts_by_variables(folder):
    drawn = svg("pass_at_1", load_rows(folder)["pass_at_1"], variables())
    assert "var(--system)" in drawn and "var(--ink)" in drawn
    assert LIGHT.system not in drawn


def test_names_from_candidates_stay_text():
    row = {"condition": "a", "error": EVIL, "rank": 0, "candidates": 1}
    drawn = svg("error_types", [row], LIGHT)
    root = ElementTree.fromstring(drawn)
    assert not {e.tag.rpartition("}")[2] for e in root.iter()} & {"script", "img", "image"}
    assert "<img" not in drawn


def test_palettes_have_the_same_roles():
    assert all(getattr(palette, name) for palette in (LIGHT, DARK) for name in names())
    assert LIGHT.helped != LIGHT.hurt and DARK.helped != DARK.hurt


def test_a_missing_or_foreign_report_is_named(tmp_path):
    with pytest.raises(CodeGraftError, match="no report yet"):
        load_details(tmp_path)
    (tmp_path / "details.json").write_text(json.dumps({"a": 1}))
    with pytest.raises(CodeGraftError, match="not a report"):
        load_details(tmp_path)

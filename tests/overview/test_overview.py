import re

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json, write_json
from tasks.core.params import Report
from tasks.overview.__main__ import overview
from tasks.overview.chart import points
from tasks.overview.gather import Cell, gather
from tasks.report.write import write_report
from tests.page.site import Parsed
from tests.report.results import tiny_inputs


@pytest.fixture
def folder(tmp_path):
    for model in ("small", "large"):
        write_report(tiny_inputs(model=model), Report(bootstrap=100), tmp_path / "tiny" / model)
    path = tmp_path / "tiny/small/details.json"
    details = read_json(path)
    details["solvers"] = ["block-pkg", "none"]
    del details["pass@1"]["dense"]
    write_json(path, details)
    (tmp_path / "tiny/large/page.html").touch()
    return tmp_path


def test_reports_by_conditions(folder):
    conditions, lines = gather(folder)
    assert conditions == ["none", "dense", "block-pkg"]
    assert [line.model for line in lines] == ["large", "small"]
    large, small = lines
    assert large.cells[2] == Cell("75.0", "30.1 to 95.4", best=True)
    assert [cell.best for cell in large.cells] == [False, False, True]
    assert small.cells[1] == Cell()
    assert (large.page, small.page) == ("tiny/large/page.html", "")
    assert small.table == "tiny/small/table.md"


def test_the_chart_has_a_point_a_condition(folder):
    found = [(row["report"], row["name"]) for row in points(gather(folder)[1])]
    assert found == [
        ("tiny, large", "none"), ("tiny, large", "dense"), ("tiny, large", "block-pkg"),
        ("tiny, small", "block-pkg"), ("tiny, small", "none"),
    ]  # fmt: skip


def test_the_page_links_to_what_exists(folder):
    html = overview(folder)
    parsed = Parsed(html)
    links = {value for tag, name, value in parsed.attributes if (tag, name) == ("a", "href")}
    assert "tiny/large/page.html" in links and "tiny/small/page.html" not in links
    assert {link for link in links if not link.startswith("#")} == {
        "tiny/large/page.html", "tiny/large/table.md", "tiny/small/table.md",
    }  # fmt: skip
    outside = [name for _, name, value in parsed.attributes if re.match("https?:", value)]
    assert {name.partition(":")[0] for name in outside} <= {"xmlns"}
    assert "src" not in {name for _, name, _ in parsed.attributes}
    assert "2 reports, 3 conditions." in " ".join(parsed.text)
    assert overview(folder) == html


def test_no_report_is_no_error(tmp_path):
    assert "No report yet." in Parsed(overview(tmp_path)).text


def test_a_foreign_file_is_named(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/details.json").write_text("{}")
    with pytest.raises(CodeGraftError, match="not a report"):
        overview(tmp_path)

import io

import pytest
from rich.console import Console

from tasks.core.errors import CodeGraftError
from tasks.core.params import Report
from tasks.report.show import show
from tasks.report.write import write_report
from tests.report.results import tiny_inputs


def printed(folder, **options):
    sink = io.StringIO()
    count = show(folder, Console(file=sink, **options))
    return count, sink.getvalue()


def test_every_finished_report_is_shown_within_80_columns(tmp_path):
    for model in ("small", "large"):
        write_report(tiny_inputs(model=model), Report(bootstrap=100), tmp_path / "tiny" / model)
    (tmp_path / "tiny" / "unfinished").mkdir()
    count, text = printed(tmp_path, width=200)
    lines = text.splitlines()
    assert count == 2
    assert "tiny, large: 4 problems" in lines[0]
    assert text.index("tiny, large") < text.index("tiny, small")
    assert max(len(line) for line in lines if not line.startswith("Report: ")) <= 80
    assert f"Report: {tmp_path / 'tiny' / 'small' / 'table.md'}" in lines
    assert "Generations: 11 replayed, 1 fresh; spot check: 7 of 8 identical." in lines
    cells = next(line for line in lines if line.startswith("|dense")).strip("|").split("|")
    expected = ["dense", "2/4", "50.0", "15.0 to 85.0", "+0.0", "1", "1", "1.000", "15"]
    assert [cell.strip() for cell in cells] == expected


def test_plain_text_off_a_terminal_and_colours_on_one(tmp_path):
    write_report(tiny_inputs(), Report(bootstrap=100), tmp_path / "tiny" / "fake")
    assert printed(tmp_path, width=80)[1].isascii()
    assert "\x1b[" not in printed(tmp_path, width=80)[1]
    assert "\x1b[" in printed(tmp_path, width=80, force_terminal=True, color_system="standard")[1]


def test_no_report_yet_is_no_error(tmp_path):
    count, text = printed(tmp_path / "reports", width=200)
    assert count == 0
    assert "No report yet" in text and "make repro" in text


def test_a_foreign_metrics_file_is_named(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "details.json").write_text("{}")
    with pytest.raises(CodeGraftError, match="not a report") as error:
        printed(tmp_path, width=80)
    assert error.value.where.endswith("details.json")


def test_pages_that_exist_are_named(tmp_path):
    for model in ("large", "small"):
        write_report(tiny_inputs(model=model), Report(bootstrap=100), tmp_path / "tiny" / model)
    (tmp_path / "tiny" / "large" / "page.html").touch()
    text = printed(tmp_path, width=80)[1]
    assert f"Page: {tmp_path / 'tiny' / 'large' / 'page.html'}" in text.splitlines()
    assert text.count("Page: ") == 1
    assert "All reports" not in text
    (tmp_path / "index.html").touch()
    assert printed(tmp_path, width=80)[1].splitlines()[-1] == (
        f"All reports, to open in a browser: {tmp_path / 'index.html'}"
    )

from tasks.core.files import read_json
from tasks.core.params import Report
from tasks.report.markdown import table
from tasks.report.write import write_report
from tests.report.results import tiny_inputs

FILES = ["details.json", "metrics.json", "problems.csv", "table.md", "which_solves.csv"]


def test_a_report_written_twice_has_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write_report(tiny_inputs(), Report(bootstrap=300), tmp_path / name)
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / n).iterdir()} for n in ("one", "two"))
    assert sorted(one) == FILES
    assert one == two


def test_the_page_holds_the_result_table(tmp_path):
    write_report(tiny_inputs(), Report(bootstrap=300), tmp_path)
    lines = (tmp_path / "table.md").read_text().splitlines()
    assert lines[0] == "# tiny, fake"
    assert "| none | 2/4 | 50.0 | 15.0 to 85.0 |  |  |  |  |  | 0 |" in lines
    dense = next(line for line in lines if line.startswith("| dense | 2/4"))
    assert dense.startswith("| dense | 2/4 | 50.0 | 15.0 to 85.0 | +0.0 | -")
    assert dense.endswith("| 1 | 1 | 1.000 | 15 |")
    assert any(line.startswith("| similarity (selector) | 2/4 | 50.0 |") for line in lines)
    assert any(line.startswith("| oracle (reference) | 3/4 | 75.0 |") for line in lines)
    assert any(line.startswith("| random (reference) | 2.3/4 | 58.3 |") for line in lines)
    assert "| block-pkg | 0 | 0 | 0 | 0 | 0 | 1 | 0 |" in lines  # its only failure is a timeout
    assert "- Generations: 11 replayed from the record, 1 fresh." in lines
    assert read_json(tmp_path / "metrics.json")["pass@1"]["block-pkg"] == 0.75


def test_a_cell_with_a_bar_does_not_break_a_table():
    assert table(["a", "b"], [["x|y", 1]]).splitlines()[2] == "| x\\|y | 1 |"

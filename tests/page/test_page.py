import base64
import hashlib
import json
import re

import pytest

from tasks.core.files import read_json
from tasks.figures.draw import load_rows
from tasks.page.assemble import page
from tasks.page.costs import build
from tasks.page.pack import unpacked
from tasks.page.provenance import md5s, versions
from tasks.page.render import SCRIPTS, policy, script, stylesheet
from tests.page.site import EVIL, Parsed, tiny_tables
from tests.report.results import SOLVERS, TASKS

CODES = {("T/0", "none"): f"x = '''{EVIL}'''", ("T/1", "dense"): EVIL}
MADE = {
    "weights": {"Model": [("name", EVIL)]},
    "corpus": [(EVIL, "1 document")],
    "parameters": f"name: {EVIL}",
    "inputs": [],
    "versions": [],
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    root = tmp_path_factory.mktemp("site")
    return root, tiny_tables(root, CODES)


@pytest.fixture(scope="module")
def html(site):
    root, tables = site
    rows = load_rows(root / "reports/tiny/fake")
    return page(tables, rows, build({}, {}, tables.details, 1), MADE)


def test_it_is_balanced_and_reaches_for_nothing(html):
    parsed = Parsed(html)
    for tag, name, value in parsed.attributes:
        assert not name.startswith("on"), (tag, name)
        if name in ("src", "href", "xlink:href", "action", "data"):
            assert not re.match(r"(?i)\s*(https?:|//|data:|javascript:)", value), (tag, value)
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
    assert "url(" not in stylesheet() and "@import" not in stylesheet()


def test_the_policy_allows_the_scripts_that_there_are(html):
    parsed = Parsed(html)
    assert len(parsed.scripts) == 3
    for text in parsed.scripts:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in parsed.policy
    assert parsed.policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in parsed.policy
    assert "script-src 'none'" in policy([])


def test_no_script_ends_early(html):
    parsed = Parsed(html)
    assert all("</script" not in text.lower() for text in parsed.scripts)
    assert all("<!--" not in text for text in parsed.scripts)
    assert parsed.scripts[0] == script()
    assert set(parsed.by_id) == {"facts", "bodies"}


def test_what_a_model_wrote_stays_text(html):
    parsed = Parsed(html)
    assert EVIL not in html
    assert "onerror" not in parsed.by_id["facts"]
    body = unpacked(parsed.by_id["bodies"])[1]
    (candidate,) = body["conditions"]["dense"]["candidates"]
    assert body["texts"][candidate["text"]][0] == EVIL
    assert EVIL in parsed.text  # the same text from the tables of what made the page
    sources = " ".join(script([name]) for name in (*SCRIPTS, "live", "start"))
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert way not in sources


def test_everything_is_accounted_for(html):
    parsed = Parsed(html)
    facts, found = json.loads(parsed.by_id["facts"]), unpacked(parsed.by_id["bodies"])
    assert [entry["id"] for entry in facts["problems"]] == list(TASKS)
    assert [body["id"] for body in found] == list(TASKS)
    assert facts["solvers"] == list(SOLVERS)
    assert facts["selectors"] == ["similarity"]
    assert set(facts["charts"]) == {
        name for tag, key, name in parsed.attributes if key == "data-chart"
    }
    text = " ".join(parsed.text)
    for solver in SOLVERS:
        assert solver in text
    links = {value for tag, name, value in parsed.attributes if (tag, name) == ("a", "href")}
    assert {"#helped=dense", "#hurt=dense", "#helped=block-pkg", "#T/1", "#solved=nobody"} <= links
    anchors = {value for _, name, value in parsed.attributes if name == "id"}
    sections = {link[1:] for link in links if re.fullmatch(r"#[a-z]+", link)}
    assert sections <= anchors


def test_the_same_tables_give_the_same_page(html, site):
    root, tables = site
    rows = load_rows(root / "reports/tiny/fake")
    assert page(tables, rows, build({}, {}, tables.details, 1), MADE) == html


def test_digests_are_those_of_dvc(tmp_path):
    (tmp_path / "a").write_text("a")
    found = md5s([tmp_path / "a", tmp_path / "missing"])
    assert found == [((tmp_path / "a").as_posix(), "0cc175b9c0f1b6a831c399e269772661")]


def test_versions_are_of_this_environment():
    found = dict(versions())
    assert found["altair"].startswith("6.")
    assert found["Python"].startswith("3.")


def test_the_readers_choices_are_not_lost_on_a_dark_system():
    css = stylesheet()
    assert "@media (prefers-color-scheme: dark)" in css
    assert ":root[data-theme='dark']" in css
    assert css.index("@media print") > css.index("prefers-color-scheme")


def test_details_of_the_report_are_those_of_the_page(html, site):
    root, tables = site
    details = read_json(root / "reports/tiny/fake/details.json")
    assert details == tables.details
    assert f"{100 * details['oracle']:.1f}%" in html

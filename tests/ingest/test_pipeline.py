"""From params.yaml's sources to one table."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json
from tasks.core.ids import digest
from tasks.core.plugins import available
from tasks.core.tables import read_frame
from tasks.ingest import __main__ as stage
from tasks.ingest.pipeline import connect_all, write_documents
from tasks.ingest.schema import DOCUMENTS
from tasks.ingest.types import Document, Skipped, Source

PROJECT = Path(__file__).parents[2]


def fixed(name: str, *items: Document | Skipped) -> Source:
    return Source(name, lambda: iter(items), {"fact": "x"})


def code(path: str, content: str) -> Document:
    return Document(path, "code", "python", "MIT", content)


def test_rows_are_sorted_identified_and_counted(tmp_path: Path):
    sources = [
        fixed("a", code("x.py", "é"), Skipped("b.py", "binary"), code("y.py", "2")),
        fixed("b", Document("r#1", "qa", "python", "unknown", "q\n\na", "a"), code("x.py", "é")),
    ]
    summary = write_documents(sources, tmp_path / "d.arrow")
    rows = read_frame(tmp_path / "d.arrow", DOCUMENTS).rows()
    assert rows == [
        (digest("a", "x.py"), "a", "code", "python", "x.py", "MIT", "é", None),
        (digest("a", "y.py"), "a", "code", "python", "y.py", "MIT", "2", None),
        (digest("b", "r#1"), "b", "qa", "python", "r#1", "unknown", "q\n\na", "a"),
    ]
    assert summary == {
        "documents": 3,
        "bytes": 7,
        "duplicates": 1,
        "skipped": {"binary": 1},
        "sources": {
            "a": {
                "documents": 2, "bytes": 3, "duplicates": 0, "skipped": {"binary": 1},
                "encodings": {"utf-8": 2}, "licences": {"MIT": 2}, "kinds": {"code": 2},
                "provenance": {"fact": "x"},
            },
            "b": {
                "documents": 1, "bytes": 4, "duplicates": 1, "skipped": {},
                "encodings": {"utf-8": 1}, "licences": {"unknown": 1}, "kinds": {"qa": 1},
                "provenance": {"fact": "x"},
            },
        },
    }  # fmt: skip


def test_many_batches_are_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = fixed("a", *(code(f"{n:03}.py", f"x = {n}") for n in range(100)))
    write_documents([source], tmp_path / "one.arrow")
    monkeypatch.setattr("tasks.ingest.pipeline._BATCH_BYTES", 50)
    write_documents([source], tmp_path / "many.arrow")
    one = read_frame(tmp_path / "one.arrow", DOCUMENTS)
    assert one.equals(read_frame(tmp_path / "many.arrow", DOCUMENTS))
    assert one.height == 100


def test_an_empty_corpus_is_an_error_and_leaves_no_file(tmp_path: Path):
    with pytest.raises(CodeGraftError, match=r"corpus is empty(.|\n)*'binary': 1"):
        write_documents([fixed("a", Skipped("b", "binary"))], tmp_path / "d.arrow")
    assert list(tmp_path.iterdir()) == []


def test_all_options_are_checked_before_any_source_is_opened(tmp_path: Path):
    missing = {"kind": "folder", "path": str(tmp_path / "none")}
    with pytest.raises(CodeGraftError, match=r"colour(.|\n)*ingest.sources\[1\]"):
        connect_all([missing, {"kind": "stdlib", "colour": "red"}])


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"kind": "ftp"}, "unknown source: 'ftp'(.|\n)*folder, hub, pypi, qa, stdlib"),
        ({"path": "x"}, "no kind"),
        ({"kind": "folder"}, "path: Field required"),
    ],
)
def test_a_wrong_source_is_refused(entry, message):
    with pytest.raises(CodeGraftError, match=message):
        connect_all([entry])


def test_two_sources_of_one_name_are_refused(tmp_path: Path):
    entry = {"kind": "folder", "path": str(tmp_path)}
    with pytest.raises(CodeGraftError, match="two sources are called"):
        connect_all([entry, entry])
    assert len(connect_all([entry, {**entry, "name": "other"}])) == 2


def test_every_source_plugin_has_the_agreed_names():
    from tasks.core.plugins import load

    package = "tasks.ingest.sources"
    assert available(package) == ["folder", "hub", "pypi", "qa", "stdlib"]
    for slug in available(package):
        assert callable(load(package, slug, "connect"))
        assert load(package, slug, "Options").model_config["extra"] == "forbid"


def test_the_stage_writes_the_same_bytes_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    params = yaml.safe_load((PROJECT / "params.yaml").read_text())
    params["ingest"]["sources"] = [{"kind": "stdlib", "include": ["/json/", "/heapq.py"]}]
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text(yaml.safe_dump(params))
    stage.main()
    first = Path("data/ingest/documents.arrow").read_bytes()
    summary = read_json(Path("data/ingest/summary.json"))
    stage.main()
    assert Path("data/ingest/documents.arrow").read_bytes() == first
    assert read_json(Path("data/ingest/summary.json")) == summary
    frame = read_frame(Path("data/ingest/documents.arrow"), DOCUMENTS)
    assert frame["path"].to_list()[:2] == ["heapq.py", "json/__init__.py"]
    assert read_json(Path("data/ingest/timing.json"))["items"] == summary["documents"]

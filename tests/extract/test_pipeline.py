"""The whole stage on small corpora and on a part of the standard library."""

from __future__ import annotations

import ast
import sysconfig
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.store import Store
from tasks.core.tables import read_table
from tasks.extract import pipeline, worker
from tasks.extract.document import extract_document
from tasks.extract.pipeline import extract
from tasks.extract.schema import EDGES, NODES
from tests.extract.corpus import extracted, killed, write_documents

STDLIB = Path(sysconfig.get_path("stdlib"))
TWO = {"a.py": "def f(x):\n    if x:\n        for i in x: g()\n", "b.py": "def g(): pass\n"}


@pytest.fixture(scope="module")
def library() -> dict[str, str]:
    """Two packages of the running Python."""
    return {
        path.relative_to(STDLIB).as_posix(): path.read_text(encoding="utf-8")
        for package in ("json", "email")
        for path in STDLIB.glob(f"{package}/*.py")
    }


def test_tables_of_a_small_corpus(tmp_path):
    found = extracted(tmp_path, TWO)
    assert found.nodes.select("type", "name", "qualname", "start_byte").rows() == [
        ("Impl", "f", "a.f", 0),
        ("Name", "f", "a.f", 4),
        ("Block", "if", "a.f.if", 14),
        ("Block", "for", "a.f.if.for", 28),
        ("Impl", "g", "b.g", 0),
        ("Name", "g", "b.g", 4),
    ]
    assert found.triples("has_impl", "has_block", "parent", "calls") == [
        ("a.f", "has_impl", "a.f"),
        ("a.f", "has_block", "a.f.if"),
        ("a.f.if", "parent", "a.f.if.for"),
        ("b.g", "has_impl", "b.g"),
        ("a.f.if.for", "calls", "b.g"),
    ]
    assert found.summary == {
        "documents": 2,
        "documents_with_code": 2,
        "nodes": 6,
        "edges": 5,
        "by_type": {"Name": 2, "Impl": 2, "Block": 2},
        "edges_by_type": {"has_impl": 2, "has_block": 1, "parent": 1, "calls": 1},
        "distinct_contents": 6,
        "calls": {
            "same_class": 0, "same_module": 0, "imported": 0, "unique": 1, "ambiguous": 0,
            "unknown": 0,
        },
        "ambiguous_calls": 0,
        "parse_errors": {"documents": 0, "regions": 0, "bytes": 0},
    }  # fmt: skip


def test_a_nested_def_passes_its_blocks_to_both_of_its_nodes(tmp_path):
    text = "def f():\n    def g():\n        if x: pass\n"
    found = extracted(tmp_path, {"m.py": text})
    types = dict(zip(found.nodes["node_id"], found.nodes["type"], strict=True))
    edges = found.edges.filter(pl.col("type") != "has_impl").select("src", "type", "dst").rows()
    assert [(types[src], kind, types[dst]) for src, kind, dst in edges] == [
        ("Impl", "has_block", "Block"),
        ("Impl", "has_block", "Block"),
        ("Block", "parent", "Block"),
    ]
    assert edges[1][2] == edges[2][2]


def test_answers_give_functions_from_all_their_blocks(tmp_path):
    answer = "First\n```python\ndef f(): pass\n```\nthen\n```\ndef f(): return 1\n```\n"
    found = extracted(tmp_path, {}, {"rows#0": answer, "rows#1": "no code at all!"})
    impls = found.nodes.filter(pl.col("type") == "Impl")
    content = f"How do I do it?\n\n{answer}".encode()
    spans = impls.select("start_byte", "end_byte").rows()
    assert [content[start:end] for start, end in spans] == [b"def f(): pass", b"def f(): return 1"]
    assert impls["node_id"].n_unique() == 2
    assert (found.summary["documents"], found.summary["documents_with_code"]) == (2, 1)


def test_bytes_depend_on_nothing_but_the_documents(tmp_path, library, monkeypatch):
    monkeypatch.setattr(pipeline, "_CHUNK_BYTES", 50_000)
    alone = extracted(tmp_path / "one", library, processes=1)
    several = extracted(tmp_path / "two", library, processes=2)
    stored = extracted(tmp_path / "one", library, processes=2)
    for name in ("nodes.arrow", "edges.arrow"):
        data = (alone.folder / name).read_bytes()
        assert (several.folder / name).read_bytes() == data
        assert (stored.folder / name).read_bytes() == data
    assert alone.summary == several.summary == stored.summary
    with Store("extract", root=tmp_path / "one" / "store") as store:
        assert len(store) == len(library)


def test_the_standard_library_gives_what_ast_gives(tmp_path, library):
    found = extracted(tmp_path, library)
    impls = found.nodes.filter(pl.col("type") == "Impl")
    for path, text in library.items():
        expected = Counter(
            node.name
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        )
        assert Counter(impls.filter(pl.col("path") == path)["name"]) == expected
    assert impls.height > 300
    assert found.summary["parse_errors"]["documents"] == 0
    pairs = found.triples("calls")
    assert ("json.dumps", "calls", "json.encoder.JSONEncoder.encode") not in pairs
    assert ("json.load", "calls", "json.loads") in pairs


def test_every_reference_between_the_tables_holds(tmp_path, library):
    found = extracted(tmp_path, library)
    impls = set(found.nodes.filter(pl.col("type") == "Impl")["node_id"])
    assert found.nodes["node_id"].n_unique() == found.nodes.height
    assert set(found.nodes["function_id"]) == impls
    known = set(found.nodes["node_id"])
    assert set(found.edges["src"]) | set(found.edges["dst"]) <= known
    for kind in ("has_block", "parent"):
        assert found.edges.filter(pl.col("type") == kind)["dst"].is_unique().all()
    hanging = found.edges.filter(pl.col("type").is_in(["has_block", "parent"]))
    assert set(hanging["dst"]) == set(found.nodes.filter(pl.col("type") == "Block")["node_id"])


def test_only_changed_documents_are_extracted_again(tmp_path, monkeypatch):
    extracted(tmp_path, TWO)
    parsed = []

    def counting(document):
        parsed.append(document.path)
        return extract_document(document)

    monkeypatch.setattr(worker, "extract_document", counting)
    extracted(tmp_path, TWO)
    assert parsed == []
    found = extracted(tmp_path, {**TWO, "b.py": "def g(): return 2\n"})
    assert parsed == ["b.py"]
    assert found.triples("calls") == [("a.f.if.for", "calls", "b.g")]


def run(folder: Path, *, processes: int = 1):
    return extract(
        folder / "documents.arrow",
        nodes=folder / "out" / "nodes.arrow",
        edges=folder / "out" / "edges.arrow",
        processes=processes,
        store_root=folder,
    )


def test_a_run_that_fails_leaves_no_output_but_keeps_what_it_finished(tmp_path, monkeypatch):
    write_documents(tmp_path / "documents.arrow", TWO)
    monkeypatch.setattr(pipeline, "_CHUNK_DOCUMENTS", 1)

    def failing(document):
        if document.path == "b.py":
            raise RuntimeError("stopped")
        return extract_document(document)

    monkeypatch.setattr(worker, "extract_document", failing)
    with pytest.raises(RuntimeError, match="stopped"):
        run(tmp_path)
    assert list((tmp_path / "out").iterdir()) == []
    with Store("extract", root=tmp_path) as store:
        assert len(store) == 1


def test_a_killed_worker_is_reported_with_a_remedy(tmp_path, monkeypatch):
    write_documents(tmp_path / "documents.arrow", TWO)
    monkeypatch.setattr(pipeline, "_CHUNK_DOCUMENTS", 1)
    monkeypatch.setattr(pipeline, "extract_span", killed)
    with pytest.raises(CodeGraftError, match="worker process was killed") as caught:
        run(tmp_path, processes=2)
    assert "extract.processes" in caught.value.remedy
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("exists", [True, False])
def test_no_documents_is_an_error_with_a_remedy(tmp_path, exists):
    if exists:
        write_documents(tmp_path / "documents.arrow", {})
    with pytest.raises(CodeGraftError, match=r"empty|missing") as caught:
        run(tmp_path)
    assert caught.value.remedy


def test_documents_without_code_give_empty_tables_of_the_right_columns(tmp_path):
    found = extracted(tmp_path, {"a.py": "x = 1\n"})
    assert found.summary["nodes"] == found.summary["edges"] == 0
    assert read_table(found.folder / "nodes.arrow", NODES).num_rows == 0
    assert read_table(found.folder / "edges.arrow", EDGES).num_rows == 0

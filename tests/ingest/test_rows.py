"""Question and answer rows become documents."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import CodeGraftError
from tasks.core.strict import validated
from tasks.ingest.sources.qa import Options, connect
from tasks.ingest.types import Document, Skipped

ROWS = [
    {"instruction": "Add two numbers.", "input": "", "output": "```python\na + b\n```"},
    {"instruction": "Reverse it.", "input": "a list", "output": "x[::-1]"},
]
EXPECTED = [
    ("Add two numbers.\n\n```python\na + b\n```", "```python\na + b\n```"),
    ("Reverse it.\n\na list\n\nx[::-1]", "x[::-1]"),
]


def items(path: Path, **options: object) -> list[Document | Skipped]:
    source = connect(validated(Options, {"path": str(path), **options}, where="test"))
    return list(source.items())


def write_lines(path: Path, rows: list[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_every_format_gives_the_same_documents(tmp_path: Path):
    write_lines(tmp_path / "a.jsonl", list(ROWS))
    (tmp_path / "a.json").write_text(json.dumps(ROWS))
    with gzip.open(tmp_path / "a.jsonl.gz", "wb") as stream:
        stream.write((tmp_path / "a.jsonl").read_bytes())
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    for name in ("a.jsonl", "a.json", "a.jsonl.gz", "a.parquet"):
        found = items(tmp_path / name)
        assert [(d.content, d.answer) for d in found if isinstance(d, Document)] == EXPECTED
        assert [item.path for item in found] == [f"{name}#000000001", f"{name}#000000002"]
        assert {(d.kind, d.lang) for d in found if isinstance(d, Document)} == {("qa", "python")}


def test_a_folder_of_files_in_the_order_of_the_resulting_paths(tmp_path: Path):
    for name in ("b.jsonl", "a.jsonl", "a b.jsonl", "a-b.jsonl", "sub/a.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_lines(tmp_path / name, [{"instruction": name, "output": "x"}])
    found = [item.path for item in items(tmp_path, exclude=["/b.jsonl"])]
    assert found == sorted(found)
    assert len(found) == 4


def test_fields_are_mapped(tmp_path: Path):
    path = write_lines(tmp_path / "a.jsonl", [{"title": "T", "body": "B", "best": "A", "x": 1}])
    found = items(path, question=["title", "body"], answer="best", lang="go", licence="CC0-1.0")
    assert found == [Document(f"{path.name}#000000001", "qa", "go", "CC0-1.0", "T\n\nB\n\nA", "A")]


def test_bad_rows_are_counted_and_the_numbering_runs_on(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    lines = [
        b'\xef\xbb\xbf{"instruction": "q", "output": "a"}',
        b"not json",
        b"[1]",
        b"[" * 100_000,
        b"",
        b'{"instruction": "q"}',
        b'{"instruction": 7, "output": "a"}',
        b'{"instruction": " ", "output": "a"}',
        b'{"instruction": "q", "output": "' + b"a" * 300_000 + b'"}',
        b'{"instruction": "\\ud800", "output": "caf\xe9"}',
    ]
    path.write_bytes(b"\n".join(lines))
    first, *middle, last = items(path, max_bytes=200_000)
    assert isinstance(first, Document)
    assert first.content == "q\n\na"
    assert [(item.path[-2:], item.reason) for item in middle if isinstance(item, Skipped)] == [
        ("02", "malformed"),
        ("03", "malformed"),
        ("04", "malformed"),
        ("06", "missing-field"),
        ("07", "missing-field"),
        ("08", "empty"),
        ("09", "too-large"),
    ]
    assert isinstance(last, Document)
    assert (last.path[-2:], last.content) == ("10", "\ufffd\n\ncaf\ufffd")


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.parquet"])
def test_wrong_field_names_are_an_error_that_lists_the_right_ones(tmp_path: Path, name: str):
    path = tmp_path / name
    if name == "a.parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        path.write_text(json.dumps(ROWS if name == "a.json" else ROWS[0]))
    with pytest.raises(CodeGraftError, match=r"\['input', 'instruction', 'output'\], not"):
        items(path, answer="response")


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.json", b"{}"), ("a.json", b"[1"), ("a.parquet", b"PAR1"), ("a.jsonl.gz", b"\x1f\x8b\x08")],
)
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, name: str, data: bytes):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CodeGraftError, match=f"rows cannot be read(.|\n)*{name}"):
        items(tmp_path / name)


def test_no_file(tmp_path: Path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(CodeGraftError, match="no file of questions"):
            connect(Options(path=str(path)))


@given(st.lists(st.tuples(st.text(), st.text()), max_size=5))
def test_the_answer_ends_the_content_and_no_row_is_lost(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("rows") / "a.jsonl"
    write_lines(path, [{"instruction": question, "output": answer} for question, answer in pairs])
    found = items(path)
    assert len(found) == len(pairs)
    for item, (question, answer) in zip(found, pairs, strict=True):
        if isinstance(item, Document):
            assert item.answer is not None
            assert item.content.endswith(item.answer)
            assert item.content.startswith(question.strip())
        else:
            assert not question.strip() or not answer.strip()

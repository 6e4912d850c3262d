from __future__ import annotations

from pathlib import Path

from tasks.core.ids import digest
from tasks.core.tables import read_frame, write_table
from tasks.embed.rows import row_texts, write_rows
from tasks.embed.schema import ROWS
from tasks.ingest.schema import DOCUMENTS
from tests.embed.corpus import document

QA = "How to add?\n\n```python\nx = 1 + 1\n```" + "\nmore" * 50


def test_spans_are_bytes_of_the_document():
    content = "é = 'ä'\nö = 'ü'\nprint(é)\n"
    rows = list(row_texts(content, kind="code", size=17, overlap=0.5))
    assert [text for text, _, _ in rows] == ["é = 'ä'\nö = 'ü'\n", "ö = 'ü'\nprint(é)\n"]
    assert [content.encode()[a:b].decode() for _, a, b in rows] == [text for text, _, _ in rows]


def test_a_pair_is_one_row_however_long():
    assert list(row_texts(QA, kind="qa", size=10, overlap=0.2)) == [(QA, 0, len(QA.encode()))]


def test_table(tmp_path: Path):
    files = [document("a.py", "x = 1\ny = 2\n"), document("b#1", QA, kind="qa")]
    write_table(tmp_path / "documents.arrow", DOCUMENTS, files)
    rows = tmp_path / "rows.arrow"
    assert write_rows(tmp_path / "documents.arrow", rows, size=6, overlap=0.0) == 3
    assert read_frame(rows, ROWS).rows() == [
        (digest("x = 1\n"), digest("test", "a.py"), 0, 6),
        (digest("y = 2\n"), digest("test", "a.py"), 6, 12),
        (digest(QA), digest("test", "b#1"), 0, len(QA)),
    ]


def test_no_documents_no_rows(tmp_path: Path):
    write_table(tmp_path / "documents.arrow", DOCUMENTS, [document("empty.py", " \n")])
    assert write_rows(tmp_path / "documents.arrow", tmp_path / "r.arrow", size=9, overlap=0.0) == 0
    assert read_frame(tmp_path / "r.arrow", ROWS).columns == ROWS.names

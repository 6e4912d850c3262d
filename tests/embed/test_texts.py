from __future__ import annotations

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest
from tasks.core.tables import write_table
from tasks.embed.pipeline import Places
from tasks.embed.rows import write_rows
from tasks.embed.texts import occurrences, read_texts
from tasks.ingest.schema import DOCUMENTS
from tests.embed.corpus import MORE, SHAPES, document

IF = 'if r < 0:\n    raise ValueError("é")\n'.rstrip("\n")


def test_each_text_once_and_dedented(corpus: Places):
    places = occurrences(corpus.nodes, None, node_types=["Impl", "Block"])
    texts = [text for _, text in read_texts(corpus.documents, places)]
    assert sorted(texts) == sorted(
        [
            MORE.rstrip(),
            IF,  # in both files, at other depths
            'def area(self, r):\n    if r < 0:\n        raise ValueError("é")\n'
            "    return 3.14 * r * r",
            "def grow(self, r):\n    for step in range(3):\n        r += step\n    return r",
            "for step in range(3):\n    r += step",
        ]
    )
    assert len(set(texts)) == len(texts)


def test_only_the_types_asked_for_and_rows_as_they_stand(corpus: Places):
    write_rows(corpus.documents, corpus.rows, size=1000, overlap=0.2)
    places = occurrences(corpus.nodes, corpus.rows, node_types=["Block"])
    texts = dict(read_texts(corpus.documents, places))
    assert len(texts) == 4
    assert texts[digest(SHAPES)] == SHAPES
    assert all(digest(text) == content_id for content_id, text in texts.items())


def test_other_documents_are_refused(corpus: Places):
    places = occurrences(corpus.nodes, None, node_types=["Impl"])
    changed = [document("more.py", MORE), document("shapes.py", SHAPES.replace("3.14", "3.24"))]
    write_table(corpus.documents, DOCUMENTS, changed)
    with pytest.raises(CodeGraftError, match="do not belong to these documents"):
        list(read_texts(corpus.documents, places))
    write_table(corpus.documents, DOCUMENTS, changed[:1])
    with pytest.raises(CodeGraftError, match="is missing"):
        list(read_texts(corpus.documents, places))

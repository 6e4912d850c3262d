from __future__ import annotations

from pathlib import Path

from tasks.embed.fulltext import FullText

TEXTS = [
    ("a", "def running(x): return x is not None"),
    ("b", "def run(y): return y"),
    ("c", "class Shape: pass"),
    ("d", "class Shape: pass"),
]


def found(index: FullText, query: str) -> list[str]:
    return [content_id for content_id, _ in index.search(query, k=4)]


def test_words_as_they_stand(tmp_path: Path):
    index = FullText.build(tmp_path, TEXTS)
    assert found(index, "running") == ["a"]  # not stemmed
    assert found(index, "run") == ["b"]
    assert found(index, "is not") == ["a"]  # no stop words
    assert found(index, "shape") == ["c", "d"]  # ties by id
    assert found(index, "nowhere") == []


def test_queries_that_look_like_syntax(tmp_path: Path):
    index = FullText.build(tmp_path, TEXTS)
    assert found(index, 'def run(y): "Shape" AND -(x~*') != []
    assert FullText.build(tmp_path, TEXTS[2:]).search("def", k=4) == []  # replaced

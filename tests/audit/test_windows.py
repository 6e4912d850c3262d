"""Overlap by the inverted index equals overlap by its definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.windows import WindowIndex

WORDS = st.lists(st.sampled_from([b"a", b"b", b"c"]), max_size=14)


def windows(words: list[bytes], n: int) -> set[tuple[bytes, ...]]:
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


def overlaps(
    texts: list[list[bytes]],
    document: list[bytes],
    n: int,
    parts: list[tuple[int, int]] | None = None,
    least: float = 0.0,
) -> dict[int, float]:
    index = WindowIndex.of(texts, n=n)
    return index.overlaps(index.hashes(document), parts or [], least=least)


@given(st.lists(WORDS, max_size=4), WORDS, st.integers(1, 4))
def test_the_whole_document(texts, document, n):
    expected = {}
    for number, words in enumerate(texts):
        ours, theirs = windows(document, n), windows(words, n)
        if common := len(ours & theirs):
            expected[number] = common / min(len(ours), len(theirs))
    assert overlaps(texts, document, n) == expected


@given(WORDS, WORDS, st.integers(1, 3), st.data())
def test_a_part_counts_unless_it_is_a_fragment(text, document, n, data):
    start = data.draw(st.integers(0, len(document)))
    end = data.draw(st.integers(start, len(document)))
    least = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    theirs = windows(text, n)
    scores = []
    for ours, bound in ((windows(document, n), 0.0), (windows(document[start:end], n), least)):
        if (common := len(ours & theirs)) and len(ours) >= bound * len(theirs):
            scores.append(common / min(len(ours), len(theirs)))
    found = overlaps([text], document, n, [(start, end)], least)
    assert found == ({0: max(scores)} if scores else {})


def test_words_that_the_benchmark_lacks_are_told_apart():
    texts = [[b"a", b"b"]]
    document = [b"x", b"y", b"z", b"a", b"b"]
    assert overlaps(texts, document, 2) == {0: 1.0}
    index = WindowIndex.of(texts, n=2)
    assert len(set(index.hashes(document).tolist())) == 4


@pytest.mark.parametrize("document", [[], [b"a"], [b"a", b"b"]])
def test_texts_and_documents_shorter_than_a_window_never_match(document):
    index = WindowIndex.of([[b"a", b"b"], []], n=3)
    assert index.sizes == [0, 0]
    assert index.overlaps(index.hashes(document), [(0, 2)], least=0.5) == {}

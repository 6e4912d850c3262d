"""BM25: rank-bm25 and bm25s agree, ties are in a fixed order, tokens know about code."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from tasks.retrieval.bm25 import DECIMALS, LARGE, LexicalIndex, _Bm25s, _RankBm25
from tasks.retrieval.tokens import tokenize

WORDS = st.sampled_from(["sort", "list", "of", "the", "number", "x", "y", "def"])
TEXTS = st.lists(st.lists(WORDS, max_size=12), min_size=1, max_size=25)


@settings(deadline=None)  # the first call imports the libraries
@given(TEXTS, st.lists(WORDS, max_size=8))
def test_both_libraries_rank_alike_including_ties(texts: list[list[str]], query: list[str]) -> None:
    reference = LexicalIndex(texts, library="rank-bm25").search(query, k=len(texts))
    assert LexicalIndex(texts, library="bm25s").search(query, k=len(texts)) == reference


@settings(deadline=None)
@given(TEXTS, st.lists(WORDS, min_size=1, max_size=8))
def test_scores_are_those_of_okapi_and_ties_go_by_position(
    texts: list[list[str]], query: list[str]
) -> None:
    found = LexicalIndex(texts, library="bm25s").search(query, k=len(texts))
    assert {i for i, _ in found} == {i for i, t in enumerate(texts) if set(t) & set(query)}
    assert [(-score, i) for i, score in found] == sorted((-score, i) for i, score in found)
    if found:
        expected = BM25Okapi(texts).get_scores(query)
        assert dict(found) == {i: round(expected[i], DECIMALS) for i, _ in found}


def test_equal_texts_tie_in_order_of_position() -> None:
    texts = [["b", "a"], ["c"], ["a", "b"], ["a", "b", "d"], ["a", "b"]] + [["e"]] * 9
    for library in ("rank-bm25", "bm25s"):
        found = LexicalIndex(texts, library=library).search(["a"], k=4)
        assert [i for i, _ in found] == [0, 2, 4, 3]
        scores = [score for _, score in found]
        assert scores[0] == scores[1] == scores[2] != scores[3]


def test_size_decides_on_the_library() -> None:
    assert isinstance(LexicalIndex([["a"]] * (LARGE - 1))._scorer, _RankBm25)
    assert isinstance(LexicalIndex([["a"]] * LARGE)._scorer, _Bm25s)


def test_a_corpus_without_tokens_and_a_foreign_query_find_nothing() -> None:
    assert LexicalIndex([[], []]).search(["a"], k=2) == []
    for library in ("rank-bm25", "bm25s"):
        index = LexicalIndex([["a"], ["b"]], library=library)
        assert index.search(["z"], k=2) == []
        assert index.search([], k=2) == []


def test_a_single_text_is_found_though_okapi_scores_it_below_zero() -> None:
    for library in ("rank-bm25", "bm25s"):
        assert [i for i, _ in LexicalIndex([["a", "b"]], library=library).search(["a"], k=1)] == [0]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("snake_case_name", ["snake_case_name", "snake", "case", "name"]),
        ("parseHTTPReply", ["parsehttpreply", "parse", "http", "reply"]),
        ("sha256(x)", ["sha256", "sha", "256", "x"]),
        ("__init__", ["__init__", "init"]),
        ("for i in range(10):", ["for", "i", "in", "range", "10"]),
        ("Größe 数据", ["größe", "数据"]),
        ("+= \n", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@given(st.text())
def test_tokens_are_lower_case_and_do_not_depend_on_what_was_seen(text: str) -> None:
    tokens = tokenize(text)
    assert tokens == tokenize(text)
    assert all(token == token.lower() for token in tokens)
    assert not any(a == b == "" for a, b in pairwise(tokens))

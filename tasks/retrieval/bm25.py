"""BM25 over tokenised texts, with ties in a fixed order.

The reference is rank-bm25's BM25Okapi (k1 = 1.5, b = 0.75; a negative idf becomes a quarter of the
average). It visits every text in Python for every query token, so large corpora are served by
bm25s, whose precomputed scores are brought to the same idf here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

K1, B, EPSILON = 1.5, 0.75, 0.25
LARGE = 2000  # texts; from here on bm25s
DECIMALS = 6  # scores that agree so far are ties: the two libraries round differently beyond

Scores = NDArray[np.float64]
Positions = NDArray[np.int64]


class _Scorer(Protocol):
    def score(self, query: Sequence[str]) -> tuple[Scores, Positions]:
        """Scores of all texts, and the positions of those that share a token with the query."""


class LexicalIndex:
    """BM25 index of tokenised texts, addressed by their position."""

    def __init__(
        self, texts: Sequence[list[str]], *, library: Literal["auto", "rank-bm25", "bm25s"] = "auto"
    ) -> None:
        self._scorer: _Scorer | None = None
        if not any(texts):
            return  # neither library divides by an average length of zero
        large = len(texts) >= LARGE if library == "auto" else library == "bm25s"
        self._scorer = _Bm25s(texts) if large else _RankBm25(texts)

    def search(self, query: Sequence[str], *, k: int) -> list[tuple[int, float]]:
        """The k best (position, score) by falling score, ties by position.

        Texts that share no token with the query are never returned.
        """
        if self._scorer is None:
            return []
        scores, matched = self._scorer.score(query)
        rounded = np.round(scores[matched], DECIMALS)
        order = np.lexsort((matched, -rounded))[:k]
        return [(int(matched[i]), float(rounded[i])) for i in order]


class _RankBm25:
    def __init__(self, texts: Sequence[list[str]]) -> None:
        from rank_bm25 import BM25Okapi

        self._index: Any = BM25Okapi(list(texts), k1=K1, b=B, epsilon=EPSILON)

    def score(self, query: Sequence[str]) -> tuple[Scores, Positions]:
        words = set(query)
        matched = [i for i, held in enumerate(self._index.doc_freqs) if not words.isdisjoint(held)]
        return self._index.get_scores(list(query)), np.array(matched, dtype=np.int64)


class _Bm25s:
    def __init__(self, texts: Sequence[list[str]]) -> None:
        import bm25s

        # Ids in order of first appearance, as rank-bm25 sums its average idf.
        vocabulary = {word: i for i, word in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
        ids = [[vocabulary[word] for word in text] for text in texts]
        index = bm25s.BM25(method="atire", idf_method="lucene", k1=K1, b=B, dtype="float64")
        index.index((ids, vocabulary), create_empty_token=False, show_progress=False)
        frequency = np.diff(index.scores["indptr"]).tolist()
        # Lucene's idf is never zero, so it can be divided out again.
        factor = np.array(_okapi_idf(frequency, len(texts))) / np.array(
            [math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for n in frequency]
        )
        index.scores["data"] *= np.repeat(factor, frequency)
        self._index: Any = index

    def score(self, query: Sequence[str]) -> tuple[Scores, Positions]:
        ids = self._index.get_tokens_ids(list(query))
        held: dict[str, Any] = self._index.scores
        matched = np.zeros(held["num_docs"], dtype=bool)
        for i in set(ids):
            matched[held["indices"][held["indptr"][i] : held["indptr"][i + 1]]] = True
        return self._index.get_scores_from_ids(ids), np.flatnonzero(matched)


def _okapi_idf(frequency: Sequence[int], texts: int) -> list[float]:
    """BM25Okapi's idf by term, given the number of texts that hold each term."""
    idf = [math.log(texts - n + 0.5) - math.log(n + 0.5) for n in frequency]
    floor = EPSILON * (sum(idf) / len(idf))
    return [floor if value < 0 else value for value in idf]

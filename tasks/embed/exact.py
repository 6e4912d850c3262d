"""Exact search: one matrix product over all queries, block by block, with reproducible order."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tasks.embed.embedder import Vectors

Positions = NDArray[np.int64]
Scores = NDArray[np.float64]

# Vectors, and queries, in one product: bounds the scores in memory to 64 MiB.
BLOCK = 32768
QUERIES = 512


def top_k(
    queries: Vectors, vectors: Vectors, *, positions: Positions, k: int
) -> list[list[tuple[int, float]]]:
    """The `k` best of `vectors[positions]` for each query: (position, cosine), best first.

    `queries` [q, dim] and `vectors` [n, dim] are unit rows; ties go to the lower position. A
    product in float32 differs in its last bits with the shape of the matrices, so it only
    proposes candidates: whatever may be among the best within its error is scored again in
    float64, pair by pair, and equal vectors score equally wherever they stand.
    """
    return [
        hits
        for start in range(0, len(queries), QUERIES)
        for hits in _top_k(queries[start : start + QUERIES], vectors, positions, k)
    ]


def _top_k(
    queries: Vectors, vectors: Vectors, positions: Positions, k: int
) -> list[list[tuple[int, float]]]:
    # Twice the bound on the error of a float32 dot product of unit vectors.
    margin = np.float32(2 * queries.shape[1] * np.finfo(np.float32).eps)
    floor = np.full(len(queries), -np.inf, np.float32)
    query, position = np.empty(0, np.int64), np.empty(0, np.int64)
    score = np.empty(0, np.float32)
    whole = len(positions) == len(vectors)
    size = max(BLOCK, k)
    for start in range(0, len(positions), size):
        chosen = positions[start : start + size]
        block = vectors[start : start + size] if whole else vectors[chosen]
        scores = queries @ block.T
        if start == 0 and len(chosen) >= k:
            floor = np.partition(scores, len(chosen) - k, axis=1)[:, len(chosen) - k]
        row, column = np.nonzero(scores >= (floor - margin)[:, None])
        query = np.concatenate([query, row])
        position = np.concatenate([position, chosen[column]])
        score = np.concatenate([score, scores[row, column]])
        floor = _raised(floor, query, score, k)
        kept = score >= (floor - margin)[query]
        query, position, score = query[kept], position[kept], score[kept]
    exact = pair_scores(queries, vectors, query, position)
    return grouped(len(queries), query, position, exact, k)


def _raised(
    floor: NDArray[np.float32], query: Positions, scores: NDArray[np.float32], k: int
) -> NDArray[np.float32]:
    """The k-th best score of each query that has k candidates, else its old floor."""
    order = np.lexsort((-scores, query))
    begins = np.searchsorted(query[order], np.arange(len(floor) + 1))
    full = np.diff(begins) >= k
    raised = floor.copy()
    raised[full] = scores[order][begins[:-1][full] + k - 1]
    return raised


def pair_scores(
    queries: Vectors, vectors: Vectors, query: Positions, position: Positions
) -> Scores:
    """Cosine of `queries[query[i]]` and `vectors[position[i]]`, float64 [pairs].

    A pair's score depends on the pair alone.
    """
    scores = np.empty(len(query), np.float64)
    for start in range(0, len(query), BLOCK):
        part = slice(start, start + BLOCK)
        left = queries[query[part]].astype(np.float64)
        scores[part] = (left * vectors[position[part]]).sum(axis=1)
    return scores


def grouped(
    count: int, query: Positions, position: Positions, scores: Scores, k: int
) -> list[list[tuple[int, float]]]:
    """The `k` best (position, score) of each of `count` queries; ties to the lower position."""
    order = np.lexsort((position, -scores, query))
    begins = np.searchsorted(query[order], np.arange(count + 1))
    return [
        [(int(position[i]), float(scores[i])) for i in order[begin : min(end, begin + k)]]
        for begin, end in pairwise(begins.tolist())
    ]

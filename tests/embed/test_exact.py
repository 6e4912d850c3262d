from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.embed import exact
from tasks.embed.embedder import Vectors, unit_rows
from tasks.embed.exact import top_k


def units(seed: int, count: int, dim: int = 16) -> Vectors:
    return unit_rows(np.random.default_rng(seed).standard_normal((count, dim)).astype(np.float32))


def by_hand(queries: Vectors, vectors: Vectors, positions: np.ndarray, k: int):
    found = []
    for query in queries.astype(np.float64):
        scored = [(p, float((query * vectors[p]).sum())) for p in positions.tolist()]
        found.append(sorted(scored, key=lambda hit: (-hit[1], hit[0]))[:k])
    return found


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 1000),
    count=st.integers(1, 60),
    k=st.integers(1, 20),
    share=st.floats(0.1, 1.0),
    coarse=st.booleans(),
)
def test_as_by_hand_whatever_the_blocks(seed: int, count: int, k: int, share: float, coarse: bool):
    vectors = units(seed, count, 4)
    if coarse:  # many equal vectors, hence ties
        vectors = unit_rows(np.sign(vectors))
    queries = units(seed + 1, 5, 4)
    chosen = np.random.default_rng(seed).random(count) < share
    positions = np.flatnonzero(chosen) if chosen.any() else np.arange(count)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "BLOCK", 7)
        patch.setattr(exact, "QUERIES", 2)
        found = top_k(queries, vectors, positions=positions, k=k)
    assert found == by_hand(queries, vectors, positions, k)


def test_equal_vectors_tie_wherever_they_stand():
    vectors = units(0, 5000, 384)
    twins = [11, 700, 2048, 4999]
    vectors[twins] = vectors[11]
    queries = unit_rows(vectors[[11]] + 0.1 * units(1, 1, 384))
    found = top_k(queries, vectors, positions=np.arange(5000), k=3)
    assert [position for position, _ in found[0]] == twins[:3]
    assert len({score for _, score in found[0]}) == 1


def test_a_query_scores_the_same_alone_and_among_others():
    vectors, queries = units(2, 3000, 384), units(3, 40, 384)
    positions = np.arange(3000)
    together = top_k(queries, vectors, positions=positions, k=5)
    alone = [top_k(q[None], vectors, positions=positions, k=5)[0] for q in queries]
    assert together == alone


def test_fewer_vectors_than_wanted():
    vectors = units(4, 3)
    found = top_k(vectors[:1], vectors, positions=np.array([0, 2]), k=10)
    assert sorted(position for position, _ in found[0]) == [0, 2]
    assert found[0][0][0] == 0
    assert found[0][0][1] == pytest.approx(1.0, abs=1e-6)

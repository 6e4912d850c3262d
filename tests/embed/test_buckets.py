from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tasks.embed.buckets import buckets


def test_equal_lengths_share_a_batch():
    assert list(buckets([3, 1, 3, 9, 1, 3], rows=2, tokens=100)) == [[1, 4], [0, 2], [5], [3]]
    assert list(buckets([3, 3, 3], rows=8, tokens=6)) == [[0, 1], [2]]
    assert list(buckets([7, 7], rows=8, tokens=5)) == [[0], [1]]
    assert list(buckets([], rows=8, tokens=5)) == []


@given(st.lists(st.integers(1, 8), max_size=60), st.integers(1, 9), st.integers(1, 40))
def test_laws(lengths: list[int], rows: int, tokens: int):
    batches = list(buckets(lengths, rows=rows, tokens=tokens))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    for batch in batches:
        (length,) = {lengths[i] for i in batch}
        assert len(batch) <= rows
        assert len(batch) == 1 or len(batch) * length <= tokens

"""Compressed rows against the plain definition."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest
from tasks.graph.adjacency import Adjacency
from tasks.graph.ids import IdIndex, id_array

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)


@given(PAIRS, st.lists(st.integers(0, 9), max_size=5))
def test_neighbours_are_the_targets_of_a_row(pairs, rows):
    sources = np.array([source for source, _ in pairs], np.int64)
    targets = np.array([target for _, target in pairs], np.int64)
    adjacency = Adjacency.of(sources, targets, size=10)
    expected = {row: sorted(t for s, t in pairs if s == row) for row in range(10)}
    assert {row: adjacency.neighbours(row).tolist() for row in range(10)} == expected
    together = adjacency.all_neighbours(np.array(rows, np.int64)).tolist()
    assert together == [target for row in rows for target in expected[row]]


@given(st.lists(st.integers(0, 1000), unique=True, max_size=50), st.randoms())
def test_ids_lead_back_to_their_rows(numbers, random):
    ids = [digest(number) for number in numbers]
    half = len(ids) // 2
    column = pa.chunked_array([ids[:half], ids[half:]], pa.string())
    index = IdIndex(id_array(column, where="t"), where="t")
    order = list(range(len(ids)))
    random.shuffle(order)
    assert index.rows([ids[row] for row in order]).tolist() == order


def test_bad_ids_are_refused():
    ids = [digest(1), digest(2)]
    with pytest.raises(CodeGraftError, match="occurs twice"):
        IdIndex(np.array([ids[0], ids[0]], "S32"), where="t")
    with pytest.raises(CodeGraftError, match="hex digits"):
        id_array(pa.chunked_array([["short"]]), where="t")
    for known in (ids, []):
        index = IdIndex(np.array(known, "S32"), where="t")
        with pytest.raises(CodeGraftError, match="unknown id"):
            index.rows([digest(3)])

"""The cache of the rows in flight against a plain list of rows."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import DynamicCache

from tasks.generate import cache as caches
from tasks.generate.cache import RowCache
from tests.generate import tiny
from tests.generate.test_batching import ENDS, alone, decode, prompts

LAYERS, HEADS, WIDTH, SLOTS = 2, 2, 4, 5


def part(rows: int, length: int) -> torch.Tensor:
    return torch.randn(rows, HEADS, length, WIDTH)


def prefilled(rows: int, length: int) -> DynamicCache:
    cache = DynamicCache()
    for layer in range(LAYERS):
        cache.update(part(rows, length), part(rows, length), layer)
    return cache


class Plain:
    """What a RowCache should hold: for each row and layer its own keys and values."""

    def __init__(self) -> None:
        self.rows: list[list[list[torch.Tensor]]] = []

    def join(self, cache: DynamicCache) -> None:
        layers: list[Any] = cache.layers
        for row in range(layers[0].keys.shape[0]):
            self.rows.append([[layer.keys[row], layer.values[row]] for layer in layers])

    def step(self, cache: RowCache) -> None:
        """One forward pass; each layer is given all that a row holds, right-aligned."""
        model = cache.for_model()
        assert model.get_seq_length() == cache.length
        for layer in range(LAYERS):
            new = (part(len(self.rows), 1), part(len(self.rows), 1))
            seen = model.update(*new, layer)
            for row, held in enumerate(self.rows):
                for kind in (0, 1):
                    held[layer][kind] = torch.cat([held[layer][kind], new[kind][row]], dim=1)
                    length = held[layer][kind].shape[1]
                    assert seen[kind].shape[2] == cache.length + 1
                    assert torch.equal(seen[kind][row, :, -length:], held[layer][kind])
                    assert torch.isfinite(seen[kind]).all()
        cache.advance()

    def leave(self, index: int) -> None:
        self.rows[index] = self.rows[-1]
        self.rows.pop()

    @property
    def longest(self) -> int:
        return max((row[0][0].shape[1] for row in self.rows), default=0)


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("join"), st.integers(1, 3), st.integers(1, 12)),
        st.tuples(st.just("step"), st.integers(1, 6), st.just(0)),
        st.tuples(st.just("leave"), st.integers(0, SLOTS - 1), st.just(0)),
    ),
    max_size=25,
)


@settings(max_examples=100, deadline=None)
@given(MOVES)
def test_rows_keep_what_they_hold_through_joins_steps_and_leaves(moves):
    before, caches.ROOM = caches.ROOM, 3
    try:
        torch.manual_seed(0)
        cache, plain = RowCache(SLOTS), Plain()
        for move, count, length in moves:
            if move == "join" and len(plain.rows) + count <= SLOTS:
                new = prefilled(count, length)
                cache.join(new)
                plain.join(new)
            elif move == "step" and plain.rows:
                for _ in range(count):
                    plain.step(cache)
            elif move == "leave" and count < len(plain.rows):
                cache.leave(count)
                plain.leave(count)
                cache.shorten(plain.longest)
            assert (cache.rows, cache.length) == (len(plain.rows), plain.longest)
    finally:
        caches.ROOM = before


@pytest.mark.parametrize("room", [1, 2, 7])
def test_little_room_changes_nothing(monkeypatch, room):
    monkeypatch.setattr(caches, "ROOM", room)
    model = tiny.model(64, end=0)
    asked = prompts(8)
    rows = decode(model, asked, slots=3)
    assert [rows[str(n)].tokens for n in range(8)] == [alone(model, item) for item in asked]
    assert any(row.tokens[-1] in ENDS for row in rows.values())

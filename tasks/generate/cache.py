"""Keys and values of the rows in flight, in buffers with room, so that a step copies nothing.

A dynamic cache concatenates the newest token to all it holds, which at 16 rows of 400 tokens took a
fifth of a decoding step.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers.cache_utils import Cache, CacheLayerMixin

# Columns added when a buffer is full: the cache is copied once in as many steps.
ROOM = 128


class RowCache:
    """Keys and values of all layers, each [slots, heads, columns, width].

    Rows are left-padded: all end at column `end`, the longest begins at `start`. What stands before
    the beginning of a shorter row is finite, and masked by the caller.
    """

    def __init__(self, slots: int) -> None:
        self.rows = self.start = self.end = 0
        self._slots, self._columns = slots, 0
        self._buffers: list[list[torch.Tensor]] = []

    @property
    def length(self) -> int:
        """Tokens of the longest row, as far as they are in the cache."""
        return self.end - self.start

    def for_model(self) -> Cache:
        """What the model takes as `past_key_values` for one more token of each row.

        Call `advance` after the forward pass.
        """
        return Cache(layers=[_Layer(self, index) for index in range(len(self._buffers))])

    def advance(self) -> None:
        """Count the column that a forward pass has written, and see to room for the next."""
        self.end += 1
        if self.end == self._columns:
            self._move(self.length)

    def join(self, prefilled: Cache) -> None:
        """Add the rows of another cache, left-padded to its own length, after those in flight."""
        layers: list[Any] = prefilled.layers
        pairs = [(layer.keys, layer.values) for layer in layers]
        rows, _, length, _ = pairs[0][0].shape
        if not self._buffers:
            self._buffers = [[part[:, :, :0] for part in pair] for pair in pairs]
        if length > self.end:
            self._move(length)
        self.start = min(self.start, self.end - length)
        for buffers, pair in zip(self._buffers, pairs, strict=True):
            for buffer, part in zip(buffers, pair, strict=True):
                buffer[self.rows : self.rows + rows, :, self.end - length : self.end] = part
        self.rows += rows

    def leave(self, index: int) -> None:
        """Remove a row; the last row takes its place."""
        self.rows -= 1
        if index != self.rows:
            for buffer in (buffer for pair in self._buffers for buffer in pair):
                live = buffer[:, :, self.start : self.end]
                live[index] = live[self.rows]

    def shorten(self, length: int) -> None:
        """Drop the columns before the longest row's beginning, which has `length` tokens."""
        self.start = self.end - length

    def write(
        self, layer: int, keys: torch.Tensor, values: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Put in the newest token's [rows, heads, 1, width]; return all there is to attend to."""
        both = self._buffers[layer]
        for buffer, part in zip(both, (keys, values), strict=True):
            buffer[: self.rows, :, self.end : self.end + 1] = part
        live = slice(self.start, self.end + 1)
        return both[0][: self.rows, :, live], both[1][: self.rows, :, live]

    def _move(self, end: int) -> None:
        """Copy what is live into new buffers, so that it ends at column `end` with room after."""
        self._columns, length = end + ROOM, self.length
        for pair in self._buffers:
            for index, old in enumerate(pair):
                # Zeros, because an infinity would count even where it is masked.
                new = old.new_zeros(self._slots, old.shape[1], self._columns, old.shape[3])
                live = old[: self.rows, :, self.start : self.end]
                new[: self.rows, :, end - length : end] = live
                pair[index] = new
        self.start, self.end = end - length, end


class _Layer(CacheLayerMixin):
    """One layer of a RowCache as attention sees it."""

    is_sliding = False

    def __init__(self, cache: RowCache, index: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._cache, self._index = cache, index
        self.is_initialized = True

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        """Nothing to do: the buffers exist."""

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Add the newest token; return what to attend to."""
        return self._cache.write(self._index, key_states, value_states)

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Columns of the mask and their offset."""
        return self._cache.length + query_length, 0

    def get_seq_length(self) -> int:
        """Columns before the newest token."""
        return self._cache.length

    def get_max_length(self) -> int:
        """No limit."""
        return -1

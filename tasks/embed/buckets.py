"""Batches of texts that have the same number of tokens, so that none is padded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def buckets(lengths: Sequence[int], *, rows: int, tokens: int) -> Iterator[list[int]]:
    """Positions in batches of equal length, ascending by length, then position.

    A batch has at most `rows` positions and, from the second on, at most `tokens` tokens.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batch: list[int] = []
    for position in order:
        length = lengths[position]
        if batch and (
            length != lengths[batch[0]] or len(batch) == rows or (len(batch) + 1) * length > tokens
        ):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch

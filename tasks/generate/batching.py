"""Continuous batching over a plain transformers model: a finished row makes room at once.

A static batch decodes until its slowest row ends, so most of its work is padding. Here the batch
holds `slots` rows; rows that end leave it, waiting prompts are prefilled and join it. The key-value
cache of all rows is left-padded to the longest row, so any decoder that takes an attention mask
and position ids will do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from transformers import Cache, DynamicCache

from tasks.generate.cache import RowCache


@dataclass
class Row:
    """One sequence in the batch: its prompt, what it has produced, its own random stream."""

    key: str
    prompt: list[int]
    random: torch.Generator | None = None
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    finish_reason: str = ""

    @property
    def length(self) -> int:
        """Tokens in the cache once the last one has been fed."""
        return len(self.prompt) + len(self.tokens)


@dataclass(frozen=True)
class Sampling:
    """Temperature (0: greedy) and nucleus mass."""

    temperature: float
    top_p: float


def pick(
    logits: torch.Tensor, rows: Sequence[Row], sampling: Sampling
) -> tuple[list[int], list[float]]:
    """Next token and its log-probability for each row; logits are [rows, vocabulary] float32."""
    logprobs = torch.log_softmax(logits, dim=-1)
    if sampling.temperature == 0.0:
        tokens = logprobs.argmax(dim=-1)
    else:
        tokens = torch.stack(
            [_draw(line, row.random, sampling) for line, row in zip(logits, rows, strict=True)]
        )
    chosen = logprobs.gather(1, tokens[:, None])[:, 0]
    return tokens.tolist(), chosen.tolist()


def _draw(line: torch.Tensor, random: torch.Generator | None, sampling: Sampling) -> torch.Tensor:
    probabilities = torch.softmax(line / sampling.temperature, dim=-1).cpu()
    if sampling.top_p < 1.0:
        ordered, order = probabilities.sort(descending=True, stable=True)
        outside = ordered.cumsum(0) - ordered >= sampling.top_p
        probabilities = torch.zeros_like(probabilities).scatter(
            0, order, ordered.masked_fill(outside, 0.0)
        )
    return torch.multinomial(probabilities, 1, generator=random)[0].to(line.device)


class ContinuousBatch:
    """Decodes many prompts with a bounded number of rows in flight.

    `finished(row)` is asked after each token whether the row is complete; it sets
    `row.finish_reason` itself. Rows are yielded as they end.
    """

    def __init__(
        self,
        model: Any,
        *,
        slots: int,
        sampling: Sampling,
        finished: Callable[[Row], bool],
        pad_token: int,
    ) -> None:
        self._model, self._slots, self._sampling = model, slots, sampling
        self._finished, self._pad = finished, pad_token
        self._device = next(model.parameters()).device
        self._rows: list[Row] = []
        self._cache = RowCache(slots)

    @torch.inference_mode()
    def run(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Decode all rows; longest prompts first, so that the tail is short and well packed."""
        waiting = deque(sorted(rows, key=lambda row: (-len(row.prompt), row.key)))
        while waiting or self._rows:
            free = self._slots - len(self._rows)
            # A prefill stalls every row in flight, so several joins share one.
            if waiting and (free >= max(1, self._slots // 4) or not self._rows):
                joining = [waiting.popleft() for _ in range(min(free, len(waiting)))]
                yield from self._admit(joining)
            if self._rows:
                yield from self._step()

    def _admit(self, joining: list[Row]) -> Iterator[Row]:
        width = max(len(row.prompt) for row in joining)
        ids = torch.tensor(
            [[self._pad] * (width - len(row.prompt)) + row.prompt for row in joining],
            device=self._device,
        )
        cache = DynamicCache()
        logits = self._forward(ids, [len(row.prompt) for row in joining], cache)
        self._cache.join(cache)
        self._rows += joining
        self._append(logits, joining)
        yield from self._leave()

    def _step(self) -> Iterator[Row]:
        ids = torch.tensor([[row.tokens[-1]] for row in self._rows], device=self._device)
        lengths = [row.length for row in self._rows]
        logits = self._forward(ids, lengths, self._cache.for_model())
        self._cache.advance()
        self._append(logits, self._rows)
        yield from self._leave()

    def _forward(self, ids: torch.Tensor, lengths: list[int], cache: Cache) -> torch.Tensor:
        total = cache.get_seq_length() + ids.shape[1]
        places = torch.arange(total, device=self._device)[None, :]
        start = total - torch.tensor(lengths, device=self._device)[:, None]
        mask = (places >= start).long()
        positions = (places - start).clamp(min=0)[:, -ids.shape[1] :]
        output = self._model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=positions,
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        logits: torch.Tensor = output.logits[:, -1]
        return logits.float()

    def _append(self, logits: torch.Tensor, rows: Sequence[Row]) -> None:
        tokens, logprobs = pick(logits, rows, self._sampling)
        for row, token, logprob in zip(rows, tokens, logprobs, strict=True):
            row.tokens.append(token)
            row.logprobs.append(logprob)

    def _leave(self) -> Iterator[Row]:
        gone = [index for index, row in enumerate(self._rows) if self._finished(row)]
        for index in reversed(gone):
            # As in the cache, the last row takes the place of the one that leaves.
            row, self._rows[index] = self._rows[index], self._rows[-1]
            self._rows.pop()
            self._cache.leave(index)
            yield row
        if gone:
            # The cache holds all but the newest token of a row.
            self._cache.shorten(max((row.length - 1 for row in self._rows), default=0))

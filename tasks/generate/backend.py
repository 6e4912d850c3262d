"""What a generator backend is: requests in, completions out, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Decoding:
    """Decoding parameters. Temperature 0 is greedy; `seed` matters only when sampling."""

    max_new_tokens: int
    temperature: float
    top_p: float
    seed: int


@dataclass(frozen=True)
class Request:
    """One completion to make.

    `messages` are chat turns; `prefill` is the opening of the reply, which the completion goes on
    from where the backend supports it; generation ends before any of `stop`. `key` is unique in a
    run and, with `Decoding.seed`, fixes the row's own random stream.
    """

    key: str
    messages: tuple[tuple[str, str], ...]
    prefill: str
    stop: tuple[str, ...]


@dataclass(frozen=True)
class Completion:
    """The model's text after the prefill, without the stop string; log-probabilities if known."""

    text: str
    finish_reason: str
    logprob_mean: float | None
    logprob_sum: float | None
    tokens_in: int
    tokens_out: int


class Generator(Protocol):
    """A loaded model or an endpoint."""

    @property
    def identity(self) -> dict[str, str]:
        """What made the tokens: backend, dtype, device, library versions."""
        ...

    @property
    def prefills(self) -> bool:
        """Whether the reply can be opened for the model."""
        ...

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text, without special tokens."""
        ...

    def complete(
        self, requests: Sequence[Request], decoding: Decoding
    ) -> Iterator[tuple[str, Completion]]:
        """Yield (request key, completion) as completions finish, each request exactly once."""
        ...

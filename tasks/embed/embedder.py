"""What an embedder is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Kind = Literal["query", "document"]
Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors.

    A text's vector must depend on nothing but the text, its kind and `id`: not on the texts
    beside it, since what is stored already is left out of a later call.
    """

    @property
    def dim(self) -> int:
        """Components of a vector."""

    @property
    def id(self) -> str:
        """All that a vector depends on, as `identify` writes it."""

    def encode(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """Vectors of `texts` in their order, float32 [texts, dim], each of length 1."""


def identify(**parts: str | int) -> str:
    """An embedder's id: its parts (sha256, prefixes, max_tokens, dtype, ...) as JSON."""
    return json.dumps(parts, sort_keys=True)


def unit_rows(vectors: Vectors) -> Vectors:
    """The rows scaled to length 1; a row of zeros stays zero."""
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    scaled: Vectors = (wide / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)
    return scaled

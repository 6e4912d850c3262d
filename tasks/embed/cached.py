"""An embedder that never embeds the same text twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tasks.core.ids import digest
from tasks.core.progress import Progress
from tasks.core.store import Store
from tasks.embed.embedder import Embedder, Kind, Vectors

# Texts embedded between two commits: what a kill can lose.
COMMIT = 1024


@dataclass(frozen=True, eq=False)
class CachedEmbedder:
    """`embedder` behind a store of its vectors, keyed by embedder, kind and text.

    New vectors are committed batch by batch, so a killed run goes on where it was.
    """

    embedder: Embedder
    store: Store

    @property
    def dim(self) -> int:
        """Components of a vector."""
        return self.embedder.dim

    @property
    def id(self) -> str:
        """The embedder's own id."""
        return self.embedder.id

    def encode(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """Vectors of `texts` in their order, float32 [texts, dim], each of length 1."""
        return self.vectors(self.ensure(texts, kind=kind)[0])

    def ensure(
        self, texts: Sequence[str], *, kind: Kind, progress: Progress | None = None
    ) -> tuple[list[str], int]:
        """Embed and store those texts that are not stored.

        Returns the key of each text, and how many had to be embedded.
        """
        keys = [self.key(text, kind=kind) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        held = self.store.get(distinct).keys()
        if progress:
            progress.skip(len(held))
        # Texts of like length share a commit, hence batches without padding.
        missing = sorted(distinct.keys() - held, key=lambda key: (len(distinct[key]), key))
        for start in range(0, len(missing), COMMIT):
            part = missing[start : start + COMMIT]
            fresh = self.embedder.encode([distinct[key] for key in part], kind=kind)
            self.store.put({k: v.astype("<f4").tobytes() for k, v in zip(part, fresh, strict=True)})
            if progress:
                progress.add(len(part))
        return keys, len(missing)

    def vectors(self, keys: Sequence[str]) -> Vectors:
        """Stored vectors by key, float32 [keys, dim]; KeyError for one that is not stored."""
        if not keys:
            return np.zeros((0, self.dim), np.float32)
        found = self.store.get(keys)
        data = b"".join(found[key] for key in keys)
        return np.frombuffer(data, "<f4").astype(np.float32).reshape(len(keys), -1)

    def key(self, text: str, *, kind: Kind) -> str:
        """The key of a text's vector in the store."""
        return digest(self.embedder.id, kind, text)

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tasks.core.store import Store
from tasks.embed.cached import CachedEmbedder
from tasks.embed.embedder import Kind, Vectors
from tests.embed.corpus import Letters

TEXTS = ["def area", "x", "while True: pass", "é", "x", "for y in z"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store("embeddings", root=tmp_path)


def test_equal_to_the_embedder_and_asked_once(store: Store, tmp_path: Path):
    letters = Letters()
    embedder = CachedEmbedder(letters, store)
    expected = Letters().encode(TEXTS, kind="document")
    assert np.array_equal(embedder.encode(TEXTS, kind="document"), expected)
    assert sorted(letters.seen) == sorted(set(TEXTS))
    store.close()
    again = Letters()
    later = CachedEmbedder(again, Store("embeddings", root=tmp_path))
    assert np.array_equal(later.encode(TEXTS[::-1], kind="document"), expected[::-1])
    assert again.seen == []


def test_queries_are_not_documents(store: Store):
    embedder = CachedEmbedder(Letters(), store)
    one, other = embedder.encode(["b"], kind="query"), embedder.encode(["b"], kind="document")
    assert not np.array_equal(one, other)


def test_another_embedder_shares_nothing(store: Store):
    CachedEmbedder(Letters(), store).encode(["b"], kind="document")
    other = Letters()
    other.id = "other"
    CachedEmbedder(other, store).encode(["b"], kind="document")
    assert other.seen == ["b"]


def test_no_texts(store: Store):
    assert CachedEmbedder(Letters(), store).encode([], kind="query").shape == (0, 26)


def test_what_was_finished_before_a_failure_is_kept(store: Store, monkeypatch: pytest.MonkeyPatch):
    class Failing(Letters):
        def encode(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
            if len(self.seen) == 4:
                raise OSError("pulled the plug")
            return super().encode(texts, kind=kind)

    monkeypatch.setattr("tasks.embed.cached.COMMIT", 2)
    texts = [letter * (i + 1) for i, letter in enumerate("abcdefg")]
    with pytest.raises(OSError, match="plug"):
        CachedEmbedder(Failing(), store).encode(texts, kind="document")
    second = Letters()
    CachedEmbedder(second, store).encode(texts, kind="document")
    assert second.seen == texts[4:]

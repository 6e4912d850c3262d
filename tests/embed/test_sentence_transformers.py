"""The local backend on a real model: a tiny one made here, and MiniLM where it is installed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer

from tasks.core.errors import CodeGraftError
from tasks.core.params import EmbedderWeights, PathSource, load_params
from tasks.embed.embedder import Vectors

make = import_module("tasks.embed.embedders.sentence-transformers").make
SPEC = EmbedderWeights(
    backend="sentence-transformers",
    format="safetensors",
    file="model.safetensors",
    bytes=1,
    sha256="0" * 64,
    sources=[PathSource(kind="path")],
    max_tokens=64,
    dtype="float32",
)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Torch's threads wait for each other, long where tests run side by side."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def opened(folder: Path, *, batch_size: int = 8, **changes):
    return make(folder, SPEC.model_copy(update=changes), batch_size=batch_size)


def reference(folder: Path, texts: list[str]) -> Vectors:
    """What sentence-transformers itself makes of the texts, in float32."""
    model = SentenceTransformer(str(folder), device="cpu")
    vectors: Vectors = model.encode(texts, batch_size=16, normalize_embeddings=True)
    return vectors


def test_equal_to_the_library(tiny_model: Path, sentences: list[str]):
    vectors = opened(tiny_model).encode(sentences, kind="document")
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, reference(tiny_model, sentences), atol=2e-6)


def test_bfloat16_is_close(tiny_model: Path, sentences: list[str]):
    vectors = opened(tiny_model, dtype="bfloat16").encode(sentences, kind="document")
    cosines = (vectors * reference(tiny_model, sentences)).sum(axis=1)
    assert cosines.min() > 0.999
    assert cosines.min() < 0.9999999  # it is bfloat16


@pytest.mark.parametrize("dtype", ["float32", "auto"])
def test_a_vector_depends_on_its_text_alone(tiny_model: Path, sentences: list[str], dtype: str):
    """Batches, neighbours, order and cores change no bit: what is stored may be left out."""
    embedder = opened(tiny_model, dtype=dtype)
    vectors = embedder.encode(sentences, kind="document")
    for size, workers in ((1, 1), (3, 2), (64, 1)):
        other = replace(opened(tiny_model, dtype=dtype, batch_size=size), workers=workers)
        assert np.array_equal(other.encode(sentences, kind="document"), vectors)
    part = list(range(0, len(sentences), 3))[::-1]
    some = embedder.encode([sentences[i] for i in part], kind="document")
    assert np.array_equal(some, vectors[part])
    alone = np.concatenate([embedder.encode([text], kind="document") for text in sentences[:19]])
    assert np.array_equal(alone, vectors[:19])


def test_prefixes(tiny_model: Path):
    embedder = opened(tiny_model, query_prefix="w1 w2 ", document_prefix="w3 ")
    bare = opened(tiny_model)
    query, document = (embedder.encode(["w7 w8"], kind=k) for k in ("query", "document"))
    assert np.array_equal(query, bare.encode(["w1 w2 w7 w8"], kind="document"))
    assert np.array_equal(document, bare.encode(["w3 w7 w8"], kind="query"))


def test_length_limit(tiny_model: Path):
    words = [f"w{i}" for i in range(100)]
    short = opened(tiny_model, max_tokens=10)
    # Eight words and two special tokens.
    assert np.array_equal(
        short.encode([" ".join(words)], kind="query"),
        short.encode([" ".join(words[:8])], kind="query"),
    )
    # The model's own limit holds where the parameter allows more.
    long = opened(tiny_model, max_tokens=512)
    assert np.array_equal(
        long.encode([" ".join(words)], kind="query"),
        long.encode([" ".join(words[:62])], kind="query"),
    )


def test_edges(tiny_model: Path):
    embedder = opened(tiny_model)
    assert embedder.dim == 48
    assert embedder.encode([], kind="query").shape == (0, 48)
    assert np.isfinite(embedder.encode(["", "é 漢字", "\x00"], kind="query")).all()


def test_threads_are_left_as_they_were(tiny_model: Path):
    torch.set_num_threads(2)
    embedder = opened(tiny_model)
    assert embedder.workers == 2
    embedder.encode(["w1", "w2 w3"], kind="query")
    assert torch.get_num_threads() == 2


def test_identity(tiny_model: Path, tmp_path: Path):
    one = opened(tiny_model)
    parts = json.loads(one.id)
    assert (parts["sha256"], parts["dtype"], parts["max_tokens"]) == ("0" * 64, "float32", 64)
    assert one.id == opened(tiny_model, batch_size=3).id
    for change in ({"dtype": "bfloat16"}, {"query_prefix": "q"}, {"max_tokens": 8}):
        assert opened(tiny_model, **change).id != one.id
    assert str(tiny_model) not in one.id


def test_a_missing_model(tmp_path: Path):
    with pytest.raises(CodeGraftError, match="weights absent"):
        opened(tmp_path / "absent")


ROOT = Path(__file__).parents[2]
MINILM = ROOT / "models" / "minilm"
CODE = [
    "def add(a, b):\n    return a + b",
    "def total(first, second):\n    return first + second",
    "class Stack:\n    def pop(self):\n        return self._items.pop()",
    "for line in stream:\n    print(line.strip())" * 40,
]


@pytest.mark.skipif(not MINILM.is_dir(), reason="runs wherever the weights stage has run")
def test_minilm():
    spec = load_params(ROOT / "params.yaml").weights.embedders["minilm"]
    embedder = make(MINILM, spec, batch_size=8)
    vectors = embedder.encode(CODE, kind="document")
    cosines = (vectors * reference(MINILM, CODE)).sum(axis=1)
    assert cosines.min() > 0.9995
    likeness = vectors @ vectors[0]
    assert likeness[1] > max(likeness[2], likeness[3])
    assert np.array_equal(embedder.encode(CODE[::-1], kind="document")[::-1], vectors)

"""A small corpus, a cheap embedder that counts its work, and a real but tiny model."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tasks.core.ids import digest
from tasks.core.tables import write_table
from tasks.embed.embedder import Kind, Vectors, unit_rows
from tasks.embed.pipeline import Places
from tasks.extract.pipeline import extract
from tasks.ingest.schema import DOCUMENTS

SHAPES = """class Circle:
    def area(self, r):
        if r < 0:
            raise ValueError("é")
        return 3.14 * r * r

    def grow(self, r):
        for step in range(3):
            r += step
        return r
"""
# Its `if` reads like the one in SHAPES once dedented.
MORE = 'def check(r):\n    if r < 0:\n        raise ValueError("é")\n    return r\n'


class Letters:
    """Counts letters; remembers what it was asked, since no text may be embedded twice."""

    dim = 26
    id = "letters"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        self.seen += texts
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    row[ord(letter) - ord("a")] += 1
            row[0] += kind == "query"
        return unit_rows(rows)


def document(path: str, content: str, *, kind: str = "code") -> dict[str, str | None]:
    answer = content.split("\n\n", 1)[1] if kind == "qa" else None
    return {
        "doc_id": digest("test", path),
        "source": "test",
        "kind": kind,
        "lang": "python",
        "path": path,
        "licence": "MIT",
        "content": content,
        "answer": answer,
    }


def build(folder: Path, files: Sequence[dict[str, str | None]]) -> Places:
    """Documents and their graph in `folder`, as the earlier stages write them."""
    places = Places(
        documents=folder / "documents.arrow",
        nodes=folder / "nodes.arrow",
        rows=folder / "rows.arrow",
        vectors=folder / "vectors.arrow",
    )
    write_table(places.documents, DOCUMENTS, files)
    extract(places.documents, nodes=places.nodes, edges=folder / "edges.arrow", processes=1)
    return places


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "store"))
    return build(tmp_path, [document("more.py", MORE), document("shapes.py", SHAPES)])


WORDS = [f"w{i}" for i in range(200)]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers folder: BERT of two layers with random weights, 64 tokens at most."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    folder = tmp_path_factory.mktemp("model")
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    (folder / "vocab.txt").write_text("\n".join(special + WORDS))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(special) + len(WORDS),
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=64,
        initializer_range=0.3,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder / "bert")
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder / "bert")
    transformer = Transformer(str(folder / "bert"), max_seq_length=64)
    pooling = Pooling(48, pooling_mode="mean")
    model = SentenceTransformer(modules=[transformer, pooling, Normalize()], device="cpu")
    model.save(str(folder / "tiny"))
    return folder / "tiny"


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    """Texts of 1 to 90 words, several of each length."""
    source = random.Random(0)
    lengths = [1, 2, 3, 5, 5, 5, 8, 8, 13, 13, 20, 20, 20, 40, 61, 62, 63, 90, 90]
    return [" ".join(source.choices(WORDS, k=length)) for length in lengths * 4]

"""What several tests of embedding share."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tasks.embed.pipeline import Places
from tests.embed.corpus import MORE, SHAPES, build, document


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

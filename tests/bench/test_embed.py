"""The embedding benchmark on few texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.bench.embed import run
from tasks.core.errors import CodeGraftError

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    not (ROOT / "models" / "minilm").is_dir(), reason="runs wherever the weights stage has run"
)
def test_figures_of_few_texts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    found = run(texts=20, reference_texts=10, repeats=1)
    assert found["texts"] == 20
    assert found["cosine_min"] > 0.999
    assert found["texts_per_s"] > 0
    assert found["reference_texts_per_s"] > 0


def test_without_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "params.yaml").write_bytes((ROOT / "params.yaml").read_bytes())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CodeGraftError, match="the embedding model is missing"):
        run(texts=1)

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.params import Embed
from tasks.core.store import Store
from tasks.core.tables import read_table, write_table
from tasks.embed.cached import CachedEmbedder
from tasks.embed.database import Held
from tasks.embed.pipeline import Places, embed
from tasks.embed.schema import vectors_schema
from tasks.embed.texts import occurrences, read_texts
from tasks.extract.schema import NODES
from tests.embed.corpus import Letters

OPTIONS = Embed(model="letters", node_types=["Impl", "Block"], chunk_chars=60)


def run(places: Places, letters: Letters, options: Embed = OPTIONS):
    with Store("embeddings") as store:
        return embed(places, options, CachedEmbedder(letters, store))


def test_every_distinct_text_has_its_vector(corpus: Places):
    letters = Letters()
    summary, fresh = run(corpus, letters)
    table = read_table(corpus.vectors, vectors_schema(26))
    assert table.schema.metadata == {b"embedder": b"letters"}
    ids = table["content_id"].to_pylist()
    assert ids == sorted(set(ids))
    places = occurrences(corpus.nodes, corpus.rows, node_types=["Impl", "Block"])
    texts = dict(read_texts(corpus.documents, places))
    assert set(texts) == set(ids)
    expected = Letters().encode([texts[i] for i in ids], kind="document")
    assert np.array_equal(Held.of(table).vectors, expected)
    assert summary == {"rows": 7, "vectors": len(ids), "dim": 26, "embedder": "letters"}
    assert len(letters.seen) == fresh == len(ids)


def test_rows_are_cut_but_not_embedded_without_the_parameter(corpus: Places):
    summary, fresh = run(corpus, Letters(), OPTIONS.model_copy(update={"rows": False}))
    assert (summary["rows"], summary["vectors"], fresh) == (7, 5, 5)


def test_same_bytes_whatever_was_stored_before(corpus: Places):
    letters = Letters()
    run(corpus, letters)
    once = (corpus.rows.read_bytes(), corpus.vectors.read_bytes())
    assert run(corpus, letters)[1] == 0
    assert (corpus.rows.read_bytes(), corpus.vectors.read_bytes()) == once
    assert len(letters.seen) == len(set(letters.seen))


def test_nothing_to_embed(corpus: Places):
    write_table(corpus.nodes, NODES, [])
    with pytest.raises(CodeGraftError, match="nothing to embed: no Impl, Block"):
        run(corpus, Letters(), OPTIONS.model_copy(update={"rows": False}))
    assert not corpus.vectors.exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from tasks.core.store import Store
from tasks.embed import cached, pipeline
from tests.embed.corpus import Letters
from tests.embed.test_pipeline import OPTIONS

class Killed(Letters):
    def encode(self, texts, *, kind):
        if len(self.seen) >= 6:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode(texts, kind=kind)

cached.COMMIT = 2
folder = Path(sys.argv[1])
names = ("documents", "nodes", "rows", "vectors")
places = pipeline.Places(**{name: folder / f"{name}.arrow" for name in names})
pipeline.embed(places, OPTIONS, cached.CachedEmbedder(Killed(), Store("embeddings")))
"""


def test_kill_loses_nothing_that_was_finished(corpus: Places):
    folder = corpus.documents.parent
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder)], capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert not corpus.vectors.exists()
    letters = Letters()
    summary, fresh = run(corpus, letters)
    assert len(letters.seen) == fresh == summary["vectors"] - 6
    resumed = corpus.vectors.read_bytes()
    with Store("embeddings", root=folder / "elsewhere") as store:
        embed(corpus, OPTIONS, CachedEmbedder(Letters(), store))
    assert corpus.vectors.read_bytes() == resumed


STAGE = Path(__file__).parents[2]


def test_the_stage_names_what_is_missing(tmp_path: Path):
    (tmp_path / "params.yaml").write_bytes((STAGE / "params.yaml").read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "tasks.embed"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(STAGE), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "the embedding model is missing" in done.stderr
    assert "python -m tasks.weights minilm" in done.stderr

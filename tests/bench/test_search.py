"""The search benchmark on few vectors."""

from __future__ import annotations

from tasks.bench.search import run


def test_figures_of_few_vectors():
    found = run(vectors=5000, queries=7, dim=32, k=4, repeats=1)
    assert (found["vectors"], found["queries"], found["k"]) == (5000, 7, 4)
    assert found["same_hits"] == 1.0
    assert found["seconds"] > 0
    assert found["numpy_seconds"] >= 0

"""How fast the index searches exactly, beside the plain product in numpy."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tasks.core.ids import digest
from tasks.embed.database import Held
from tasks.embed.embedder import Vectors
from tasks.embed.index import VectorIndex

T = TypeVar("T")


def run(
    *, vectors: int = 425_000, queries: int = 164, dim: int = 384, k: int = 10, repeats: int = 3
) -> dict[str, Any]:
    """Search for the `k` nearest of random unit vectors; best of `repeats`, taken in turn.

    The default is the paper's graph (425,058 nodes) and HumanEval's problems. The reference takes
    all ids as allowed, orders ties as they come, and keeps the whole product in memory.
    """
    source = np.random.default_rng(0)
    held = Held(_ids(vectors), _units(source, vectors, dim))
    asked = _units(source, queries, dim)
    allowed = [i.decode() for i in held.ids.tolist()]
    index = VectorIndex(held=held, root=Path(), mode="exact", embedder="")
    ours, theirs = [], []
    for _ in range(repeats):
        seconds, found = _timed(lambda: index.search(asked, allowed=allowed, k=k))
        ours.append(seconds)
        seconds, expected = _timed(lambda: _plain(held, asked, k))
        theirs.append(seconds)
    hits = [{c for c, _ in query} for query in found]
    same = sum(len(one & other) for one, other in zip(hits, expected, strict=True))
    return {
        "vectors": vectors,
        "queries": queries,
        "k": k,
        "seconds": round(min(ours), 3),
        "numpy_seconds": round(min(theirs), 3),
        "same_hits": round(same / (queries * k), 6),
    }


def _ids(count: int) -> np.ndarray[Any, np.dtype[np.bytes_]]:
    return np.array(sorted(digest(number).encode() for number in range(count)), np.bytes_)


def _units(source: np.random.Generator, count: int, dim: int) -> Vectors:
    rows = source.standard_normal((count, dim), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def _plain(held: Held, queries: Vectors, k: int) -> list[set[str]]:
    scores = queries @ held.vectors.T
    best = np.argpartition(scores, -k, axis=1)[:, -k:]
    return [{i.decode() for i in held.ids[row].tolist()} for row in best]


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=int, default=425_000)
    parser.add_argument("--queries", type=int, default=164)
    options = parser.parse_args()
    print(json.dumps(run(vectors=options.vectors, queries=options.queries), indent=2))


if __name__ == "__main__":
    main()

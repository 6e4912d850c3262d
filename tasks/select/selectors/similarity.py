"""The PKG reranker: the surviving candidate most similar to the query (eq. 11; SPEC 1.4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tasks.core.strict import Strict
from tasks.select.pool import Candidate, Choice, Encoder, Kind, Pool

Vector = npt.NDArray[np.float64]
DECIMALS = 6  # finer differences are the arithmetic's, which varies between processors


class Options(Strict):
    """No options: the embedder is that of the index, `embed.model`."""


def select(pool: Pool, options: Options) -> dict[str, Choice]:
    """Rank by cosine of query and code; the score is that cosine.

    Ranked are the candidates that parse, have no undefined name and load; if a problem has none,
    those that parse; failing that, all. Equal scores fall to the earlier candidate of the pool:
    the condition listed first under `solvers`, then the lower sample. Scores are rounded to 6
    decimals before they are compared.
    """
    ranked = {task: rankable(found) for task, found in pool.candidates.items()}
    encoder = pool.encoder()
    queries = _encode(encoder, [pool.queries[task] for task in ranked], kind="query")
    codes = _encode(encoder, [c.code for found in ranked.values() for c in found], kind="document")
    chosen = {}
    for task, found in ranked.items():
        query = queries[pool.queries[task]]
        scored = [(round(float(query @ codes[c.code]), DECIMALS), c) for c in found]
        score, best = max(scored, key=lambda pair: pair[0])  # max keeps the first of equals
        chosen[task] = Choice(condition=best.condition, sample=best.sample, score=score)
    return chosen


def rankable(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that the filter leaves to be ranked, in the pool's order."""
    survivors = [c for c in candidates if c.survives]
    parsing = [c for c in candidates if c.parses]
    return survivors or parsing or list(candidates)


def _encode(encoder: Encoder, texts: Sequence[str], *, kind: Kind) -> dict[str, Vector]:
    """Each distinct text's unit vector; equal candidates share one and so score alike."""
    distinct = sorted(set(texts))
    vectors = encoder.encode(distinct, kind=kind).astype(np.float64)
    return dict(zip(distinct, vectors, strict=True))

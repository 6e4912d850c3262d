"""Read a pool from the stages' outs, and open the embedder that selectors rank with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from tasks.core.params import Params
from tasks.core.tables import read_frame
from tasks.execute.schema import EXECUTIONS
from tasks.generate.schema import CANDIDATES
from tasks.problems.schema import PROBLEMS
from tasks.select.pool import Encoder, Pool, build_pool


def load_pool(
    benchmark: str,
    model: str,
    *,
    solvers: Sequence[str],
    data: Path,
    encoder: Callable[[], Encoder],
) -> Pool:
    """The pool of the enabled solvers' candidates; other conditions' folders are not opened.

    Raises CodeGraftError if a table is missing or the tables do not belong together.
    """
    cells = [data / "generate" / benchmark / model / solver for solver in solvers]
    return build_pool(
        read_frame(data / "problems" / benchmark / "problems.arrow", PROBLEMS),
        pl.concat([read_frame(cell / "candidates.arrow", CANDIDATES) for cell in cells]),
        read_frame(data / "execute" / benchmark / model / "executions.arrow", EXECUTIONS),
        benchmark=benchmark,
        model=model,
        solvers=solvers,
        encoder=encoder,
    )


def open_encoder(params: Params) -> Encoder:
    """The index's embedder behind the store of vectors, so that a text is embedded once."""
    from tasks.embed.opening import open_embedder  # starts torch: only when a selector ranks

    return open_embedder(params)

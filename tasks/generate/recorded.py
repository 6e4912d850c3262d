"""Recorded generations: what a model said, by the key of what it was asked.

Tokens are not a function of the prompt alone (batch composition and hardware flip near-ties), so
a generation is data. Two keys name it. The *replay key* is what was asked: weights, rendered
prompt, decoding, sample. The *store key* adds what answered: backend, dtype, device, versions.
The repository carries records of its published runs by replay key, without any retrieved text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from tasks.core.files import atomic_path
from tasks.core.ids import digest_json
from tasks.core.store import Store
from tasks.generate.backend import Completion, Decoding, Generator, Request

RECORDS = Path("data/recorded")


@dataclass(frozen=True)
class Keys:
    """The two keys of a generation."""

    replay: str
    store: str


def keys_of(
    request: Request, *, sample: int, weights: str, decoding: Decoding, generator: Generator
) -> Keys:
    """Keys of a request; greedy rows do not depend on the seed."""
    asked = {
        "weights": weights,
        "messages": request.messages,
        "prefill": request.prefill,
        "stop": request.stop,
        "decoding": asdict(decoding) | ({} if decoding.temperature else {"seed": 0, "top_p": 1.0}),
        "sample": sample,
    }
    replay = digest_json(asked)
    return Keys(replay, digest_json([replay, generator.identity]))


def record_path(benchmark: str, model: str) -> Path:
    """Where a benchmark's and model's record lies."""
    return RECORDS / benchmark / f"{model}.parquet"


def read_record(path: Path) -> dict[str, Completion]:
    """Recorded completions by replay key; empty when there is no record."""
    if not path.is_file():
        return {}
    fields = list(Completion.__dataclass_fields__)
    frame = pl.read_parquet(path)
    return {row["key"]: Completion(**{k: row[k] for k in fields}) for row in frame.to_dicts()}


def write_record(path: Path, entries: Mapping[str, tuple[str, Completion]], made_by: str) -> None:
    """Write a record: replay key -> (task_id, completion), sorted, compressed, atomically.

    `made_by` (JSON of a generator's identity) is kept from the old record where an entry is
    unchanged: replaying on another machine does not make that machine the author.
    """
    authors = _authors(path)
    rows = [
        {
            "key": key,
            "task_id": task_id,
            **asdict(completion),
            "made_by": authors.get((key, completion.text), made_by),
        }
        for key, (task_id, completion) in sorted(entries.items())
    ]
    with atomic_path(path) as temporary:
        pl.DataFrame(rows, infer_schema_length=None).write_parquet(
            temporary, compression="zstd", compression_level=19, statistics=False
        )


def _authors(path: Path) -> dict[tuple[str, str], str]:
    if not path.is_file():
        return {}
    frame = pl.read_parquet(path, columns=["key", "text", "made_by"])
    return {(key, text): author for key, text, author in frame.iter_rows()}


class GenerationStore:
    """Finished generations of this machine by store key."""

    def __init__(self) -> None:
        self._store = Store("generations")

    def get(self, keys: list[str]) -> dict[str, Completion]:
        """Those completions that are present."""
        return {
            key: Completion(**json.loads(value)) for key, value in self._store.get(keys).items()
        }

    def put(self, key: str, completion: Completion) -> None:
        """Keep one completion; it is durable when this returns."""
        self._store.put({key: json.dumps(asdict(completion)).encode()})

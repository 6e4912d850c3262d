"""Arrow tables between stages: explicit schemas, atomic files, joins by key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pyarrow as pa

from tasks.core.errors import CodeGraftError
from tasks.core.files import atomic_path

Cardinality = Literal["1:1", "m:1", "1:m"]


def field(name: str, kind: pa.DataType, description: str, *, nullable: bool = False) -> pa.Field:
    """A schema field with its description in the metadata."""
    return pa.field(name, kind, nullable=nullable, metadata={"description": description})


def write_table(
    path: Path,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch] | pa.Table | pl.DataFrame | Sequence[Mapping[str, Any]],
    *,
    metadata: Mapping[str, str] | None = None,
) -> int:
    """Write an Arrow IPC file atomically; return the number of rows.

    Accepts record batches (streamed), a table, a polars frame, or a list of row mappings. Columns
    are taken by name and cast to `schema`; a missing column is an error.
    """
    if metadata:
        schema = schema.with_metadata({**(schema.metadata or {}), **metadata})
    rows = 0
    with (
        atomic_path(path) as temporary,
        pa.OSFile(str(temporary), "wb") as sink,
        pa.ipc.new_file(sink, schema) as writer,
    ):
        for batch in _as_batches(batches, schema):
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def _as_batches(source: Any, schema: pa.Schema) -> Iterable[pa.RecordBatch]:
    if isinstance(source, pl.DataFrame):
        source = source.to_arrow()
    if isinstance(source, pa.Table):
        yield from source.select(schema.names).cast(schema).to_batches(max_chunksize=65536)
        return
    if isinstance(source, Sequence) and (not source or isinstance(source[0], Mapping)):
        if source:
            yield pa.RecordBatch.from_pylist(list(source), schema=schema)
        return
    for batch in source:
        yield pa.RecordBatch.from_arrays([batch.column(n) for n in schema.names], schema=schema)


def read_table(path: Path, schema: pa.Schema) -> pa.Table:
    """Memory-map an Arrow IPC file written with `schema`.

    Raises CodeGraftError if the file is absent, unreadable or of another schema.
    """
    try:
        with pa.memory_map(str(path)) as source:
            table = pa.ipc.open_file(source).read_all()
    except FileNotFoundError:
        raise CodeGraftError(
            "an input table is missing", where=str(path), remedy="run `dvc repro`"
        ) from None
    except (pa.ArrowInvalid, OSError) as error:
        raise CodeGraftError(
            f"not a readable Arrow file: {error}",
            where=str(path),
            remedy="delete it and run `dvc repro`",
        ) from error
    if not table.schema.equals(schema, check_metadata=False):
        raise CodeGraftError(
            f"unexpected columns: {table.schema.names}; expected {schema.names}",
            where=str(path),
            remedy="it was written by another version; delete it and run `dvc repro`",
        )
    return table


def read_frame(path: Path, schema: pa.Schema) -> pl.DataFrame:
    """`read_table` as a polars frame."""
    frame = pl.from_arrow(read_table(path, schema))
    assert isinstance(frame, pl.DataFrame)
    return frame


def require_unique(frame: pl.DataFrame, on: Sequence[str], *, where: str) -> None:
    """Raise CodeGraftError if a key occurs twice."""
    doubled = frame.group_by(list(on)).len().filter(pl.col("len") > 1).sort(list(on))
    if doubled.height:
        example = doubled.drop("len").row(0)
        raise CodeGraftError(
            f"{doubled.height} keys {list(on)} occur more than once, e.g. {example}",
            where=where,
            remedy="keys must be unique; remove the doubled rows from the source",
        )


def join(
    left: pl.DataFrame,
    right: pl.DataFrame,
    *,
    on: Sequence[str],
    cardinality: Cardinality,
    where: str,
) -> pl.DataFrame:
    """Inner join by key that loses and doubles nothing, in the left's order.

    "m:1": every left row finds exactly one right row. "1:m": keys are unique on the left and every
    right row finds its left row. "1:1": both. A row without partner or a doubled key raises
    CodeGraftError (SPEC 1.4: joins by position once gave 489 of 500 prompts a foreign context).
    """
    keys = list(on)
    if cardinality != "m:1":
        require_unique(left, keys, where=f"{where} (left)")
    if cardinality != "1:m":
        require_unique(right, keys, where=f"{where} (right)")
    lost_left = left.join(right, on=keys, how="anti") if cardinality != "1:m" else left.clear()
    lost_right = right.join(left, on=keys, how="anti") if cardinality != "m:1" else right.clear()
    for side, lost in (("left", lost_left), ("right", lost_right)):
        if lost.height:
            raise CodeGraftError(
                f"{lost.height} rows of the {side} table find no partner, "
                f"e.g. {lost.select(keys).row(0)}",
                where=where,
                remedy="the tables come from different runs; run `dvc repro`",
            )
    return left.join(right, on=keys, how="inner", maintain_order="left")

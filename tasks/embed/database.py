"""LanceDB databases of vectors, each in a folder named by the digest of what it holds.

A Lance folder is never the same bytes twice, so it is no output of a stage but an index that can
be made again at any time from the vectors table.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tasks.core.files import read_json, write_json
from tasks.core.ids import sha256_file
from tasks.embed.approximate import add_index
from tasks.embed.embedder import Vectors
from tasks.embed.schema import vectors_schema

TABLE = "vectors"
SEAL = "indices.json"
WRITE = 16384


@dataclass(frozen=True, eq=False)
class Held:
    """Vectors with their ids: `ids` ascending, bytes [n]; `vectors` float32 [n, dim]."""

    ids: NDArray[np.bytes_]
    vectors: Vectors

    @classmethod
    def of(cls, table: pa.Table) -> Held:
        """The columns content_id and vector of an Arrow table."""
        dim = table.schema.field("vector").type.list_size
        parts = [chunk.flatten().to_numpy() for chunk in table["vector"].chunks]
        flat = np.concatenate(parts) if len(parts) != 1 else parts[0]
        ids = np.array([i.encode() for i in table["content_id"].to_pylist()], np.bytes_)
        return cls(ids, flat.reshape(-1, dim))

    def digest(self) -> str:
        """BLAKE2b-128 of ids and vectors."""
        state = hashlib.blake2b(f"{self.vectors.shape} {self.ids.dtype}".encode(), digest_size=16)
        state.update(np.ascontiguousarray(self.ids).data)
        state.update(np.ascontiguousarray(self.vectors).data)
        return state.hexdigest()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The same as Arrow record batches."""
        dim = self.vectors.shape[1]
        for start in range(0, len(self.ids), WRITE):
            part = slice(start, start + WRITE)
            flat = pa.array(np.ascontiguousarray(self.vectors[part]).reshape(-1), pa.float32())
            ids = pa.array([i.decode() for i in self.ids[part].tolist()], pa.string())
            arrays = [ids, pa.FixedSizeListArray.from_arrays(flat, dim)]
            yield pa.RecordBatch.from_arrays(arrays, schema=vectors_schema(dim))


def open_table(held: Held, *, root: Path, indexed: bool) -> tuple[Any, Held]:
    """The LanceDB table that holds `held`, and what was read back from it.

    It is reused if it holds exactly that, else made (again). `indexed` adds an index for
    approximate search. Folders of several processes do not disturb each other.
    """
    digest = held.digest()
    folder = root / f"{digest}-ann" if indexed else root / digest
    opened = _verified(folder, digest)
    if opened is None:
        _build(folder, held, digest, indexed=indexed)
        opened = _verified(folder, digest)
    if opened is None:
        raise RuntimeError(f"LanceDB does not give back what was written to {folder}")
    return opened


def _verified(folder: Path, digest: str) -> tuple[Any, Held] | None:
    """The table of a folder, or None if it does not hold what its name says."""
    if not folder.is_dir():
        return None
    import lancedb

    try:
        if read_json(folder / SEAL) != _index_files(folder):
            return None
        table = lancedb.connect(folder).open_table(TABLE)
        held = Held.of(table.to_arrow())
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a broken file may end in a Rust panic, which is no Exception
        return None
    return (table, held) if held.digest() == digest else None


def _build(folder: Path, held: Held, digest: str, *, indexed: bool) -> None:
    import lancedb

    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.parent.mkdir(parents=True, exist_ok=True)
    try:
        schema = vectors_schema(held.vectors.shape[1])
        table = lancedb.connect(partial).create_table(TABLE, data=held.batches(), schema=schema)
        if indexed:
            add_index(table)
        write_json(partial / SEAL, _index_files(partial))
        _replace(folder, partial, digest)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _replace(folder: Path, partial: Path, digest: str) -> None:
    """Make `partial` the folder, unless another process has just made the same."""
    try:
        os.rename(partial, folder)
    except OSError:
        if _verified(folder, digest) is None:
            broken = partial.with_suffix(".broken")
            os.rename(folder, broken)
            os.rename(partial, folder)
            shutil.rmtree(broken)


def _index_files(folder: Path) -> dict[str, str]:
    """SHA-256 of the files of a table's indices, which reading the table does not touch."""
    files = sorted(p for p in folder.glob("*.lance/_indices/**/*") if p.is_file())
    return {p.relative_to(folder).as_posix(): sha256_file(p) for p in files}

"""The store: finished pieces of work by content key, outside the DVC outs.

DVC deletes a stage's outs before it runs it, so what a stopped stage had finished must live
elsewhere. A store is one SQLite file; several processes may read and write it at once.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from tasks.core.errors import CodeGraftError


def store_root() -> Path:
    """Folder of the stores: $CODEGRAFT_STORE, else `data/store` of the project."""
    return Path(os.environ.get("CODEGRAFT_STORE", "data/store"))


class Store:
    """A durable map from hex keys to bytes.

    `put` commits before it returns: what was put survives kill -9.
    """

    def __init__(self, name: str, *, root: Path | None = None) -> None:
        folder = root or store_root()
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.sqlite"
        try:
            self._db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS item (key TEXT PRIMARY KEY, value BLOB NOT NULL)"
                " WITHOUT ROWID"
            )
        except sqlite3.DatabaseError as error:
            raise CodeGraftError(
                f"the store cannot be opened: {error}",
                where=str(self.path),
                remedy="it is a cache: delete the file and run again",
            ) from error

    def get(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The values of those keys that are present."""
        found: dict[str, bytes] = {}
        wanted = list(dict.fromkeys(keys))
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            marks = ",".join("?" * len(part))
            found.update(
                self._db.execute(f"SELECT key, value FROM item WHERE key IN ({marks})", part)
            )
        return found

    def put(self, items: Mapping[str, bytes]) -> None:
        """Add or replace items in one transaction.

        Raises CodeGraftError when the disk is full; nothing of the batch is then kept.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO item VALUES (?, ?)", items.items())
            self._db.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise CodeGraftError(
                f"the store cannot be written: {error}",
                where=str(self.path),
                remedy="make space or repair permissions and run again; finished work is kept",
            ) from error

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM item").fetchone()[0])

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

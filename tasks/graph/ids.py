"""From ids to row numbers without a Python object per id."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tasks.core.errors import CodeGraftError

Rows = npt.NDArray[np.int64]
_WIDTH = 32


def id_array(column: pa.ChunkedArray, *, where: str) -> npt.NDArray[np.bytes_]:
    """A column of 32-digit ids as numpy bytes [n].

    Raises CodeGraftError if a value has another length.
    """
    parts = []
    for chunk in column.chunks:
        size = len(chunk)
        if not size:
            continue
        first = chunk.offset
        offsets = np.frombuffer(chunk.buffers()[1], np.int32)[first : first + size + 1]
        if not (np.diff(offsets) == _WIDTH).all():
            raise CodeGraftError(
                f"ids are not {_WIDTH} hex digits", where=where, remedy="run `dvc repro`"
            )
        data = np.frombuffer(chunk.buffers()[2], np.uint8)[offsets[0] : offsets[-1]]
        parts.append(data.view(f"S{_WIDTH}"))
    return np.concatenate(parts) if parts else np.empty(0, f"S{_WIDTH}")


class IdIndex:
    """Row numbers of unique ids by binary search; 40 bytes an id."""

    def __init__(self, ids: npt.NDArray[np.bytes_], *, where: str) -> None:
        self._order = np.argsort(ids, kind="stable")
        self._sorted = ids[self._order]
        self._where = where
        if (self._sorted[1:] == self._sorted[:-1]).any():
            raise CodeGraftError("an id occurs twice", where=where, remedy="run `dvc repro`")

    def rows(self, ids: Sequence[str] | npt.NDArray[np.bytes_]) -> Rows:
        """Rows [n] of the ids [n]. Raises CodeGraftError naming the first unknown id."""
        wanted = np.asarray(ids, dtype=f"S{_WIDTH}")
        if not len(wanted):
            return np.empty(0, np.int64)
        places = np.searchsorted(self._sorted, wanted)
        places[places == len(self._sorted)] = 0
        known = self._sorted[places] == wanted if len(self._sorted) else np.zeros(len(wanted), bool)
        if not known.all():
            missing = wanted[int(np.argmin(known))].decode()
            raise CodeGraftError(
                f"unknown id {missing!r}",
                where=self._where,
                remedy="use an id of this table; tables of different runs do not fit together",
            )
        found: Rows = self._order[places].astype(np.int64)
        return found

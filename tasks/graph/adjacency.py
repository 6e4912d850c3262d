"""Edges as compressed sparse rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tasks.graph.ids import Rows


@dataclass(frozen=True)
class Adjacency:
    """`targets[starts[r]:starts[r + 1]]` are the neighbours of row r, ascending."""

    starts: Rows
    targets: Rows

    @staticmethod
    def of(sources: Rows, targets: Rows, *, size: int) -> Adjacency:
        """Adjacency of the edges sources[i] → targets[i] over rows 0..size-1."""
        order = np.lexsort((targets, sources))
        counts = np.bincount(sources, minlength=size)
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
        return Adjacency(starts, targets[order])

    def neighbours(self, row: int) -> Rows:
        """Neighbours of one row."""
        return self.targets[self.starts[row] : self.starts[row + 1]]

    def all_neighbours(self, rows: Rows) -> Rows:
        """Neighbours of many rows, one after the other, with repetitions."""
        counts = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(counts)
        within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)
        found: Rows = self.targets[np.repeat(self.starts[rows], counts) + within]
        return found

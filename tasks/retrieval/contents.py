"""Which texts may be retrieved: distinct contents of one kind with an allowed occurrence."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import polars as pl


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a content stands: bytes [start, end) of a document's UTF-8.

    `node_id` is the content id itself for a whole row, which is no node.
    """

    content_id: str
    node_id: str
    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Contents:
    """Distinct contents sorted by content_id, each with its first allowed occurrence."""

    frame: pl.DataFrame

    @cached_property
    def ids(self) -> list[str]:
        """Content ids, ascending."""
        return self.frame["content_id"].to_list()

    @cached_property
    def _row(self) -> dict[str, int]:
        return {content_id: row for row, content_id in enumerate(self.ids)}

    def at(self, position: int) -> Occurrence:
        """The occurrence of the content at a position of `ids`."""
        return Occurrence(*self.frame.row(position))

    def of(self, content_id: str) -> Occurrence:
        """The occurrence of a content; KeyError if it may not be retrieved."""
        return self.at(self._row[content_id])

    def __len__(self) -> int:
        return self.frame.height


def allowed_contents(occurrences: pl.DataFrame, denied: Collection[str]) -> Contents:
    """Contents that occur in at least one document that is not denied.

    `occurrences` has the columns content_id, node_id, doc_id, start_byte, end_byte in the corpus'
    order. A content is shared by all texts that read alike, so it falls only with its last
    allowed occurrence; the first of those stands for it.
    """
    frame = (
        occurrences.filter(~pl.col("doc_id").is_in(sorted(denied)))
        .unique("content_id", keep="first", maintain_order=True)
        .sort("content_id")
        .select("content_id", "node_id", "doc_id", "start_byte", "end_byte")
    )
    return Contents(frame)

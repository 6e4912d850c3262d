"""What goes into a retrieval condition and what comes out: rows of `problems` and `contexts`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Problem:
    """What a solver may see of a problem; `prompt` is the retrieval query (SPEC 1.3)."""

    task_id: str
    lang: str
    prompt: str
    entry_point: str
    signature: str
    examples: str


@dataclass(frozen=True)
class Context:
    """A retrieved text for one problem; fields are the columns of the `contexts` table.

    `text` is what the model is shown; `full` is the text before pruning and budget; `pruned` is a
    JSON list of the [start, end) character spans of `full` that pruning removed; `cut_tokens`
    counts what the budget removed at this rank, and in the last context of a problem also the
    tokens of further hits that found no room.
    """

    task_id: str
    condition: str
    rank: int
    node_id: str
    doc_id: str
    score: float
    text: str
    tokens: int
    pruned: str
    full: str
    cut_tokens: int

    @property
    def pruned_spans(self) -> list[Span]:
        """`pruned` decoded."""
        return [(int(start), int(end)) for start, end in json.loads(self.pruned)]


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved item on its way to becoming a Context: not yet cut to the budget.

    `node_id` is the node's id, or the content id of a whole row.
    """

    node_id: str
    doc_id: str
    score: float
    text: str
    full: str
    spans: tuple[Span, ...] = ()


def encode_spans(spans: Iterable[Span]) -> str:
    """Character spans as the JSON of the `pruned` column, in text order."""
    return json.dumps([list(span) for span in sorted(spans)], separators=(",", ":"))

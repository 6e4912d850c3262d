"""One document against the benchmark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tasks.audit.layout import Layout, function_source, layout
from tasks.audit.lexer import Tokens, tokens
from tasks.audit.normal import normal_digest
from tasks.audit.targets import Targets, What
from tasks.extract.regions import code_regions


@dataclass(frozen=True, order=True)
class Match:
    """A near-copy: `how` tells shared windows from equal normal forms."""

    task_id: str
    what: What
    how: Literal["ngram", "ast"]
    score: float


def matches(
    content: str, *, kind: str, lang: str, answer: str | None, wanted: Targets, overlap: float
) -> list[Match]:
    """All near-copies that a document holds, best score for each (problem, what, how), sorted.

    ngram: share >= `overlap` of the shorter side's windows. The document's side is the whole and
    each of its functions alone. Prompts are compared with the text as it is, references with that
    and with the code without docstrings and comments, which copiers add and drop.
    ast: a function, nested ones and methods included, has a reference's normal form. This alone
    finds copies of references that are shorter than a window.
    """
    source = content.encode()
    regions = (
        code_regions(kind, source, answer.encode() if answer is not None else None)
        if lang == "python"
        else []
    )
    shape = layout(source, regions)
    best: dict[tuple[str, What], float] = {}
    for (task, what), score in _shared(tokens(source), regions, shape, wanted):
        best[task, what] = max(score, best.get((task, what), 0.0))
    found = [
        Match(task, what, "ngram", score)
        for (task, what), score in best.items()
        if score >= overlap
    ]
    return sorted([*found, *_equal_functions(source, shape, wanted)])


def _shared(
    full: Tokens, regions: list[tuple[int, int]], shape: Layout, wanted: Targets
) -> Iterable[tuple[tuple[str, What], float]]:
    """Overlaps of the text as it is with all targets, and of its bare code with references."""
    for text, score in _overlaps(full, shape, wanted).items():
        yield wanted.owners[text], score
    if shape.prose:
        ends = [0, *(end for _, end in regions)]
        starts = [*(start for start, _ in regions), 1 << 62]
        code = full.without([*shape.prose, *zip(ends, starts, strict=True)])
        for text, score in _overlaps(code, shape, wanted).items():
            if wanted.owners[text][1] == "reference":
                yield wanted.owners[text], score


def _overlaps(view: Tokens, shape: Layout, wanted: Targets) -> dict[int, float]:
    units = [(0, len(view.words)), *(view.within(*span) for span in shape.functions)]
    return wanted.index.overlaps(wanted.index.hashes(view.words), units)


def _equal_functions(source: bytes, shape: Layout, wanted: Targets) -> list[Match]:
    forms = {normal_digest(function_source(source, span)) for span in shape.functions}
    tasks = {task for form in forms if form for task in wanted.functions.get(form, ())}
    return [Match(task, "reference", "ast", 1.0) for task in tasks]

"""One document against the benchmark."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal

from tasks.audit.layout import Layout, function_source, layout
from tasks.audit.lexer import Tokens, tokens
from tasks.audit.normal import normal_digest
from tasks.audit.targets import REFERENCE, Targets, What
from tasks.extract.regions import code_regions


@dataclass(frozen=True, order=True)
class Match:
    """A near-copy: `how` tells shared windows from equal normal forms."""

    task_id: str
    what: What
    how: Literal["ngram", "ast"]
    score: float


# A function equal to a reference in normal form has about as many tokens as it; annotations and
# decorators add some. Longer ones need not be parsed, which bounds the time for hostile nesting.
_LONGER = 4


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
    full = tokens(source)
    code = full.without([*shape.prose, *_between(regions)])
    best: dict[tuple[str, What], float] = {}
    for view in (full, code):
        parts = [view.within(*span) for span in shape.functions]
        found = wanted.index.overlaps(wanted.index.hashes(view.words), parts, least=overlap)
        for text, score in found.items():
            owner = wanted.owners[text]
            if view is full or owner[1] == REFERENCE:
                best[owner] = max(score, best.get(owner, 0.0))
    near = [Match(*owner, "ngram", score) for owner, score in best.items() if score >= overlap]
    return sorted([*near, *_equal_functions(source, shape, code, wanted)])


def _between(regions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans outside the regions."""
    starts = [0, *(end for _, end in regions)]
    ends = [*(start for start, _ in regions), sys.maxsize]
    return list(zip(starts, ends, strict=True))


def _equal_functions(source: bytes, shape: Layout, code: Tokens, wanted: Targets) -> list[Match]:
    found: set[str] = set()
    for span in shape.functions:
        first, last = code.within(*span)
        if last - first <= _LONGER * wanted.longest:
            form = normal_digest(function_source(source, span))
            found.update(wanted.functions.get(form or "", ()))
    return [Match(task, REFERENCE, "ast", 1.0) for task in found]

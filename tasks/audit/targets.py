"""The benchmark's texts that no document may be a near-copy of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

import polars as pl

from tasks.audit.layout import layout
from tasks.audit.lexer import tokens
from tasks.audit.normal import normal_digest
from tasks.audit.windows import WindowIndex
from tasks.core.tables import join

What = Literal["prompt", "reference"]
REFERENCE: What = "reference"


@dataclass(frozen=True)
class Targets:
    """What to look for.

    `owners[t]` is the problem of the index's text t and which of its texts it is. `functions` maps
    the normal form of a reference to the problems that it solves, and `longest` is the number of
    tokens of the longest of them. The last two name what cannot
    be found: problems whose text has fewer tokens than a window, and references without a function
    of the right name to normalise.
    """

    index: WindowIndex
    owners: list[tuple[str, What]]
    functions: dict[str, list[str]]
    longest: int
    short: dict[What, list[str]]
    unparsed: list[str]


def targets(problems: pl.DataFrame, answers: pl.DataFrame, *, ngram: int) -> Targets:
    """Tokens and normal forms of all prompts and references.

    A prompt counts with its docstring. A reference counts twice, without docstrings and comments:
    as a whole, and the function that is asked for alone, since a copier leaves helpers out.
    """
    rows = join(problems, answers, on=["task_id"], cardinality="1:1", where="audit")
    texts: list[list[bytes]] = []
    owners: list[tuple[str, What]] = []
    functions: dict[str, list[str]] = defaultdict(list)
    short: dict[What, list[str]] = {"prompt": [], "reference": []}
    longest, unparsed = 0, []
    for row in rows.select("task_id", "prompt", "reference", "entry_point").iter_rows(named=True):
        task, reference = row["task_id"], row["reference"]
        prompt = tokens(row["prompt"].encode()).words
        views = reference_views(reference.encode(), row["entry_point"])
        texts += (prompt, *views)
        owners += ((task, "prompt"), *((task, REFERENCE) for _ in views))
        if len(prompt) < ngram:
            short["prompt"].append(task)
        if len(views[0]) < ngram:
            short["reference"].append(task)
        longest = max(longest, len(views[-1]))
        normal = normal_digest(reference, row["entry_point"])
        if normal:
            functions[normal].append(task)
        else:
            unparsed.append(task)
    index = WindowIndex.of(texts, n=ngram)
    return Targets(index, owners, dict(functions), longest, short, unparsed)


def reference_views(source: bytes, entry_point: str) -> list[list[bytes]]:
    """Token lists of a reference without prose: the whole, and its last `entry_point` function."""
    shape = layout(source, [(0, len(source))])
    code = tokens(source).without(shape.prose)
    views = [code.words]
    name = entry_point.lower().encode()
    for span in reversed(shape.functions):
        i, j = code.within(*span)
        if name in code.words[i : i + 3]:  # def NAME, or async def NAME
            views.append(code.words[i:j])
            break
    return views

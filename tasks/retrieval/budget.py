"""The token budget of a problem's contexts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from tasks.retrieval.types import Context, Hit, encode_spans

CountTokens = Callable[[str], int]


def cut_to(text: str, budget: int, count_tokens: CountTokens, *, inside_line: bool) -> str:
    """A long beginning of `text` that ends at a line end and has at most `budget` tokens.

    Where not even the first line fits, it is cut inside, or, without `inside_line`, nothing is
    left. The line end itself is left out.
    """
    if count_tokens(text) <= budget:
        return text
    lines = text.split("\n")
    kept = _most(len(lines) - 1, lambda n: count_tokens("\n".join(lines[:n])) <= budget)
    if kept:
        return "\n".join(lines[:kept])
    if not inside_line:
        return ""
    return lines[0][: _most(len(lines[0]), lambda n: count_tokens(lines[0][:n]) <= budget)]


def _most(limit: int, fits: Callable[[int], bool]) -> int:
    """The largest n up to `limit` that fits, as far as longer never fits where shorter did not.

    A tokenizer may break that rule by a token; what is returned fits in any case.
    """
    return bisect_right(range(1, limit + 1), False, key=lambda n: not fits(n))


def to_contexts(
    task_id: str,
    condition: str,
    hits: Sequence[Hit],
    *,
    token_budget: int,
    count_tokens: CountTokens,
) -> list[Context]:
    """Contexts of one problem from its hits, best first; all share the token budget.

    The hit that overruns it is cut at a line end. Hits for which no whole line finds room give no
    context; their tokens are added to the last context's `cut_tokens`, so that shown and cut
    tokens account for everything that was retrieved.
    """
    shown: list[tuple[Hit, str, int, int]] = []
    room, lost = token_budget, 0
    for hit in hits:
        wanted = count_tokens(hit.text)
        text = cut_to(hit.text, room, count_tokens, inside_line=not shown)
        if not text.strip():
            lost += wanted
            continue
        tokens = count_tokens(text)
        room -= tokens
        shown.append((hit, text, tokens, wanted - tokens))
    return [
        Context(
            task_id=task_id,
            condition=condition,
            rank=rank,
            node_id=hit.node_id,
            doc_id=hit.doc_id,
            score=hit.score,
            text=text,
            tokens=tokens,
            pruned=encode_spans(hit.spans),
            full=hit.full,
            cut_tokens=cut + (lost if rank == len(shown) - 1 else 0),
        )
        for rank, (hit, text, tokens, cut) in enumerate(shown)
    ]

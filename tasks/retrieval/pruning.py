"""Choosing which branches to prune: paper eq. 7, for all hits of all problems at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tasks.retrieval.branches import Tree, Variant, payload_variant, source_variant

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]
Mode = Literal["paper", "keep"]
Serialisation = Literal["source", "payloads"]

DECIMALS = 6  # similarities that agree so far are equal: float32 means no more


@dataclass(frozen=True, slots=True)
class Prunable:
    """A retrieved node with the unit vector of its query, shape [dim]."""

    query: Vectors
    tree: Tree


@dataclass(frozen=True, slots=True)
class _State:
    removed: tuple[int, ...]
    variant: Variant
    done: bool


_Choices = list[tuple[tuple[int, ...], Variant]]


def prune(
    items: Sequence[Prunable], *, mode: Mode, depth: int, text: Serialisation, encode: Encode
) -> list[Variant]:
    """For each item the variant most similar to its query.

    A round removes one direct branch with its subtree; the variants of all items are embedded in
    one call. Mode `paper` always removes a branch in the first round, if that is possible; mode
    `keep` only if the rest is more similar than the whole. Further rounds, up to `depth`, need a
    rise in either mode. Equally similar variants: the branch that comes first in the document. A
    node without branches is left alone, and so is one of which no variant is valid.
    """
    states = [_start(item.tree, text) for item in items]
    for number in range(depth):
        choices = [
            [] if state.done else _choices(item.tree, state, text)
            for item, state in zip(items, states, strict=True)
        ]
        similarities = _similarities(items, choices, encode)
        states = [
            _choose(state, choice, scores, forced=mode == "paper" and number == 0)
            for state, choice, scores in zip(states, choices, similarities, strict=True)
        ]
        if all(state.done for state in states):
            break
    return [state.variant for state in states]


def _start(tree: Tree, text: Serialisation) -> _State:
    whole = _serialise(tree, (), text)
    assert whole is not None  # without cuts there is nothing to refuse
    return _State(removed=(), variant=whole, done=not tree.branches)


def _serialise(tree: Tree, removed: tuple[int, ...], text: Serialisation) -> Variant | None:
    return source_variant(tree, removed) if text == "source" else payload_variant(tree, removed)


def _choices(tree: Tree, state: _State, text: Serialisation) -> _Choices:
    """The state's own variant, then those with one branch fewer; nothing if there are none."""
    found: _Choices = []
    for index in range(len(tree.branches)):
        if index not in state.removed:
            removed = (*state.removed, index)
            variant = _serialise(tree, removed, text)
            if variant is not None:
                found.append((removed, variant))
    return [(state.removed, state.variant), *found] if found else []


def _similarities(
    items: Sequence[Prunable], choices: Sequence[_Choices], encode: Encode
) -> list[list[float]]:
    """Cosine of each choice with its item's query, from one encode call over distinct texts."""
    texts = list(dict.fromkeys(variant.text for choice in choices for _, variant in choice))
    if not texts:
        return [[] for _ in items]
    vectors = encode(texts)
    row = {text: i for i, text in enumerate(texts)}
    return [
        [round(float(vectors[row[variant.text]] @ item.query), DECIMALS) for _, variant in choice]
        for item, choice in zip(items, choices, strict=True)
    ]


def _choose(state: _State, choices: _Choices, scores: list[float], *, forced: bool) -> _State:
    if not choices:
        return replace(state, done=True)
    best = 1 + int(np.argmax(scores[1:]))  # the first of equals
    if not forced and scores[best] <= scores[0]:
        return replace(state, done=True)
    removed, variant = choices[best]
    return _State(removed=removed, variant=variant, done=False)

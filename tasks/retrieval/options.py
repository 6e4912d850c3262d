"""Parameters that conditions share; each condition's file names the group that it takes."""

from __future__ import annotations

from typing import Literal

from tasks.core.params import Positive, Similarity
from tasks.core.strict import Strict


class LexicalOptions(Strict):
    """BM25 over whole rows: hits per problem, and the token budget they share."""

    k: Positive = 1
    token_budget: Positive = 512


class LexicalCodeOptions(Strict):
    """BM25 over functions; `expand_calls` appends the bodies of called functions."""

    k: Positive = 1
    token_budget: Positive = 512
    expand_calls: bool = False


class DenseOptions(Strict):
    """Cosine over whole rows; hits below `min_similarity` give no context."""

    k: Positive = 1
    token_budget: Positive = 512
    min_similarity: Similarity = 0.0


class PkgOptions(Strict):
    """Cosine over graph nodes, pruned (SPEC 1.3).

    `prune`: paper (always one branch fewer), keep (or none, if that is as similar), never (not
    `off`, which YAML 1.1 reads as false and DVC as a word).
    `prune_depth`: rounds at most; after the first, one is made only if similarity rises.
    `prune_text`: source (re-sliced, valid Python) or payloads (the paper's concatenation).
    """

    k: Positive = 1
    token_budget: Positive = 512
    min_similarity: Similarity = 0.0
    prune: Literal["paper", "keep", "never"] = "keep"
    prune_depth: Positive = 1
    prune_text: Literal["source", "payloads"] = "source"
    expand_calls: bool = False

"""Any OpenAI-compatible embeddings endpoint: vLLM, llama-server, Ollama, vendors.

Nothing beyond the bare protocol is assumed. The endpoint's tokenizer being unknown, the length
limit is applied in bytes, three to a token: what code has at the least in current vocabularies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tasks.core.endpoint import PATIENT, Endpoint, Retry, public_url
from tasks.core.errors import CodeGraftError
from tasks.core.params import EmbedderWeights
from tasks.core.threads import in_threads
from tasks.embed.embedder import Kind, Vectors, identify, unit_rows

ROUTE = "/embeddings"
BYTES_PER_TOKEN = 3
# Requests under way at once.
CONCURRENCY = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class RemoteEmbedder:
    """A model behind an endpoint; nothing is contacted before the first vector is wanted."""

    url: str
    name: str
    spec: EmbedderWeights
    batch_size: int
    retry: Retry = PATIENT

    @property
    def id(self) -> str:
        """Endpoint, model's name there, prefixes and length limit."""
        return identify(
            backend="openai",
            url=public_url(self.url),
            model=self.name,
            query_prefix=self.spec.query_prefix,
            document_prefix=self.spec.document_prefix,
            max_tokens=self.spec.max_tokens,
        )

    @cached_property
    def dim(self) -> int:
        """Components of a vector, as the endpoint answers to one short text."""
        return int(self.encode(["dimension"], kind="document").shape[1])

    def encode(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """Vectors of `texts` in their order, float32 [texts, dim], each of length 1.

        Raises CodeGraftError if the endpoint fails for good or answers something else.
        """
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        query = kind == "query"
        prefix = self.spec.query_prefix if query else self.spec.document_prefix
        inputs = [self._shortened(prefix + text) for text in texts]
        found: dict[int, Vectors] = {}
        with Endpoint(
            self.url, ROUTE, api_key_env=self.spec.api_key_env, retry=self.retry
        ) as endpoint:
            for start, vectors in in_threads(
                lambda start: self._ask(endpoint, inputs[start : start + self.batch_size]),
                range(0, len(inputs), self.batch_size),
                threads=CONCURRENCY,
            ):
                found[start] = vectors
        if len(sizes := {vectors.shape[1] for vectors in found.values()}) != 1:
            raise _unusable(endpoint.where, f"vectors of different sizes {sorted(sizes)}")
        return unit_rows(np.concatenate([found[start] for start in sorted(found)]))

    def _shortened(self, text: str) -> str:
        limit = self.spec.max_tokens * BYTES_PER_TOKEN
        # An endpoint may refuse an empty text.
        return text.encode()[:limit].decode(errors="ignore") or " "

    def _ask(self, endpoint: Endpoint, inputs: list[str]) -> Vectors:
        body = {"model": self.name, "input": inputs, "encoding_format": "float"}
        reply = endpoint.post(body)
        if reply.status != 200:
            raise endpoint.refusal(reply, body)
        return _vectors(reply.body.get("data"), count=len(inputs), where=endpoint.where)


def _vectors(data: Any, *, count: int, where: str) -> Vectors:
    """The rows of an answer by their `index`, which need not be their order."""
    try:
        rows = {int(item["index"]): item["embedding"] for item in data}
        vectors = np.array([rows[position] for position in range(count)], np.float32)
    except (TypeError, KeyError, ValueError):
        raise _unusable(where, f"no {count} vectors") from None
    if vectors.ndim != 2 or not vectors.shape[1] or len(data) != count:
        raise _unusable(where, f"no {count} vectors of one size")
    if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
        raise _unusable(where, "a vector of zeros, or one that is not finite")
    return vectors


def _unusable(where: str, what: str) -> CodeGraftError:
    return CodeGraftError(
        f"the endpoint answers {what}",
        where=where,
        remedy="`name` must be an embedding model; see the server's log",
    )


def make(folder: Path, spec: EmbedderWeights, *, batch_size: int) -> RemoteEmbedder:
    """An embedder over the endpoint of `spec`, which has no files; `batch_size` texts a request.

    Raises CodeGraftError if `spec` names no endpoint.
    """
    del folder
    if not (spec.url and spec.name):
        raise CodeGraftError(
            "backend 'openai' needs an endpoint",
            where="params.yaml: weights.embedders",
            remedy="set format: remote, url and name",
        )
    return RemoteEmbedder(url=spec.url, name=spec.name, spec=spec, batch_size=batch_size)

"""The embedder that the parameters name, behind the store of its vectors."""

from __future__ import annotations

from pathlib import Path

from tasks.core.params import Params
from tasks.core.plugins import load
from tasks.core.store import Store
from tasks.embed.cached import CachedEmbedder


def open_embedder(params: Params, *, models: Path = Path("models")) -> CachedEmbedder:
    """Open `embed.model`; what was embedded once, by whichever stage, is never embedded again.

    Raises CodeGraftError if the model's folder is missing.
    """
    spec = params.weights.embedders[params.embed.model]
    make = load("tasks.embed.embedders", spec.backend, "make")
    embedder = make(models / params.embed.model, spec, batch_size=params.embed.batch_size)
    return CachedEmbedder(embedder, Store("embeddings"))

"""Any sentence-transformers folder on this machine, on CPU or CUDA.

The model's own modules run, the transformer in `dtype`, pooling and what follows in float32, but
never on padded texts: padding one changes components of its vector by about 1e-3 in bfloat16. A
vector must not depend on the texts beside it, since those that are stored already are left out:

- bfloat16 on a CPU: texts with exactly as many tokens share a batch. Measured with AVX512-BF16,
  the bits are the same for batches of 1 to 64 and for one or two threads.
- float32 on a CPU: a text at a time. Products of small matrices differ in their last bits with
  the number of rows (measured with a small model), and batches gain a tenth at most where texts
  have a hundred tokens or more.
- CUDA: a text at a time, since kernels are chosen by the shape of the whole batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tasks.core.errors import CodeGraftError
from tasks.core.hardware import auto_dtype
from tasks.core.ids import digest, sha256_file
from tasks.core.params import EmbedderWeights
from tasks.embed.buckets import buckets
from tasks.embed.cores import run_each
from tasks.embed.embedder import Kind, Vectors, identify, unit_rows

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Tokens in a batch; more gain nothing.
TOKENS = 4096


@dataclass(frozen=True, eq=False, kw_only=True)
class LocalEmbedder:
    """The model in a folder, loaded when the first vector is made; see the module."""

    folder: Path
    id: str
    dtype: str
    device: str
    max_tokens: int
    prefixes: dict[Kind, str]
    batch_size: int
    workers: int

    @cached_property
    def model(self) -> SentenceTransformer:
        """The loaded model: its transformer in `dtype`, the modules after it in float32."""
        return _load(self.folder, device=self.device, dtype=self.dtype)

    @property
    def dim(self) -> int:
        """Components of a vector."""
        return int(self.model.get_embedding_dimension() or 0)

    def encode(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """Vectors of `texts` in their order, float32 [texts, dim], each of length 1.

        What exceeds `max_tokens` (special tokens included) is cut off.
        """
        vectors = np.zeros((len(texts), self.dim), np.float32)
        if not texts:
            return vectors
        prefix = self.prefixes[kind]
        longest = min(self.max_tokens, self.model.max_seq_length or self.max_tokens)
        encoded = self.model.tokenizer(
            [prefix + text for text in texts], truncation=True, max_length=longest
        )
        lengths = [len(ids) for ids in encoded["input_ids"]]
        batches = list(buckets(lengths, rows=self.batch_size, tokens=TOKENS))

        def compute(batch: list[int]) -> None:
            vectors[batch] = self._forward({k: [v[i] for i in batch] for k, v in encoded.items()})

        # The longest first, so that no core ends on a long batch alone.
        run_each(compute, batches[::-1], workers=self.workers)
        return unit_rows(vectors)

    def _forward(self, features: dict[str, Any]) -> Vectors:
        import torch

        with torch.inference_mode():
            state = {k: torch.tensor(v, device=self.device) for k, v in features.items()}
            for position, module in enumerate(self.model):
                state = module(state)
                if position == 0:
                    state["token_embeddings"] = state["token_embeddings"].float()
            pooled: Vectors = state["sentence_embedding"].cpu().numpy()
        return pooled


def make(folder: Path, spec: EmbedderWeights, *, batch_size: int) -> LocalEmbedder:
    """The model in `folder`; at most `batch_size` texts are computed at once on a core.

    Raises CodeGraftError if the folder holds no such model.
    """
    if not (folder / "modules.json").is_file():
        raise CodeGraftError(
            "the embedding model is missing",
            where=str(folder),
            remedy=f"run `python -m tasks.weights {folder.name}`",
        )
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = _dtype(spec)
    identity = identify(
        backend="sentence-transformers",
        sha256=spec.sha256,
        files=_small_files(folder),
        query_prefix=spec.query_prefix,
        document_prefix=spec.document_prefix,
        max_tokens=spec.max_tokens,
        dtype=dtype,
        device=device,
        torch=torch.__version__,
    )
    return LocalEmbedder(
        folder=folder,
        id=identity,
        dtype=dtype,
        device=device,
        max_tokens=spec.max_tokens,
        prefixes={"query": spec.query_prefix, "document": spec.document_prefix},
        batch_size=batch_size if (dtype, device) == ("bfloat16", "cpu") else 1,
        workers=1 if device == "cuda" else torch.get_num_threads(),
    )


def _dtype(spec: EmbedderWeights) -> str:
    if spec.dtype != "auto":
        return spec.dtype
    # float16 is not offered: some encoders overflow in it.
    return "bfloat16" if auto_dtype() == "bfloat16" else "float32"


def _load(folder: Path, *, device: str, dtype: str) -> SentenceTransformer:
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()
    kwargs = {"dtype": getattr(torch, dtype)}
    model = SentenceTransformer(
        str(folder), device=device, local_files_only=True, model_kwargs=kwargs
    )
    for module in list(model)[1:]:
        module.float()
    return model.eval()


def _small_files(folder: Path) -> str:
    """Digest of tokenizer and configuration, which the weights' hash does not cover."""
    side = {"manifest.json", "timing.json", "README.md"}
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in {".json", ".txt", ".model"} and path.name not in side
    )
    return digest(*(f"{p.relative_to(folder).as_posix()}:{sha256_file(p)}" for p in files))

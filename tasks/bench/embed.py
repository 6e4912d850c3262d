"""How fast functions become vectors, beside sentence-transformers' own `encode`."""

from __future__ import annotations

import argparse
import ast
import json
import random
import sysconfig
import textwrap
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tasks.core.params import load_params
from tasks.core.plugins import load


def run(*, texts: int = 2000, reference_texts: int = 500, repeats: int = 2) -> dict[str, Any]:
    """Embed a random sample of the standard library's functions; best of `repeats`, in turn.

    Model, dtype and batch size are those of params.yaml; the reference has them too. `cosine_min`
    compares with the reference in float32, over a tenth of its texts. Raises CodeGraftError if the
    model is missing.
    """
    params = load_params()
    folder, spec = Path("models") / params.embed.model, params.weights.embedders[params.embed.model]
    make = load("tasks.embed.embedders", "sentence-transformers", "make")
    embedder = make(folder, spec, batch_size=params.embed.batch_size)
    sample = random.Random(0).sample(sorted(set(_functions())), texts)
    few = sample[:reference_texts]
    plain = _reference(folder, embedder.dtype, embedder.device, params.embed.batch_size)
    ours, theirs = [], []
    for encode in (lambda part: embedder.encode(part, kind="document"), plain):
        encode(sample[:64])  # load and warm up
    for _ in range(repeats):
        ours.append(_rate(lambda: embedder.encode(sample, kind="document"), texts))
        theirs.append(_rate(lambda: plain(few), len(few)))
    exact = few[: max(1, len(few) // 10)]
    wide = _reference(folder, "float32", embedder.device, params.embed.batch_size)(exact)
    return {
        "texts": texts,
        "dtype": embedder.dtype,
        "texts_per_s": round(max(ours), 1),
        "reference_texts_per_s": round(max(theirs), 1),
        "cosine_min": round(
            float((wide * embedder.encode(exact, kind="document")).sum(1).min()), 6
        ),
    }


def _functions() -> Iterator[str]:
    """The text of each function of the running Python's standard library, tests left out."""
    root = Path(sysconfig.get_path("stdlib"))
    for path in sorted(root.rglob("*.py")):
        if {"test", "tests", "site-packages"} & set(path.relative_to(root).parts):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                source = path.read_text(encoding="utf-8")
                tree = ast.parse(source)
            except (SyntaxError, ValueError):
                continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = source.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno]
                yield textwrap.dedent("".join(lines))


def _reference(folder: Path, dtype: str, device: str, batch_size: int) -> Any:
    import torch
    from sentence_transformers import SentenceTransformer

    kwargs = {"dtype": getattr(torch, dtype)}
    model = SentenceTransformer(str(folder), device=device, model_kwargs=kwargs)
    return lambda part: np.asarray(
        model.encode(
            part, batch_size=batch_size, normalize_embeddings=True, show_progress_bar=False
        ),
        dtype=np.float32,
    )


def _rate(work: Any, count: int) -> float:
    begun = time.perf_counter()
    work()
    return count / (time.perf_counter() - begun)


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--reference-texts", type=int, default=500)
    options = parser.parse_args()
    figures = run(texts=options.texts, reference_texts=options.reference_texts)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()

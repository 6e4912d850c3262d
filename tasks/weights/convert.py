"""GGUF to a folder of safetensors, once.

Reading a quantised GGUF takes transformers most of a minute; the folder loads in seconds.
"""

from __future__ import annotations

import errno
from pathlib import Path

from tasks.core.errors import CodeGraftError


def convert_gguf(release: Path, target: Path, *, dtype: str) -> None:
    """Write weights (dequantised to `dtype`), tokenizer, chat template and configurations.

    The bytes are a function of the release, the dtype and the versions of the libraries.
    """
    # Imported here: loading torch takes seconds, which a run with nothing to convert saves.
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    folder, file = str(release.parent), release.name
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
        model = AutoModelForCausalLM.from_pretrained(
            folder,
            gguf_file=file,
            dtype=getattr(torch, dtype),
            quantization_config=GgufConfig(dequantize=True),
        )
    except (ValueError, KeyError, NotImplementedError) as error:
        raise CodeGraftError(
            f"the GGUF cannot be converted: {error}",
            where=str(release),
            remedy="use an architecture that transformers reads, or a safetensors release",
        ) from error
    try:
        model.save_pretrained(target)
    except SafetensorError as error:
        if "os error 28" in str(error):  # the library hides the system's error in its text
            raise OSError(errno.ENOSPC, "no space left", str(target)) from error
        raise
    tokenizer.save_pretrained(target)
    for path in target.iterdir():
        path.chmod(0o644)

"""A model hub repository, through the hub's own client, which resumes a broken download."""

from __future__ import annotations

import errno
from pathlib import Path

from tasks.core.errors import CodeGraftError
from tasks.core.params import EmbedderWeights, GeneratorWeights, HubSource
from tasks.weights.folders import LOADED


def fetch(spec: GeneratorWeights | EmbedderWeights, source: HubSource, *, folder: Path) -> Path:
    """Download the release file, for safetensors with its configuration files."""
    # Imported here: a run that needs no hub does not wait for its client.
    import httpx
    from huggingface_hub import snapshot_download

    wanted = [spec.file] if spec.format == "gguf" else [spec.file, *LOADED]
    try:
        # Unlike the call for a single file, this one does not retry for 23 s without a network.
        snapshot_download(
            source.repo, revision=source.revision, local_dir=folder, allow_patterns=wanted
        )
    except (OSError, ValueError, httpx.HTTPError) as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        first = str(error).strip().splitlines() or [type(error).__name__]
        raise CodeGraftError(first[0]) from error
    release = folder / spec.file
    if not release.is_file():
        raise CodeGraftError(f"the repository has no file {spec.file}")
    return release

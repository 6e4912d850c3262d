"""The source chain: the first source that has the verified release file wins."""

from __future__ import annotations

from pathlib import Path

from tasks.core import plugins
from tasks.core.errors import CodeGraftError
from tasks.core.ids import sha256_file
from tasks.core.params import EmbedderWeights, GeneratorWeights, WeightSource

SOURCES = "tasks.weights.sources"


def obtain(
    name: str, spec: GeneratorWeights | EmbedderWeights, *, downloads: Path
) -> tuple[Path, str]:
    """The release file, verified by size and SHA-256, and the kind of the source that had it.

    For safetensors the configuration files lie beside it. Sources are tried in the order of
    params.yaml. Raises CodeGraftError saying of each what it was and why it failed.
    """
    downloads.mkdir(parents=True, exist_ok=True)
    failures: list[str] = []
    for source in spec.sources:
        fetch = plugins.load(SOURCES, source.kind, "fetch")
        try:
            release: Path = fetch(spec, source, folder=downloads / source.kind)
        except CodeGraftError as error:
            failures.append(f"{label(source)}: {error.what}")
            continue
        try:
            verify(release, spec)
            return release, source.kind
        except CodeGraftError as error:
            failures.append(f"{label(source)}: {error.what}")
            if release.is_relative_to(downloads):
                release.unlink()  # what was fetched is wrong; a user's own file is not ours
    tried = "".join(f"\n    {number}. {line}" for number, line in enumerate(failures, 1))
    raise CodeGraftError(
        f"no source has the weights of {name!r} ({spec.file}, {spec.bytes:,} bytes); tried:{tried}",
        where=f"params.yaml: weights, {name}.sources",
        remedy=(
            f"put the file on this machine and its path into the source of kind 'path', "
            f"or connect and run again; what was downloaded is kept in {downloads}"
        ),
    )


def verify(release: Path, spec: GeneratorWeights | EmbedderWeights) -> None:
    """Raise CodeGraftError unless the file has the size and SHA-256 of the release."""
    size = release.stat().st_size
    if size != spec.bytes:
        raise CodeGraftError(f"{release} has {size:,} bytes; the release has {spec.bytes:,}")
    found = sha256_file(release)
    if found != spec.sha256:
        raise CodeGraftError(f"{release} has SHA-256 {found}; the release has {spec.sha256}")


def label(source: WeightSource) -> str:
    """A source as a user would name it."""
    fields = source.model_dump(exclude={"kind", "members"}, exclude_none=True)
    return " ".join([source.kind, *map(str, fields.values())])

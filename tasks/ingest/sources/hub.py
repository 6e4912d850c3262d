"""Question and answer rows of a dataset on the Hugging Face hub or a mirror of it."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

import httpx
import yaml
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
from pydantic import Field

from tasks.core.errors import CodeGraftError
from tasks.core.params import Strict
from tasks.core.store import store_root
from tasks.ingest.globs import DEFAULT_MAX_BYTES, MaxBytes
from tasks.ingest.rows import Form, row_documents
from tasks.ingest.types import Document, Skipped, Source

FieldName = Annotated[str, Field(min_length=1)]


class Options(Strict):
    """`files` are patterns as the hub reads them: `*` also matches slashes.

    `revision` pins a branch, tag or commit; `endpoint` names another hub, else $HF_ENDPOINT or the
    public one is used. `licence` overrides the dataset card.
    """

    repo: Annotated[str, Field(pattern=r"^[\w.-]+(/[\w.-]+)?$")]
    revision: str | None = None
    files: Annotated[list[str], Field(min_length=1)] = ["*.parquet", "*.jsonl", "*.jsonl.gz"]
    question: Annotated[list[FieldName], Field(min_length=1)] = ["instruction", "input"]
    answer: FieldName = "output"
    lang: str = "python"
    licence: str | None = None
    max_bytes: MaxBytes = DEFAULT_MAX_BYTES
    endpoint: str | None = None


def connect(options: Options) -> Source:
    """Source `hub:<repo>`; its commit is in the provenance. What was fetched once stays cached.

    Raises CodeGraftError if the hub cannot be reached and nothing is cached, or no file matches.
    """
    folder = _snapshot(options)
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    files = [
        (name, folder / name)
        for name in sorted(names)
        if any(fnmatchcase(name, pattern) for pattern in options.files)
    ]
    if not files:
        raise CodeGraftError(
            f"the dataset has no file that matches {options.files}",
            where=f"hub dataset {options.repo}",
            remedy="name its data files as `files` of this source in params.yaml",
        )
    licence = options.licence or card_licence(folder / "README.md")
    form = Form(tuple(options.question), options.answer, options.lang, licence)

    def items() -> Iterator[Document | Skipped]:
        return row_documents(files, form, max_bytes=options.max_bytes)

    return Source(f"hub:{options.repo}", items, {"revision": folder.name})


def _snapshot(options: Options) -> Path:
    """Folder with the dataset's files, named by the commit."""
    try:
        return Path(
            snapshot_download(
                options.repo,
                repo_type="dataset",
                revision=options.revision,
                allow_patterns=[*options.files, "README.md"],
                cache_dir=store_root() / "downloads" / "hub",
                endpoint=options.endpoint,
            )
        )
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, httpx.HTTPError) as error:
        raise CodeGraftError(
            f"the dataset cannot be fetched: {str(error).splitlines()[0]}",
            where=f"hub dataset {options.repo}",
            remedy="check its name, the network and HF_TOKEN; or fetch its files elsewhere and "
            "use {kind: qa, path: ...}",
        ) from error


def card_licence(card: Path) -> str:
    """Licence in the front matter of a dataset card; `unknown` if it has none."""
    if not card.is_file():
        return "unknown"
    head, _, rest = card.read_text(encoding="utf-8", errors="replace").partition("---")
    try:
        matter = yaml.safe_load(rest.partition("\n---")[0]) if not head.strip() else None
    except yaml.YAMLError:
        return "unknown"
    stated = matter.get("license") if isinstance(matter, dict) else None
    if isinstance(stated, list):
        stated = " AND ".join(map(str, stated))
    return str(stated) if stated else "unknown"

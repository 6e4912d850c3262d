"""Question and answer rows of a dataset on the Hugging Face hub or a mirror of it."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

import yaml
from huggingface_hub import HfApi, hf_hub_download
from pydantic import Field

from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json, write_json
from tasks.core.ids import digest
from tasks.core.store import store_root
from tasks.core.strict import Strict
from tasks.ingest.globs import DEFAULT_MAX_BYTES, MaxBytes
from tasks.ingest.licences import UNKNOWN
from tasks.ingest.rows import Form, row_documents
from tasks.ingest.types import Document, Skipped, Source

FieldName = Annotated[str, Field(min_length=1)]
_CARD = "README.md"


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
    """Source `hub:<repo>`; its commit is in the provenance.

    What was fetched once is used again without the network, even if a branch has moved since; pin
    another `revision` to change it. Raises CodeGraftError if the hub gives no such dataset or no
    file of it matches.
    """
    folder = store_root() / "downloads" / "hub"
    record = folder / f"{digest(options.repo, options.revision or '', *options.files)}.json"
    try:
        plan = read_json(record) if record.is_file() else _listing(options)
        paths = {
            name: Path(
                hf_hub_download(
                    options.repo,
                    name,
                    repo_type="dataset",
                    revision=plan["commit"],
                    cache_dir=folder,
                    endpoint=options.endpoint,
                )
            )
            for name in plan["files"]
        }
    except Exception as error:  # the hub's client has changed its HTTP library before
        if isinstance(error, CodeGraftError) or (isinstance(error, OSError) and error.errno):
            raise  # an error of this machine, say a full disk
        raise _unreachable(options.repo, error) from error
    write_json(record, plan)
    card = paths.pop(_CARD, None)
    licence = options.licence or (card_licence(card) if card else UNKNOWN)
    form = Form(tuple(options.question), options.answer, options.lang, licence)

    def items() -> Iterator[Document | Skipped]:
        return row_documents(paths.items(), form, max_bytes=options.max_bytes)

    return Source(f"hub:{options.repo}", items, {"revision": plan["commit"]})


def _listing(options: Options) -> dict[str, Any]:
    """The commit that the revision stands for now, and the files wanted from it."""
    api = HfApi(endpoint=options.endpoint)
    info = api.dataset_info(options.repo, revision=options.revision)
    names = sorted(sibling.rfilename for sibling in info.siblings or [])
    wanted = [n for n in names if any(fnmatchcase(n, pattern) for pattern in options.files)]
    if not wanted or info.sha is None:
        raise CodeGraftError(
            f"the dataset has no file that matches {options.files}",
            where=f"hub dataset {options.repo}, which has {names[:20]}",
            remedy="name its data files as `files` of this source in params.yaml",
        )
    return {"commit": info.sha, "files": wanted + [name for name in names if name == _CARD]}


def _unreachable(repo: str, error: Exception) -> CodeGraftError:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return CodeGraftError(
        f"the dataset cannot be fetched: {reason}",
        where=f"hub dataset {repo}",
        remedy="check its name, the network and HF_TOKEN; or fetch its files elsewhere and use "
        "{kind: qa, path: ...}",
    )


def card_licence(card: Path) -> str:
    """Licence in the front matter of a dataset card; `unknown` if it has none."""
    head, _, rest = card.read_text(encoding="utf-8", errors="replace").partition("---")
    try:
        matter = yaml.safe_load(rest.partition("\n---")[0]) if not head.strip() else None
    except yaml.YAMLError:
        return UNKNOWN
    stated = matter.get("license") if isinstance(matter, dict) else None
    if isinstance(stated, list):
        stated = " AND ".join(map(str, stated))
    return str(stated) if stated else UNKNOWN

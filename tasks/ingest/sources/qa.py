"""Question and answer rows on this machine: JSONL, JSON or Parquet, a file or a folder of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tasks.core.errors import CodeGraftError
from tasks.core.strict import Strict
from tasks.ingest.globs import DEFAULT_MAX_BYTES, Globs, MaxBytes, Selection
from tasks.ingest.rows import SUFFIXES, Form, row_documents
from tasks.ingest.types import Document, Skipped, Source
from tasks.ingest.walk import selected_paths

FieldName = Annotated[str, Field(min_length=1)]


class Options(Strict):
    """Defaults are the fields of PythonAlpaca. `max_bytes` limits one row."""

    path: str
    name: FieldName | None = None
    question: Annotated[list[FieldName], Field(min_length=1)] = ["instruction", "input"]
    answer: FieldName = "output"
    lang: str = "python"
    licence: str = "unknown"
    include: Globs = [f"*{suffix}" for suffix in SUFFIXES]
    exclude: Globs = []
    max_bytes: MaxBytes = DEFAULT_MAX_BYTES


def connect(options: Options) -> Source:
    """Source `qa:<name>` (default: the name of the file or folder).

    Raises CodeGraftError if the path does not exist or no file in it is taken.
    """
    root = Path(options.path).expanduser()
    if root.is_dir():
        files = selected_paths(root, Selection.of(options.include, options.exclude))
    else:
        files = [(root.name, root)] if root.is_file() else []
    if not files:
        raise CodeGraftError(
            "no file of questions and answers found",
            where=str(root),
            remedy="correct `path`, `include` or `exclude` of this source in params.yaml",
        )
    form = Form(tuple(options.question), options.answer, options.lang, options.licence)

    def items() -> Iterator[Document | Skipped]:
        return row_documents(files, form, max_bytes=options.max_bytes)

    return Source(f"qa:{options.name or root.name}", items)

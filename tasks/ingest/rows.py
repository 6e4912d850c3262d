"""Question and answer rows from JSONL, JSON and Parquet files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from tasks.core.errors import CodeGraftError
from tasks.ingest.decode import clean
from tasks.ingest.types import Document, Reason, Skipped

Row = Mapping[str, Any] | Reason
SUFFIXES = (".jsonl", ".jsonl.gz", ".json", ".parquet")


@dataclass(frozen=True)
class Form:
    """Which fields make a pair: the question's are joined by a blank line, blank ones left out."""

    question: tuple[str, ...]
    answer: str
    lang: str
    licence: str


def row_documents(
    files: Iterable[tuple[str, Path]], form: Form, *, max_bytes: int
) -> Iterator[Document | Skipped]:
    """One qa document a row, with path `file#number`, counted from 1 (in JSONL: the line).

    Raises CodeGraftError if a file cannot be read or if its first row lacks the named fields.
    """
    # '#' takes part in the order of the paths that result, hence in the order of the files
    for name, path in sorted(files, key=lambda item: f"{item[0]}#"):
        yield from _file_documents(name, path, form, max_bytes=max_bytes)


def _file_documents(
    name: str, path: Path, form: Form, *, max_bytes: int
) -> Iterator[Document | Skipped]:
    checked = False
    for number, row in _numbered(path, form, max_bytes=max_bytes):
        place = f"{name}#{number:09d}"
        if isinstance(row, str):
            yield Skipped(place, row)
            continue
        if not checked:
            _check_fields(row.keys(), form, where=str(path))
            checked = True
        yield _document(place, row, form, max_bytes=max_bytes)


def _document(
    place: str, row: Mapping[str, Any], form: Form, *, max_bytes: int
) -> Document | Skipped:
    answer = row.get(form.answer)
    parts = [row.get(field) for field in form.question]
    texts = [clean(part).strip() for part in parts if isinstance(part, str) and part.strip()]
    if not isinstance(answer, str) or not any(isinstance(part, str) for part in parts):
        return Skipped(place, "missing-field")
    if not answer.strip() or not texts:
        return Skipped(place, "empty")
    answer = clean(answer).strip("\r\n")
    content = "\n\n".join([*texts, answer])
    if len(content) > max_bytes:
        return Skipped(place, "too-large")
    return Document(place, "qa", form.lang, form.licence, content, answer)


def _check_fields(present: Iterable[str], form: Form, *, where: str) -> None:
    names = set(present)
    if form.answer not in names or not names & set(form.question):
        raise CodeGraftError(
            f"rows have the fields {sorted(names)}, not question {list(form.question)} "
            f"and answer {form.answer!r}",
            where=where,
            remedy="name them as `question` and `answer` of this source in params.yaml",
        )


def _numbered(path: Path, form: Form, *, max_bytes: int) -> Iterator[tuple[int, Row]]:
    try:
        if path.name.endswith(".parquet"):
            yield from enumerate(_parquet_rows(path, form), 1)
        elif path.name.endswith(".json"):
            yield from enumerate(_json_rows(path), 1)
        elif path.name.endswith(".gz"):
            with gzip.open(path) as stream:
                yield from _line_rows(cast(IO[bytes], stream), max_bytes=max_bytes)
        else:
            with path.open("rb") as stream:
                yield from _line_rows(stream, max_bytes=max_bytes)
    except (OSError, EOFError, ValueError, RecursionError, pa.ArrowException) as error:
        raise CodeGraftError(
            f"rows cannot be read: {error}",
            where=str(path),
            remedy=f"the file must be whole and one of {', '.join(SUFFIXES)}",
        ) from error


def _line_rows(stream: IO[bytes], *, max_bytes: int) -> Iterator[tuple[int, Row]]:
    number = 0
    while line := stream.readline(max_bytes + 1):
        number += 1
        if len(line) > max_bytes and not line.endswith(b"\n"):
            while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
                pass
            yield number, "too-large"
        elif line.strip():
            yield number, _object(line)


def _object(line: bytes) -> Row:
    try:
        value = json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return "malformed"
    return value if isinstance(value, dict) else "malformed"


def _json_rows(path: Path) -> Iterator[Row]:
    """Rows of a JSON file that is one list of objects; the file is held in memory."""
    values = json.loads(path.read_bytes().decode("utf-8-sig", "replace"))
    if not isinstance(values, list):
        raise ValueError("the top level of a .json file of rows must be a list")
    yield from (value if isinstance(value, dict) else "malformed" for value in values)


def _parquet_rows(path: Path, form: Form) -> Iterator[Row]:
    with pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        _check_fields(names, form, where=str(path))
        wanted = [name for name in (*form.question, form.answer) if name in names]
        batches = file.iter_batches(batch_size=1024, columns=wanted)
        yield from chain.from_iterable(batch.to_pylist() for batch in batches)

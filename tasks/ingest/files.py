"""From raw files to documents: language, kind, text and licence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Literal

from tasks.ingest import licences
from tasks.ingest.decode import decode
from tasks.ingest.types import Document, RawFile, Skipped

_CODE = {
    ".py": "python", ".pyi": "python", ".pyw": "python", ".pyx": "cython", ".c": "c", ".h": "c",
    ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".cs": "csharp", ".go": "go", ".java": "java",
    ".js": "javascript", ".jl": "julia", ".kt": "kotlin", ".lua": "lua", ".php": "php",
    ".r": "r", ".rb": "ruby", ".rs": "rust", ".scala": "scala", ".sh": "shell", ".sql": "sql",
    ".swift": "swift", ".ts": "typescript",
}  # fmt: skip
_TEXT = {
    ".md": "markdown", ".markdown": "markdown", ".rst": "rest", ".html": "html", ".htm": "html",
}  # fmt: skip


def language(path: str) -> tuple[Literal["code", "text"], str]:
    """Kind and language by the path's extension; an unknown extension is plain text."""
    extension = PurePosixPath(path).suffix.lower()
    if extension in _CODE:
        return "code", _CODE[extension]
    return "text", _TEXT.get(extension, "text")


def documents(
    files: Iterable[RawFile | Skipped], *, licence_of: Callable[[str], str]
) -> Iterator[Document | Skipped]:
    """Decode files in their order.

    A file's own SPDX header outranks `licence_of(path)`. Binary and blank files are skipped.
    """
    for file in files:
        if isinstance(file, Skipped):
            yield file
            continue
        kind, lang = language(file.path)
        decoded = decode(file.data, coding_line=lang == "python")
        if decoded is None:
            yield Skipped(file.path, "binary")
        elif not decoded.text.strip():
            yield Skipped(file.path, "empty")
        else:
            licence = licences.of_header(decoded.text) or licence_of(file.path)
            yield Document(file.path, kind, lang, licence, decoded.text, encoding=decoded.encoding)

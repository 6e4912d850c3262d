"""What sources hand to the pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Reason = Literal[
    "binary",  # not text in any encoding tried
    "doubled-name",  # an archive holds the path twice; the last one counts, as when unpacking
    "empty",  # nothing but white space
    "link",  # a link that leaves the folder, or any link or device in an archive
    "malformed",  # a row that is not a JSON object
    "missing-field",  # a row without its question or answer as text
    "too-large",  # more than max_bytes
    "unreadable",  # permission, damage, encryption, not a regular file
    "unsafe-path",  # an archive's path that leads out of it
]


@dataclass(frozen=True)
class RawFile:
    """A file's bytes under its path below the source's root."""

    path: str
    data: bytes


@dataclass(frozen=True)
class Skipped:
    """Something that did not become a document, and why."""

    path: str
    reason: Reason


@dataclass(frozen=True)
class Document:
    """A document before it has an id. `encoding` is how its bytes were read."""

    path: str
    kind: Literal["code", "qa", "text"]
    lang: str
    licence: str
    content: str
    answer: str | None = None
    encoding: str = "utf-8"


@dataclass(frozen=True)
class Source:
    """An opened source.

    `items` yields documents in ascending order of path (by code point), each path once, with
    skipped ones anywhere between. `provenance` holds facts for the summary: revision, hashes.
    """

    name: str
    items: Callable[[], Iterator[Document | Skipped]]
    provenance: Mapping[str, str] = field(default_factory=dict)

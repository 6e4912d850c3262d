"""One document to its piece of the graph. Depends on nothing but the document."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from tasks.core.ids import digest
from tasks.extract.calls import PENDING, TIERS, Names
from tasks.extract.dedent import dedented
from tasks.extract.grammar import EXTRACTOR
from tasks.extract.imports import aliases_of, module_name
from tasks.extract.piece import CALL_COLUMNS, NODE_COLUMNS, Notes, Piece
from tasks.extract.regions import code_regions
from tasks.extract.rows import TYPE_NAMES, Rows
from tasks.extract.scan import scan
from tasks.extract.tree import DocumentTree


@dataclass(frozen=True)
class Document:
    """The columns of a document that extraction reads."""

    doc_id: str
    kind: str
    lang: str
    path: str
    content: bytes
    answer: bytes | None

    @property
    def key(self) -> str:
        """Key of the stored piece: extractor, identity (source and path) and content."""
        answer = self.answer or b""
        return digest(EXTRACTOR, self.doc_id, self.kind, self.lang, self.content, answer)


def extract_document(document: Document) -> Piece:
    """Nodes, calls and counts of one document; broken source is counted, never raised."""
    module = module_name(document.path)
    tree = DocumentTree(document.content, module)
    regions = errors = error_bytes = 0
    # a code document in another language has no tree here; Q&A rows tell by their fences
    if document.kind != "code" or document.lang == "python":
        for start, end in code_regions(document.kind, document.content, document.answer):
            whole = start == 0 and end == len(document.content)
            found = scan(document.content if whole else document.content[start:end])
            tree.add_region(found, start)
            regions += 1
            errors += found.error_regions
            error_bytes += found.error_bytes
    package = document.path.endswith("__init__.py")
    aliases, stars = aliases_of(tree.imports, module=module, package=package)
    calls, targets, tiers = _calls(Names(document.content, tree, aliases, stars))
    notes = Notes(
        module=module,
        aliases={alias: list(known) for alias, known in aliases.items()},
        stars=list(stars),
        targets=targets,
        tiers=tiers,
        regions=regions,
        error_regions=errors,
        error_bytes=error_bytes,
    )
    return Piece(_nodes(document, tree.rows), calls, notes)


def _nodes(document: Document, rows: Rows) -> pa.RecordBatch:
    columns = [
        pa.array(rows.types, pa.int8()),
        _raw_ids(_node_ids(document.doc_id, rows), len(rows)),
        _raw_ids(_content_ids(document.content, rows), len(rows)),
        pa.array(rows.functions, pa.int32()),
        pa.array(rows.parents, pa.int32()),
        pa.array(rows.names, pa.string()),
        pa.array(rows.qualnames, pa.string()),
        pa.array(rows.starts, pa.int32()),
        pa.array(rows.ends, pa.int32()),
        pa.array(rows.depths, pa.int32()),
        pa.array(rows.orders, pa.int32()),
        pa.array(rows.scopes, pa.int8()),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=NODE_COLUMNS)


def _raw_ids(ids: Iterator[bytes], count: int) -> pa.Array:
    data = pa.py_buffer(b"".join(ids))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), count, [None, data])


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(8, "little") + data


def _node_ids(doc_id: str, rows: Rows) -> Iterator[bytes]:
    """digest(doc_id, type, identity) of each row; the common beginning is hashed once."""
    begun = [
        hashlib.blake2b(_framed(doc_id.encode()) + _framed(name.encode()), digest_size=16)
        for name in TYPE_NAMES
    ]
    for kind, identity in zip(rows.types, rows.identities, strict=True):
        state = begun[kind].copy()
        state.update(_framed(identity.encode()))
        yield state.digest()


def _content_ids(content: bytes, rows: Rows) -> Iterator[bytes]:
    """digest(dedented text) of each row; a nested def's two rows are hashed once."""
    previous, known = (-1, -1), b""
    for span in zip(rows.starts, rows.ends, strict=True):
        if span != previous:
            text = dedented(content, *span)
            state = hashlib.blake2b(len(text).to_bytes(8, "little"), digest_size=16)
            state.update(text)
            previous, known = span, state.digest()
        yield known


def _calls(names: Names) -> tuple[pa.RecordBatch, list[str], list[int]]:
    """The calls that have a target or may have one, their alternatives, and counts by tier."""
    numbers: dict[str, int] = {}
    tiers = [0] * len(TIERS)
    kept: list[tuple[int, int, int, int, int]] = []
    for call in names.tree.calls:
        found = names.resolve(call)
        tiers[found.tier] += 1
        if found.tier <= PENDING:
            target = -1
            if found.tier == PENDING:
                target = numbers.setdefault(found.alternatives, len(numbers))
            owner, _, start, end, _, _ = call
            kept.append((owner, start, end, found.name_row, target))
    columns = zip(*kept, strict=True) if kept else ([] for _ in CALL_COLUMNS)
    arrays = [pa.array(column, pa.int32()) for column in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=CALL_COLUMNS), list(numbers), tiers

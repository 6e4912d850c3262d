"""The documents table."""

from __future__ import annotations

import pyarrow as pa

from tasks.core.tables import field

DOCUMENTS = pa.schema(
    [
        field("doc_id", pa.string(), "digest of (source, path)"),
        field("source", pa.string(), "where it comes from, e.g. stdlib:3.11.7 or folder:name"),
        field("kind", pa.string(), "code, qa (a question with its answer) or text"),
        field("lang", pa.string(), "language of the content, lower case, e.g. python, markdown"),
        field("path", pa.string(), "path below the source's root; a row's is file#number"),
        field("licence", pa.string(), "SPDX identifier or expression; unknown when undetected"),
        field("content", pa.string(), "decoded text without BOM, line ends as in the file"),
        field("answer", pa.string(), "answer part of a qa document, else null", nullable=True),
    ]
)

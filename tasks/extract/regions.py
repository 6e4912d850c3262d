"""Where a document's Python code lies."""

from __future__ import annotations

import re

from tasks.extract.scan import scan

# An opening fence, its info string, the body, and a closing fence of the same character and at
# least the same length, or the end of the text (answers are sometimes cut off).
_FENCE = re.compile(
    rb"^[ \t]*(?P<fence>(?P<mark>[`~])(?P=mark){2,})[ \t]*(?P<info>[^\r\n`]*)\r?\n"
    rb"(?P<body>.*?)(?:^[ \t]*(?P=fence)(?P=mark)*[ \t]*\r?$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_PYTHON = {b"", b"py", b"python", b"python2", b"python3", b"py3", b"ipython", b"sage"}


def code_regions(kind: str, content: bytes, answer: bytes | None) -> list[tuple[int, int]]:
    """Byte spans of `content` that hold Python code.

    A code document is code as a whole. Of a Q&A document it is every fenced block of the answer
    that is not declared to be in another language; without any fence the answer itself if it
    parses (SPEC 1.1). Text documents hold none.
    """
    if kind == "code":
        return [(0, len(content))]
    if kind != "qa" or not answer:
        return []
    offset = content.rfind(answer)
    if offset < 0:
        return []
    fences = list(_FENCE.finditer(answer))
    if fences:
        return [
            (offset + found.start("body"), offset + found.end("body"))
            for found in fences
            if _language(found["info"]) in _PYTHON
        ]
    parses = not scan(answer).tree.root_node.has_error
    return [(offset, offset + len(answer))] if parses else []


def _language(info: bytes) -> bytes:
    words = info.strip(b"{}. \t").lower().replace(b",", b" ").split()
    return words[0].lstrip(b".") if words else b""

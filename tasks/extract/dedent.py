"""The text of a node: its span of the source, dedented."""

from __future__ import annotations


def dedented(source: bytes, start: int, end: int) -> bytes:
    """The bytes source[start:end] with the indentation of the line they begin on taken from
    every following line that has it.

    Lines that lack the indentation (inside strings and brackets) stay as they are, so the result
    of a statement is a statement. Works on UTF-8, tabs and CRLF alike.
    """
    text = source[start:end]
    line = source[source.rfind(b"\n", 0, start) + 1 : start]
    if not line:
        return text
    indent = line if line.isspace() else line[: len(line) - len(line.lstrip())]
    return text.replace(b"\n" + indent, b"\n") if indent else text

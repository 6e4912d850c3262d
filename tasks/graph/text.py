"""The text of a node."""

from __future__ import annotations

from tasks.extract.dedent import dedented


def node_text(content: str, start_byte: int, end_byte: int) -> str:
    """Text of the span [start_byte, end_byte) of the content as UTF-8, dedented.

    This is what `content_id` is the digest of and what is embedded (SPEC 1.1). For many nodes of
    one document, encode once and use `node_text_bytes`.
    """
    return node_text_bytes(content.encode("utf-8"), start_byte, end_byte)


def node_text_bytes(content: bytes, start_byte: int, end_byte: int) -> str:
    """`node_text` of content that is encoded already."""
    return dedented(content, start_byte, end_byte).decode("utf-8", "replace")

"""Bytes to text: byte order marks, PEP 263 coding lines, UTF-8, and a last resort."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_MARKS = (  # the longer first: the UTF-32 mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
# Codecs that Python accepts in a coding line but that take quadratic time or are not charsets.
_REFUSED = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\b\x1b")) + b"\x7f"


@dataclass(frozen=True)
class Decoded:
    """Text without its byte order mark, line ends kept; `encoding` is the codec that was used."""

    text: str
    encoding: str


def decode(data: bytes, *, coding_line: bool) -> Decoded | None:
    """Text of a file, or None if it is binary.

    Order: byte order mark; the coding line of PEP 263 if `coding_line`; UTF-8; Windows-1252, or
    Latin-1 where that has a gap. Bytes with NUL, or with more than 2% control characters when
    nothing says how to read them, are binary.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            text = _try(data[len(mark) :], name)
            return Decoded(clean(text), name) if text is not None else None
    if b"\0" in data:
        return None
    declared = declared_encoding(data) if coding_line else None
    for name in dict.fromkeys((declared or "utf-8", "utf-8")):
        if (text := _try(data, name)) is not None:
            return Decoded(clean(text), name)
    if len(data.translate(None, delete=_CONTROL)) < 0.98 * len(data):
        return None
    text = _try(data, "cp1252")
    return (
        Decoded(text, "cp1252") if text is not None else Decoded(data.decode("latin-1"), "latin-1")
    )


def declared_encoding(data: bytes) -> str | None:
    """The charset that the first two lines declare (PEP 263), normalised; None if none usable."""
    for line in data[:4096].splitlines()[:2]:
        if found := _CODING.match(line):
            try:
                name = codecs.lookup(found[1].decode("ascii")).name
            except (LookupError, UnicodeDecodeError):
                return None
            return None if name.replace("_", "-") in _REFUSED else name
        if not _BLANK.match(line):
            return None
    return None


def clean(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot hold, replaced by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text) if not text.isascii() else text


def _try(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except (UnicodeError, LookupError, ValueError):  # LookupError: not a text encoding
        return None

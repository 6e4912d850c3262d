"""Any bytes become text or are called binary."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.ingest.decode import Decoded, clean, declared_encoding, decode


@given(st.text())
def test_utf8_comes_back_as_it_was(text):
    data = text.encode("utf-8", "surrogatepass")
    if "\0" in text:
        assert decode(data, coding_line=False) is None
    elif not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        assert decode(data, coding_line=False) == Decoded(text, "utf-8")


@given(st.binary(), st.booleans())
def test_no_bytes_raise_and_all_text_can_be_written(data, coding_line):
    decoded = decode(data, coding_line=coding_line)
    if decoded is not None:
        decoded.text.encode()


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_says_the_encoding_and_goes(mark, name):
    assert decode(mark + "é = 1\r\n".encode(name), coding_line=True) == Decoded("é = 1\r\n", name)


def test_line_ends_are_kept():
    assert decode(b"a\r\nb\rc\n", coding_line=True) == Decoded("a\r\nb\rc\n", "utf-8")


def test_the_coding_line_of_python_counts_and_that_of_others_does_not():
    data = "# -*- coding: latin-1 -*-\nname = 'é'\n".encode("latin-1")
    declared = decode(data, coding_line=True)
    assert declared == Decoded(data.decode("latin-1"), "iso8859-1")
    assert decode(data, coding_line=False) == Decoded(data.decode("latin-1"), "cp1252")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"# coding: utf-8\n", "utf-8"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1251 :\n", "cp1251"),
        (b"\n\n# coding: latin-1\n", None),  # third line
        (b"x = 1\n# coding: latin-1\n", None),  # after code
        (b"# coding: no-such-thing\n", None),
        (b"# coding: punycode\n", None),  # takes quadratic time
    ],
)
def test_declared_encoding(head, expected):
    assert declared_encoding(head) == expected


@pytest.mark.parametrize("name", ["rot13", "zlib", "base64", "unicode_escape", "nothing"])
def test_a_coding_line_that_names_no_charset_is_ignored(name):
    data = f"# coding: {name}\nx = 'ä'\n".encode()
    assert decode(data, coding_line=True) == Decoded(data.decode(), "utf-8")


def test_windows_text_and_the_last_resort():
    assert decode(b"x = '\x93hi\x94'\n", coding_line=True) == Decoded("x = '“hi”'\n", "cp1252")
    assert decode(b"x = '\x81\xe9'\n", coding_line=True) == Decoded("x = '\x81é'\n", "latin-1")


@pytest.mark.parametrize("data", [b"\x7fELF\0\0", bytes(range(1, 256)), b"PK\x03\x04\0"])
def test_binary_files_are_not_text(data):
    assert decode(data, coding_line=True) is None


def test_lone_surrogates_are_replaced():
    assert clean("a\ud800b") == "a\ufffdb"
    data = b"# coding: utf-7\n+2AA-\n"
    assert decode(data, coding_line=True) == Decoded("# coding: utf-7\n\ufffd\n", "utf-7")

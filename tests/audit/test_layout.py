"""Functions and prose, also in broken source."""

from __future__ import annotations

import ast
import time

from tasks.audit.layout import function_source, layout

SOURCE = b'''"""Module."""
class A:
    """Class."""

    @property
    def f(self):  # note
        """Method
of two lines."""
        text = "not prose"
        async def g(): return """
x"""
        return g
'''


def cut(source: bytes, spans: list[tuple[int, int]]) -> list[bytes]:
    return [source[start:end] for start, end in spans]


def test_functions_comments_and_docstrings():
    shape = layout(SOURCE, [(0, len(SOURCE))])
    assert [text[:14] for text in cut(SOURCE, shape.functions)] == [
        b"def f(self):  ", b"async def g():",
    ]  # fmt: skip
    assert cut(SOURCE, shape.prose) == [
        b'"""Module."""',
        b'"""Class."""',
        b"# note",
        b'"""Method\nof two lines."""',
    ]


def test_a_nested_function_parses_with_its_strings_as_they_are():
    shape = layout(SOURCE, [(0, len(SOURCE))])
    method, inner = (ast.parse(function_source(SOURCE, span)) for span in shape.functions)
    assert "'\\nx'" in ast.dump(method)
    assert "'\\nx'" in ast.dump(inner)


def test_regions_only_and_spans_into_the_whole():
    text = b"# def no(): 1\n```\ndef yes(): return 1\n```\n"
    start = text.index(b"def yes")
    shape = layout(text, [(start, start + 20)])
    assert cut(text, shape.functions) == [b"def yes(): return 1"]
    assert shape.prose == []


def test_functions_around_an_error_are_found():
    source = b"def a():\n    return 1\n\nprint 'two'\n\ndef b(:\n\ndef c():\n    return 3\n"
    found = cut(source, layout(source, [(0, len(source))]).functions)
    assert b"def a():\n    return 1" in found
    assert b"def c():\n    return 3" in found


def test_a_million_open_brackets_cost_no_time():
    source = b"def f(): pass\n" + b"(" * 1_000_000
    begun = time.perf_counter()
    assert layout(source, [(0, len(source))]).functions == []
    assert time.perf_counter() - begun < 5

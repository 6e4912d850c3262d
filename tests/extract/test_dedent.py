"""Texts of nodes lose the indentation of their first line."""

from __future__ import annotations

import pytest

from tasks.extract.dedent import dedented


@pytest.mark.parametrize(
    ("source", "start", "expected"),
    [
        (b"if a:\n    b\n", 0, b"if a:\n    b\n"),
        (b"x\n    if a:\n        b\n\n    c", 6, b"if a:\n    b\n\nc"),
        (b"x\n\tif a:\n\t\tb", 3, b"if a:\n\tb"),
        (b"x\r\n  if a:\r\n    b\r\n", 5, b"if a:\r\n  b\r\n"),
        (b"  if a:\n    '''\nx\n    '''", 2, b"if a:\n  '''\nx\n  '''"),
        (b"  a; if b:\n    c", 5, b"if b:\n  c"),
        (b"a; if b:\n  c", 3, b"if b:\n  c"),
    ],
)
def test_the_indentation_of_the_first_line_goes(source, start, expected):
    assert dedented(source, start, len(source)) == expected


def test_the_end_is_kept_exactly():
    assert dedented(b"  ab\n  cd", 2, 3) == b"a"

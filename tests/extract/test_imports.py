"""What import statements make names stand for."""

from __future__ import annotations

import pytest

from tasks.extract.imports import aliases_of, module_name


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("a/b.py", "a.b"),
        ("a/__init__.py", "a"),
        ("__init__.py", "__init__"),
        ("src/a/b.py", "a.b"),
        ("src.py", "src"),
        ("answers.jsonl#3", "answers.jsonl#3"),
    ],
)
def test_module_names_follow_paths(path, module):
    assert module_name(path) == module


@pytest.mark.parametrize(
    ("statement", "aliases", "stars"),
    [
        (b"import a", {"a": ("a",)}, ()),
        (b"import a.b, c as d", {"a": ("a",), "d": ("c",)}, ()),
        (b"import a.b as c", {"c": ("a.b",)}, ()),
        (b"from a.b import c as d, e", {"d": ("a.b.c",), "e": ("a.b.e",)}, ()),
        (b"from a import (b,  # why\n  c,)", {"b": ("a.b",), "c": ("a.c",)}, ()),
        (b"from a import \\\n  b", {"b": ("a.b",)}, ()),
        (b"from . import a", {"a": ("p.q.a",)}, ()),
        (b"from .. import a", {"a": ("p.a",)}, ()),
        (b"from ..r.s import a", {"a": ("p.r.s.a",)}, ()),
        (b"from .....x import a", {"a": ("x.a",)}, ()),
        (b"from a import *", {}, ("a",)),
        (b"import", {}, ()),
    ],
)
def test_targets_are_absolute(statement, aliases, stars):
    assert aliases_of([statement], module="p.q.m", package=False) == (aliases, stars)


def test_a_package_is_its_own_base_and_alternatives_keep_their_order():
    statements = [b"from .a import f", b"from .b import f", b"from .a import f"]
    aliases, _ = aliases_of(statements, module="p", package=True)
    assert aliases == {"f": ("p.a.f", "p.b.f")}

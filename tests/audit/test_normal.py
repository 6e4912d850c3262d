"""What a copier changes does not change the normal form; what a programmer changes does."""

from __future__ import annotations

import re
import textwrap

import pytest

from tasks.audit.normal import normal_digest

BASE = '''
def total(numbers, limit=10):
    """Sum those below the limit."""
    if limit < 0:
        raise ValueError("negative")
    result = 0
    for number in numbers:
        if number < limit:
            result += len(str(number))
    return result
'''
COPIES = {
    "renamed": BASE.replace("numbers", "xs").replace("result", "acc").replace("total", "f"),
    "annotated": BASE.replace("numbers,", "numbers: list[int],").replace("10):", "10) -> int:"),
    "annotated assignment": BASE.replace("result = 0", "result: int = 0"),
    "bare annotation": BASE.replace("    result = 0", "    result: int\n    result = 0"),
    "no docstring": BASE.replace('    """Sum those below the limit."""\n', ""),
    "commented": BASE.replace("result = 0", "result = 0  # start"),
    "other message": BASE.replace('"negative"', 'f"{limit} < 0"'),
    "parentheses": BASE.replace("return result", "return (result)"),
    "pass": BASE.replace("    result = 0", "    pass\n    result = 0"),
    "decorated": "\n@cache" + BASE,
    "method": "class A:\n"
    + textwrap.indent(BASE.replace("total(numbers", "total(self, numbers"), "    "),
    "nested": "def outer():\n" + textwrap.indent(BASE, "    "),
}
OTHERS = {
    "operator": BASE.replace("number < limit", "number <= limit"),
    "number": BASE.replace("result = 0", "result = 1"),
    "default": BASE.replace("limit=10", "limit=11"),
    "called function": BASE.replace("str(", "repr("),
    "attribute": BASE.replace("str(number)", "number.real"),
    "parameters": BASE.replace("limit=10", "limit=10, more=1"),
    "swapped names": BASE.replace("number < limit", "limit < number"),
    "exception": BASE.replace("ValueError", "TypeError"),
    "async": BASE.replace("def ", "async def "),
    "string": BASE.replace("str(number)", "'number'"),
}


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES.keys())
def test_copies_are_equal(copy: str):
    name = "f" if "def f(" in copy else "total"
    assert normal_digest(copy, name) == normal_digest(BASE, "total") is not None


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_others_are_not(other: str):
    assert normal_digest(other, "total") not in (None, normal_digest(BASE, "total"))


def same(left: str, right: str) -> bool:
    first, second = normal_digest(left), normal_digest(right)
    assert first
    assert second
    return first == second


def test_recursion_is_told_from_a_call_of_another_function():
    recursive = "def f(n): return f(n - 1)"
    assert same(recursive, "def g(m): return g(m - 1)")
    assert same(recursive, "class A:\n  def h(self, k): return self.h(k - 1)")
    assert not same(recursive, "def g(n): return f(n - 1)")
    assert not same(recursive, "def g(n, f): return f(n - 1)")


def test_every_kind_of_binding_is_renamed():
    source = """
def f(a, /, b, *c, d=1, **e):
    import os.path
    import re as r
    global counter
    counter = 1
    class K: pass
    def inner(z): return z
    with open(a) as g, b as (h, i):
        pass
    try:
        j = [k for k in c if (m := k)]
    except OSError as n:
        del j
    match d:
        case {"x": o, **p}: return lambda q: q + o
        case [s, *t] | K(u=s, v=t): return s
        case w: return r, os, K, inner, m, n, p, w, e, h, i, g
"""
    names = ["a", "b", "c", "d", "e", "g", "h", "i", "j", "k", "m", "n", "o", "p", "q", "s", "t"]
    renamed = source
    for name in [*names, "w", "z", "inner", "r", "K"]:
        renamed = re.sub(rf"\b{name}\b(?!=)", f"{name}_", renamed)
    renamed = renamed.replace("d=1", "d_=1")
    assert renamed.count("_") > 30
    assert same(source, renamed)
    assert not same(source, renamed.replace("counter", "other"))
    assert not same(source, renamed.replace("import re ", "import ast "))


def test_keyword_arguments_and_free_names_are_kept():
    assert not same("def f(x): return sorted(x, key=len)", "def f(x): return sorted(x, cmp=len)")
    assert same("def f(key): return g(key=key)", "def f(k): return g(key=k)")


@pytest.mark.parametrize(
    "source",
    ["x = 1", "def f(:", "def f(): return '\0'", "", "def f(): return " + "(" * 5000, "def f(): "],
)
def test_what_has_no_normal_form(source: str):
    assert normal_digest(source) is None


def test_very_deep_source_is_given_up_without_an_error():
    deep = "def f(x): return " + "-" * 20_000 + "x"
    assert normal_digest(deep) is None
    assert normal_digest("def f(x): return " + "+".join(["x"] * 20_000)) is None


def test_the_last_function_of_the_name_counts():
    source = "def f(): return 1\ndef g(): return 2\ndef f(): return 3"
    assert normal_digest(source, "f") == normal_digest("def h(): return 3")
    assert normal_digest(source) == normal_digest("def h(): return 1")
    assert normal_digest(source, "k") is None

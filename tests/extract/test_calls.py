"""Which function a call is resolved to."""

from __future__ import annotations

import pytest

from tests.extract.corpus import extracted


def calls(folder, **modules):
    """(caller, callee) of all resolved calls, and the counts."""
    files = {name.replace("__", "/") + ".py": text for name, text in modules.items()}
    return calls_of_files(folder, files)


def calls_of_files(folder, files):
    found = extracted(folder, files)
    return [(src, dst) for src, _, dst in found.triples("calls")], found.summary["calls"]


CLASSES = """
def helper(): pass
def own(): pass
class A:
    def own(self): pass
    def run(self):
        self.own()
        own()
        helper()
        other.own()
        def inner(): self.own()
class B(A):
    def more(self):
        self.own()
        super().run()
        A.run(self)
"""


def test_same_class_comes_before_same_module_and_bases_count_as_the_class(tmp_path):
    assert calls(tmp_path, m=CLASSES)[0] == [
        ("m.A.run", "m.A.own"),
        ("m.A.run", "m.own"),
        ("m.A.run", "m.helper"),
        ("m.A.run", "m.A.own"),
        ("m.A.run.inner", "m.A.own"),
        ("m.B.more", "m.A.own"),
        ("m.B.more", "m.A.run"),
        ("m.B.more", "m.A.run"),
    ]


def test_bare_names_see_enclosing_functions_but_not_classes(tmp_path):
    text = """
class C:
    def f(self): pass
    def g(self): f()
def outer():
    def f(): pass
    def user():
        f()
    f()
def away(): f()
"""
    assert calls(tmp_path, m=text)[0] == [("m.outer.user", "m.outer.f"), ("m.outer", "m.outer.f")]


def test_imports_are_followed_through_packages_stars_and_aliases(tmp_path):
    files = {
        "pkg/__init__.py": "from .sub import f as g\nfrom .more import *\n",
        "pkg/sub.py": "def f(): pass\nclass K:\n    def make(self): pass\n",
        "pkg/more.py": "def h(): pass\n",
        "use.py": """
import pkg, numpy as np
import pkg.sub
from pkg import g as renamed
from pkg.sub import K
from pkg import *
def user():
    pkg.g(); pkg.h(); pkg.sub.f(); renamed(); K.make(0); h()
    np.f(); g()
""",
    }
    found, counts = calls_of_files(tmp_path, files)
    assert [callee for _, callee in found] == [
        "pkg.sub.f", "pkg.more.h", "pkg.sub.f", "pkg.sub.f", "pkg.sub.K.make", "pkg.more.h",
        "pkg.sub.f",
    ]  # fmt: skip
    assert (counts["imported"], counts["unknown"]) == (7, 1)


def test_unique_in_the_corpus_is_the_last_resort_and_ambiguity_is_counted(tmp_path):
    found, counts = calls(
        tmp_path,
        a="def lonely(): pass\ndef twice(): pass\nclass A:\n    def act(self): pass\n",
        b="def twice(): pass\nclass B:\n    def do(self): pass\n",
        use="""
def user(x, callback):
    lonely(); twice(); x.act(); x.y.do(); x[0].do()
    x.append(1); print(x); callback(); x()(); nowhere(); f(x).do()
""",
    )
    assert [callee for _, callee in found] == [
        "a.lonely", "a.A.act", "b.B.do", "b.B.do", "b.B.do",
    ]  # fmt: skip
    assert counts["ambiguous"] == 1
    assert counts["unique"] == 5


def test_a_variable_of_the_same_name_is_not_the_function(tmp_path):
    text = "def user(lonely):\n    lonely()\ndef other():\n    for lonely in x: lonely()\n"
    assert calls(tmp_path, a="def lonely(): pass\n", use=text)[0] == []


def test_two_methods_of_one_name_in_a_module_are_ambiguous(tmp_path):
    text = """
class A:
    def act(self): pass
class B:
    def act(self): pass
def f(x): x.act()
"""
    found, counts = calls(tmp_path, m=text)
    assert (found, counts["ambiguous"]) == ([], 1)


def test_the_last_definition_of_a_name_stands(tmp_path):
    found = extracted(tmp_path, {"m.py": "def f(): 1\ndef f(): 2\ndef g(): f()\n"})
    (call,) = found.edges.filter(found.edges["type"] == "calls").iter_rows(named=True)
    name = found.nodes.filter(found.nodes["node_id"] == call["dst"])
    assert name["start_byte"].item() == len("def f(): 1\ndef ")
    assert (call["start_byte"], call["end_byte"]) == (31, 34)


@pytest.mark.parametrize(
    ("expression", "start", "end"),
    [("f(1, 2)", 0, 7), ("g(f(1))", 2, 6), ("x.y(0).f( )", None, None), ("f (3)", 0, 5)],
)
def test_spans_are_those_of_the_call_expression(tmp_path, expression, start, end):
    head = "def f(): pass\ndef user():\n    "
    found = extracted(tmp_path, {"m.py": f"{head}{expression}\n"})
    rows = found.edges.filter(found.edges["type"] == "calls").select("start_byte", "end_byte")
    expected = [] if start is None else [(len(head) + start, len(head) + end)]
    assert rows.rows() == expected


def test_calls_hang_from_the_innermost_block_and_decorators_from_their_function(tmp_path):
    text = "def f(): pass\n@f()\ndef g(a=f()):\n    if a:\n        f()\n    with f(): pass\n"
    assert [src for src, _ in calls(tmp_path, m=text)[0]] == ["m.g", "m.g", "m.g.if", "m.g.with"]

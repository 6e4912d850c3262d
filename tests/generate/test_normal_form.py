"""The normal form of candidates (SPEC 1.4)."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.generate.normal_form import normal_form

SOLUTION = "def add(a, b):\n    return a + b\n"


def form(program: str, entry_point: str = "add") -> str:
    return normal_form(dedent(program), entry_point)


@pytest.mark.parametrize(
    "exercise",
    [
        "assert add(1, 2) == 3",
        "assert True",
        "print(add(1, 2))",
        "print('done')",
        "add(1, 2)",
        "add(1, 2).real",
        "for n in range(3):\n    assert add(n, 0) == n",
        "for n in range(3):\n    print(n)",
        "try:\n    add(1, 'x')\nexcept TypeError:\n    pass",
        "result = add(1, 2)",
        "total = 0\ntotal += add(1, 2)\nprint(total)",
        "if __name__ == '__main__':\n    import doctest\n    doctest.testmod()",
        "if '__main__' == __name__:\n    x = 1\nelse:\n    x = 2",
        "import doctest\ndoctest.testmod()",
        "import unittest\nunittest.main()",
        "def check(candidate):\n    assert candidate(1, 2) == 3\ncheck(add)",
        "def check(candidate):\n    assert candidate(1, 2) == 3\npassed = check(add)",
        "twice = lambda x: add(x, x)\ntwice(2)",
        "class Test:\n    pass\nTest().run()",
        "exit()",
        '"""Examples follow."""',
        "# a remark",
    ],
)
def test_what_only_exercises_the_program_goes(exercise):
    """What is left runs without calling `add`, whose body would raise."""
    program = f"def add(a, b):\n    raise SystemExit('called')\n{exercise}\n"
    left = normal_form(program, "add")
    namespace: dict[str, object] = {"__name__": "candidate"}
    exec(left, namespace)  # nothing of it asserts, prints or calls
    assert "add" in namespace
    assert not [n for n in ast.walk(ast.parse(left)) if isinstance(n, ast.Expr)]


@pytest.mark.parametrize(
    "needed",
    [
        "import math",
        "from typing import List, Tuple",
        "import sys\n\nsys.setrecursionlimit(10000)",
        "LIMIT = 10",
        "LIMIT: int = 10",
        "A, B = 1, 2",
        "count = 0\n\ncount += 1",
        "class Node:\n    pass",
        "async def later():\n    return 1",
        "@staticmethod\ndef other():\n    return 1",
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None",
        "if True:\n    LIMIT = 1",
        "import random\n\nrandom.seed(0)",
        "table = {}\n\ntable.update(a=1)",
        "x = 'a\\x0cb'",
        "text = '''two\nlines'''",
        "square = lambda x: x * x",
    ],
)
def test_what_the_program_needs_stays(needed):
    expected = f"{needed}\n\n{SOLUTION}"
    assert normal_form(f"{needed}\n\n\n{SOLUTION}", "add") == expected


@pytest.mark.parametrize("test", ["__name__ == '__main__'", "'__main__' == __name__"])
def test_a_main_guard_goes_whole(test):
    assert normal_form(f"{SOLUTION}\nif {test}:\n    LIMIT = 1\nelse:\n    LIMIT = 2\n", "add") == (
        SOLUTION
    )


def test_an_assignment_from_own_code_stays_where_it_is_read():
    program = """
        def sieve(n):
            return list(range(2, n))

        BASE = sieve(10)
        PRIMES = BASE + sieve(5)
        example = sieve(3)
        calls = len(sieve(1))
        add = sieve

        def is_prime(n):
            global calls
            calls += 1
            return n in PRIMES
    """
    kept = form(program)
    assert "BASE = sieve(10)" in kept
    assert "PRIMES = BASE + sieve(5)" in kept
    assert "calls = len(sieve(1))" in kept
    assert "example" not in kept


def test_an_entry_point_made_by_own_code_stays():
    program = "def make():\n    return lambda a, b: a + b\n\nadd = make()\n"
    assert normal_form(program, "add") == program


def test_echoed_benchmark_asserts_make_no_difference():
    """Fault 1 of SPEC 1.4: candidates that carry the asserts made the filter an answer key."""
    right, wrong = SOLUTION, SOLUTION.replace("+", "-")
    asserts = "\nassert add(1, 2) == 3\nassert add(0, 0) == 0\n"
    for bare in (right, wrong):
        assert normal_form(bare + asserts, "add") == normal_form(bare, "add")
        exec(normal_form(bare + asserts, "add"), {})


def test_a_function_keeps_its_own_asserts_prints_and_decorators():
    program = (
        "import functools\n\n@functools.cache\ndef add(a, b):\n"
        "    assert a is not None  # guard\n    print(a)\n    return a + b\n"
    )
    assert normal_form(program, "add") == program


def test_statements_on_one_line_are_told_apart():
    assert normal_form("x = 'é'; print(x); y = 2\n", "add") == "x = 'é'\n\ny = 2\n"


def test_line_ends_that_python_does_not_know_do_not_shift_lines():
    program = "x = 1\nnote = 'a\x0cb\x1cc\u2028d'\nprint(x)\ny = 2\n"
    assert normal_form(program, "add") == "x = 1\n\nnote = 'a\x0cb\x1cc\u2028d'\n\ny = 2\n"
    assert normal_form("x = 1\r\nprint(x)\r\ny = 2\r\n", "add") == "x = 1\n\ny = 2\n"


def test_a_reply_cut_in_the_middle_ends_at_its_last_whole_line():
    program = SOLUTION + "\n# Test\nassert add(1,"
    assert normal_form(program, "add") == SOLUTION


@pytest.mark.parametrize(
    "program",
    [
        "def add(a, b):\n    return a +",
        'def add(a, b):\n    """Add."""\n    return a + (',
        "import math\nx = (",
        "this is some prose",
        "x = '\x00'",
    ],
)
def test_a_program_without_a_whole_entry_point_is_left_as_it_is(program):
    assert normal_form(program, "add") == program


def test_an_empty_program_stays_empty():
    assert normal_form("", "add") == ""


NAMES = st.sampled_from(["a", "b", "add", "helper", "TABLE"])
VALUES = st.sampled_from(["1", "'é'", "[]", "a", "add(1, 2)", "helper(TABLE)", "lambda x: x", "{}"])
STATEMENTS = st.one_of(
    st.builds("{} = {}".format, NAMES, VALUES),
    st.builds("{}: object = {}".format, NAMES, VALUES),
    st.builds("{} += {}".format, NAMES, VALUES),
    st.builds("{}".format, VALUES),
    st.builds("assert {}".format, VALUES),
    st.builds("print({})".format, VALUES),
    st.builds("{0} = 1; print({0}); {0} = {1}".format, NAMES, VALUES),
    st.builds("def {}(x):\n    y = {}\n    assert y\n    return y".format, NAMES, VALUES),
    st.builds("class {}:\n    field = {}".format, NAMES, VALUES),
    st.builds("if __name__ == '__main__':\n    {}".format, VALUES),
    st.builds("for i in []:\n    {} = {}".format, NAMES, VALUES),
    st.builds("with open({}) as f:\n    print({})".format, VALUES, VALUES),
    st.builds("TEXT = '''{}\n\x0c{} '''".format, NAMES, VALUES),
    st.sampled_from(["import math", "from os import path", "# remark", "@print\ndef a(): pass"]),
)
PROGRAMS = st.lists(STATEMENTS, max_size=12).map("\n".join)


@settings(max_examples=300, deadline=None)
@given(PROGRAMS)
def test_laws_of_programs_that_parse(program):
    ast.parse(program)
    once = normal_form(program, "add")
    left, given_ = ast.parse(once).body, [ast.dump(node) for node in ast.parse(program).body]
    assert normal_form(once, "add") == once
    assert not [node for node in left if isinstance(node, ast.Assert)]
    assert "print(" not in once.replace("@print", "")
    # What is left are statements of the program, in their order.
    rest = iter(given_)
    assert all(ast.dump(node) in rest for node in left)
    kept = [ast.dump(node) for node in left]
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    wanted = [ast.dump(node) for node in ast.parse(program).body if isinstance(node, kinds)]
    assert [node for node in kept if node in wanted] == wanted


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="def ad(x):\n\t'\"#\\;=1é\x0c\x1c\u2028\r", max_size=40))
def test_any_text_has_a_normal_form_that_is_its_own(text):
    once = normal_form(text, "add")
    assert normal_form(once, "add") == once

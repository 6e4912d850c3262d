import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.problems.examples import visible_examples

LITERALS = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.text("ab ,()[]'\"=>.", max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner),
    max_leaves=4,
)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("f(1, 'a)') == [1, 2]", "[1, 2]"),
        ("f(1, 'a)') => true", "True"),
        ("* f(1, 'a)') ==> 2.5", "2.5"),
        ("f(1, 'a)') ➞ (1, 2) # because", "(1, 2)"),
        ("f(1, 'a)') returns 'x'", "'x'"),
        ("f(1, 'a)') should return 16.", "16"),
        ("f(1, 'a)')   # returns None", "None"),
        (">>> f(1, 'a)')\n    {'k': 1}", "{'k': 1}"),
    ],
)
def test_each_way_of_showing_an_example(line, value):
    prompt = f'def f(x, s):\n    """Do it.\n    {line}\n    """\n'
    assert visible_examples(prompt, "f") == f">>> f(1, 'a)')\n{value}\n"


@pytest.mark.parametrize(
    "line",
    [
        "f(a, b) => True",  # arguments are names
        "f(1) -> 19 - 5 - 6 = 8",  # more than a literal stands there
        "f(1) gives 2",  # no relation
        "g(1) == 2",  # another function
        "self.f(1) == 2",  # a method
        "f(1)\n    2",  # not on a prompt
    ],
)
def test_nothing_is_guessed(line):
    assert visible_examples(f'def f(x):\n    """{line}\n    """\n', "f") == ""


def test_doubled_examples_are_given_once():
    assert visible_examples("f(1) == 2\nf(1) => 2\nf(2) == 3", "f") == (
        ">>> f(1)\n2\n>>> f(2)\n3\n"
    )


@given(argument=LITERALS, value=LITERALS)
def test_a_doctest_example_comes_back_as_it_is(argument, value):
    found = visible_examples(f">>> f({argument!r})\n{value!r}\n", "f").splitlines()
    if " #" not in repr(value):
        assert ast.literal_eval(found[0].removeprefix(">>> f(").removesuffix(")")) == argument
        assert ast.literal_eval(found[1]) == value

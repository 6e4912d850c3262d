import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.execute.static import names_error, parse_error, undefined_names


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("x = 1", ""),
        ("", ""),
        ("def f(:", "SyntaxError"),
        ("def f():\nreturn 1", "IndentationError"),
        ("if 1:\n\tx = 1\n        y = 2", "TabError"),
        ("x = '\\d'", ""),  # only a warning
        ("```python\nx = 1\n```", "SyntaxError"),
    ],
)
def test_parse(code, error):
    assert parse_error(code) == error


@pytest.mark.parametrize("code", ["x = " + "(" * 5000 + ")" * 5000, "x = " + "-" * 100_000 + "1"])
def test_hostile_nesting_is_an_error_not_a_crash(code):
    assert parse_error(code) in ("SyntaxError", "MemoryError", "RecursionError")
    assert names_error(code) == parse_error(code)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import math\ndef f(x): return math.sqrt(x)", []),
        ("def f(x): return math.sqrt(x)", ["math"]),
        ("def f(xs: List[int]) -> Tuple: return g(xs)", ["List", "Tuple", "g"]),
        ("def f(): return g()\ndef g(): return f()", []),
        ("print(__name__, len([]))", []),
        ("def f():\n    global count\n    count = 1\n    return count", []),
        ("from math import *\ndef f(x): return sqrt(x)", []),
    ],
)
def test_undefined_names(code, names):
    assert undefined_names(code) == names
    assert names_error(code) == ("NameError" if names else "")


@given(st.text(max_size=40))
def test_any_text_gets_an_answer(code):
    if parse_error(code):
        assert names_error(code)
    else:
        assert names_error(code) in ("", "NameError")

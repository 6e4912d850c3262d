import re

from hypothesis import given
from hypothesis import strategies as st

from tasks.page.highlight import runs, units


def length(encoded: str) -> int:
    return sum(int(re.sub(r"^[a-z]", "", run)) for run in encoded.split())


def test_runs_of_a_function():
    assert runs('def f(x):  # why\n    return len("a")', "python") == (
        "k3 1 f1 6 c5 5 k6 1 b3 1 s3 1"
    )


def test_units_are_those_of_javascript():
    assert units("a") == 1
    assert units("é") == 1
    assert units("\N{SNAKE}") == 2
    assert length(runs("'\N{SNAKE}'", "python")) == 4


def test_an_unknown_language_is_plain():
    assert runs("abc", "no such language") == "3"
    assert runs("", "no such language") == ""


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
def test_runs_cover_the_text(text):
    assert length(runs(text, "python")) == units(text)
    assert length(runs(text, "no such language")) == units(text)

"""Tokens of anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.lexer import tokens


def words(text: str) -> list[str]:
    return [word.decode() for word in tokens(text.encode()).words]


def test_code_prose_and_what_is_no_token():
    source = 'def F(x, y_1):\n    """Add them."""  # quickly\n    return x**2 <= 1.5e3 + \\\n y_1'
    expected = "def f ( x , y_1 ) : add them . quickly return x ** 2 <= 1.5e3 + y_1"
    assert " ".join(words(source)) == expected


def test_layout_quotes_prefixes_and_doctest_prompts_do_not_matter():
    assert words(">>> f(b'a', rb\"b\", f'''c''')") == words('f ( "a" , "b" , "c" )')


def test_a_letter_that_is_no_prefix_stays():
    assert words("b = xr'' + r + rb") == ["b", "=", "xr", "+", "r", "+", "rb"]


def test_text_that_does_not_parse():
    assert words("def broken(:\n\treturn 'open\x00 ünï") == [
        "def", "broken", "(", ":", "return", "open", "ünï",
    ]  # fmt: skip


@given(st.binary(max_size=200))
def test_every_token_starts_where_it_says(data):
    found = tokens(data)
    assert sorted(set(found.starts.tolist())) == found.starts.tolist()
    for word, start in zip(found.words, found.starts.tolist(), strict=True):
        assert data[start : start + len(word)].lower() == word


def test_spans_to_ranges_and_cuts():
    found = tokens(b"a b c d e")
    assert found.within(2, 7) == (1, 4)
    rest = found.without([(0, 1), (4, 6)])
    assert rest.words == [b"b", b"d", b"e"]
    assert rest.starts.tolist() == [2, 6, 8]

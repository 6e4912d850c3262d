from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from tasks.embed.chunks import chunks


def cut(text: str, *, size: int, overlap: float = 0.2) -> list[str]:
    return [text[start:end] for start, end in chunks(text, size=size, overlap=overlap)]


def test_whole_lines_and_the_last_of_them_again():
    text = "aaa\nbbb\nccc\nddd\neee\n"
    assert cut(text, size=12, overlap=0.4) == ["aaa\nbbb\nccc\n", "ccc\nddd\neee\n"]
    assert cut(text, size=12, overlap=0.3) == ["aaa\nbbb\nccc\n", "ddd\neee\n"]
    assert cut(text, size=100) == [text]


def test_a_line_longer_than_a_chunk_is_cut():
    assert cut("ab\n" + "x" * 25 + "\ncd", size=10, overlap=0.0) == [
        "ab\n",
        "x" * 10,
        "x" * 10,
        "xxxxx\ncd",
    ]


def test_white_space_alone_is_no_chunk():
    assert cut("", size=10) == []
    assert cut("\n\n  \n", size=2, overlap=0.0) == []
    assert cut("a\n" + "\n" * 30 + "b\n", size=4, overlap=0.0) == ["a\n\n\n", "b\n"]


@given(
    st.text(alphabet="ab é\n\r\t", max_size=300),
    st.integers(1, 40),
    st.floats(0.0, 0.99),
)
@example(text="\naaaaaa\naaaaaaaa", size=14, overlap=0.5)  # the overlap left no room for a line
def test_laws(text: str, size: int, overlap: float):
    spans = list(chunks(text, size=size, overlap=overlap))
    covered = {position for start, end in spans for position in range(start, end)}
    assert all(text[i].isspace() for i in set(range(len(text))) - covered)
    assert all(0 < end - start <= size for start, end in spans)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(spans))
    assert all(b - c <= overlap * size for (_, b), (c, _) in pairwise(spans))
    for start, end in spans:
        inside_long_line = "\n" not in text[start:end] and end - start == size
        assert end == len(text) or text[end - 1] == "\n" or inside_long_line

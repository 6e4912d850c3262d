from hypothesis import given
from hypothesis import strategies as st

from tasks.page.diff import diff_rows, line_marks

LINES = st.lists(st.sampled_from(["a", "b = 1", "b = 2", "", "\N{SNAKE} x"]), max_size=8)


def test_a_changed_line_is_marked_inside():
    rows = diff_rows("a\nreturn x + 1\nz", "a\nreturn y + 1\nz\nnew")
    assert rows == [
        ["=", 0, 0, 1],
        ["-", 1, [[7, 8]]],
        ["+", 1, [[7, 8]]],
        ["=", 2, 2, 1],
        ["+", 3, []],
    ]


def test_lines_that_are_hardly_alike_have_no_marks():
    assert line_marks("import os", "x = [1, 2]") == ([], [])


def test_positions_are_utf16():
    assert line_marks("f('\N{SNAKE}', a)", "f('\N{SNAKE}', b)") == ([[8, 9]], [[8, 9]])


def test_equal_texts_have_no_rows():
    assert diff_rows("a\nb", "a\nb") == []


@given(LINES, LINES)
def test_the_rows_hold_both_texts(before, after):
    old, new = "\n".join(before), "\n".join(after)
    olds, news = old.split("\n"), new.split("\n")
    left: list[str] = []
    right: list[str] = []
    for op, first, *rest in diff_rows(old, new):
        if op == "=":
            left += range(first, first + rest[1])
            right += range(rest[0], rest[0] + rest[1])
            assert olds[first : first + rest[1]] == news[rest[0] : rest[0] + rest[1]]
        else:
            (left if op == "-" else right).append(first)
    if old != new:
        assert left == list(range(len(olds)))
        assert right == list(range(len(news)))

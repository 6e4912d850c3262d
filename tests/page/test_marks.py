from hypothesis import given
from hypothesis import strategies as st

from tasks.page.marks import pieces


def test_pruned_branch_and_budget():
    full = "def f():\n    if a:\n        one()\n    two()\n    return 1"
    shown = "def f():\n    two()"
    assert pieces(full, [(8, 32)], shown) == [
        ("kept", "def f():"),
        ("pruned", "\n    if a:\n        one()"),
        ("kept", "\n    two()"),
        ("cut", "\n    return 1"),
    ]


def test_a_body_that_became_empty_has_a_filler():
    full = "def f():\n    one()\nx = 1"
    assert pieces(full, [(8, 18)], "def f():\n    ...\nx = 1") == [
        ("kept", "def f():"),
        ("pruned", "\n    one()"),
        ("added", "\n    ..."),
        ("kept", "\nx = 1"),
    ]


def test_bodies_of_called_functions_are_added():
    assert pieces("f()", [], "f()\n\ndef f(): pass") == [
        ("kept", "f()"),
        ("added", "\n\ndef f(): pass"),
    ]


def test_an_ellipsis_of_the_text_is_no_filler():
    assert pieces("a\nb\n...", [(1, 3)], "a\n...") == [
        ("kept", "a"),
        ("pruned", "\nb"),
        ("kept", "\n..."),
    ]


def test_nothing_shown():
    assert pieces("abc", [], "") == [("cut", "abc")]
    assert pieces("", [], "") == []


@st.composite
def cases(draw):
    full = draw(st.text(alphabet="ab\n .", max_size=30))
    ends = sorted(draw(st.lists(st.integers(0, len(full)), max_size=6)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    return full, spans, draw(st.text(alphabet="ab\n .", max_size=30))


@given(cases())
def test_pieces_make_both_texts(case):
    full, spans, shown = case
    found = pieces(full, spans, shown)
    assert "".join(t for k, t in found if k in ("kept", "added")) == shown
    assert "".join(t for k, t in found if k != "added") == full

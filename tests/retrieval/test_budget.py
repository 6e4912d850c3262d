"""The token budget: never exceeded, cut at line ends, everything accounted for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tasks.retrieval.budget import CountTokens, cut_to, to_contexts
from tasks.retrieval.types import Hit

TEXT = st.text(alphabet="ab \nü", max_size=60)


def words(text: str) -> int:
    """A tokenizer with a token a word and one a line end."""
    return len(text.split()) + text.count("\n")


def rough(text: str) -> int:
    """One whose count falls where a text grows: 'ab' is one token, 'a' and 'b' are two."""
    return len(text) - text.count("ab") - 2 * text.count("b\na")


def hit(text: str, name: str = "n") -> Hit:
    return Hit(name, "d", 0.5, text=text, full=text)


def test_a_text_that_fits_is_left_alone() -> None:
    assert cut_to("a b\nc\n", 5, words, inside_line=True) == "a b\nc\n"


def test_a_cut_ends_at_a_line_end() -> None:
    assert cut_to("a b\nc d\ne f", 6, words, inside_line=True) == "a b\nc d"


def test_a_long_first_line_is_cut_inside_or_dropped() -> None:
    assert cut_to("a b c d\ne", 2, words, inside_line=True).strip() == "a b"
    assert cut_to("a b c d\ne", 2, words, inside_line=False) == ""


@given(st.lists(TEXT, max_size=4), st.integers(1, 20), st.sampled_from([words, rough]))
def test_contexts_stay_within_the_budget(texts: list[str], budget: int, count: CountTokens) -> None:
    contexts = to_contexts(
        "t", "c", [hit(t) for t in texts], token_budget=budget, count_tokens=count
    )
    assert sum(context.tokens for context in contexts) <= budget
    assert [context.rank for context in contexts] == list(range(len(contexts)))
    for context in contexts:
        assert context.tokens == count(context.text)
        assert context.text.strip()
        assert context.full.startswith(context.text)
    if contexts:
        everything = sum(count(text) for text in texts)
        assert sum(c.tokens + c.cut_tokens for c in contexts) == everything


def test_hits_without_room_are_counted_in_the_last_context() -> None:
    hits = [hit("a b\nc", "one"), hit("d e f", "two"), hit("g", "three")]
    contexts = to_contexts("t", "c", hits, token_budget=5, count_tokens=words)
    assert [(c.node_id, c.rank, c.text, c.tokens, c.cut_tokens) for c in contexts] == [
        ("one", 0, "a b\nc", 4, 0),
        ("three", 1, "g", 1, 3),
    ]

"""Laws that hold for every program."""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.ids import digest
from tasks.extract.piece import Piece
from tests.extract.corpus import piece_of, rows_of

SIMPLE = st.sampled_from(["pass", "x = f(1)", "return g(x)[0]", "'''a\n  b'''", "y: int = 2  # c"])
HEADERS = (
    "if a:", "while a:", "for a in b:", "async for a in b:", "with a as b:", "async with a:",
    "def f(a, b=1):", "async def g():", "@d(1)\n@e\ndef h():", "class C(B):", "@d\nclass D:",
)  # fmt: skip
FOLLOWERS = {
    "if a:": ("elif b:", "else:"),
    "while a:": ("else:",),
    "for a in b:": ("else:",),
}


def _indent(text: str) -> str:
    # not textwrap.indent: the inner lines of strings stay where they are
    return "\n".join("    " + line for line in text.split("\n"))


@st.composite
def _compound(draw, bodies):
    header = draw(st.sampled_from([*HEADERS, "try:", "match a:"]))
    if header == "match a:":
        cases = draw(st.lists(bodies, min_size=1, max_size=2))
        return header + "\n" + "\n".join(_indent("case 1:\n" + _indent(body)) for body in cases)
    parts = [header, _indent(draw(bodies))]
    followers = FOLLOWERS.get(header, ())
    if header == "try:":
        followers = draw(
            st.sampled_from(
                [("except E:",), ("except E as e:", "else:", "finally:"), ("finally:",)]
            )
        )
    elif followers:
        followers = followers[: draw(st.integers(0, len(followers)))]
    for follower in followers:
        parts += [follower, _indent(draw(bodies))]
    return "\n".join(parts)


BODIES = st.recursive(
    SIMPLE,
    lambda inner: st.lists(st.one_of(inner, _compound(inner)), min_size=1, max_size=3).map(
        "\n".join
    ),
    max_leaves=12,
)
PROGRAMS = st.tuples(BODIES, st.sampled_from(["\n", "\r\n"])).map(
    lambda pair: (pair[0] + "\n").replace("\n", pair[1])
)


def _expected(text: str) -> tuple[Counter[str], Counter[str]]:
    """Functions by name and compound statements inside functions by kind, told by `ast`."""
    functions: Counter[str] = Counter()
    blocks: Counter[str] = Counter()
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(text), False)]
    while waiting:
        node, inside = waiting.pop()
        function = False
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = True
            functions[node.name] += 1
        if inside:
            blocks[type(node).__name__.removeprefix("Async")] += 1
        waiting.extend((child, inside or function) for child in ast.iter_child_nodes(node))
    return functions, blocks


@settings(max_examples=150, deadline=None)
@given(PROGRAMS)
def test_functions_and_blocks_are_those_that_ast_finds(text):
    functions, blocks = _expected(text)
    piece = piece_of(text)
    assert piece.notes.error_regions == 0
    assert Counter(row["name"] for row in rows_of(piece, "Impl")) == functions
    found = Counter(row["name"] for row in rows_of(piece, "Block"))
    kinds = {
        "for": "For", "while": "While", "with": "With", "try": "Try", "except": "ExceptHandler",
        "match": "Match", "case": "match_case", "def": "FunctionDef", "class": "ClassDef",
    }  # fmt: skip
    assert {kind: found[kind] for kind in kinds} == {
        kind: blocks[name] for kind, name in kinds.items()
    }
    assert found["if"] + found["elif"] == blocks["If"]


@settings(max_examples=100, deadline=None)
@given(PROGRAMS)
def test_spans_slice_to_source_whose_dedented_digest_is_the_content_id(text):
    source = text.encode()
    for row in rows_of(piece_of(text), "Name", "Impl", "Block"):
        span = source[row["start"] : row["end"]].decode()
        if row["type"] == "Name":
            assert span == row["name"]
        column = row["start"] - source.rfind(b"\n", 0, row["start"]) - 1
        dedented = span.replace("\n" + " " * column, "\n") if column else span
        if row["type"] == "Name":
            dedented = span
        assert row["content_id"].hex() == digest(dedented)
        if row["name"] in ("if", "for", "while", "with", "try", "match", "def", "class"):
            assert ast.parse(textwrap.dedent(dedented)).body


def _owner(rows: list[dict[str, Any]], position: int) -> int:
    """Row of the Impl reached by walking up from a block."""
    while rows[position]["type"] == "Block":
        position = rows[position]["parent"]
    return position


@settings(max_examples=150, deadline=None)
@given(PROGRAMS)
def test_every_block_hangs_from_one_parent_that_holds_it_and_leads_to_its_function(text):
    piece = piece_of(text)
    rows = rows_of(piece, "Name", "Impl", "Block")
    assert len({row["node_id"] for row in rows}) == len(rows)
    siblings: dict[int, list[int]] = {}
    for position, row in enumerate(rows):
        if row["type"] != "Block":
            assert row["parent"] == -1
            owner = rows[row["function"]]
            assert owner["type"] == "Impl" and owner["name"] == row["name"]
            continue
        parent = rows[row["parent"]]
        assert row["parent"] < position
        assert parent["start"] <= row["start"] and row["end"] <= parent["end"]
        assert row["depth"] == parent["depth"] + 1
        assert row["function"] == _owner(rows, position)
        siblings.setdefault(row["parent"], []).append(position)
    for members in siblings.values():
        assert [rows[member]["order"] for member in members] == list(range(len(members)))
        ends = [rows[member]["end"] for member in members]
        starts = [rows[member]["start"] for member in members]
        assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="def classif:()[]{}'\"\n\t\\@ax0é#=,.", max_size=200))
def test_no_text_stops_extraction(text):
    source = text.encode()
    for row in rows_of(piece_of(text), "Name", "Impl", "Block"):
        assert 0 <= row["start"] < row["end"] <= len(source)
        source[row["start"] : row["end"]].decode()


@settings(max_examples=30, deadline=None)
@given(PROGRAMS)
def test_a_piece_from_the_store_is_the_piece_that_went_in(text):
    piece = piece_of(text)
    again = Piece.from_bytes(piece.to_bytes())
    assert again.nodes.equals(piece.nodes)
    assert again.calls.equals(piece.calls)
    assert again.notes == piece.notes

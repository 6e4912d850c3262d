"""Cutting branches: what remains is valid Python, and exactly the branch is gone."""

from __future__ import annotations

import ast
from itertools import permutations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tasks.retrieval.branches import Tree, Variant, payload_variant, source_variant
from tasks.retrieval.trees import tree_of
from tasks.retrieval.validity import clause_keyword, is_valid
from tests.retrieval.corpus import graph_only
from tests.retrieval.sources import FUNCTION


def trees(source: str) -> list[tuple[str, Tree]]:
    """(type, tree) of every Impl and Block of a source, in source order."""
    with graph_only({"m.py": source}) as kb:
        nodes = kb.graph.nodes.to_pylist()
        return [
            (node["type"], tree_of(kb, node["node_id"])) for node in nodes if node["type"] != "Name"
        ]


def first_tree(source: str, kind: str = "Impl") -> Tree:
    return next(tree for found, tree in trees(source) if found == kind)


def cut(tree: Tree, *removed: int) -> str | None:
    variant = source_variant(tree, removed)
    return variant.text if variant else None


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(FUNCTION, st.randoms(use_true_random=False))
def test_what_remains_of_any_node_is_valid_python(source: str, random: Random) -> None:
    ast.parse(source)
    for _, tree in trees(source):
        assert is_valid(tree.text)
        for index, branch in enumerate(tree.branches):
            if source_variant(tree, (index,)) is None:
                first = tree.text.split("\n")[branch.first_line]
                assert clause_keyword(first) in ("except", "finally", "case")
        order = list(range(len(tree.branches)))
        random.shuffle(order)
        for count in range(1, min(len(order), 3) + 1):
            variant = source_variant(tree, tuple(order[:count]))
            if variant is not None:
                check_cut(tree, variant, count)


def check_cut(tree: Tree, variant: Variant, count: int) -> None:
    """Valid, and the same as the text without its spans, but for fillers."""
    assert is_valid(variant.text)
    assert len(variant.spans) == count
    kept = list(tree.text)
    for start, end in reversed(variant.spans):
        kept[start:end] = []
    unfilled = [line for line in variant.text.split("\n") if line.strip() != "..."]
    assert unfilled == "".join(kept).split("\n")


SORTING = '''\
def order(items, key=None):
    """Order items."""
    if key:
        items = [key(i) for i in items]
    # from the left
    for i in items:
        while i:
            i -= 1
    return items
'''


def test_each_branch_is_cut_by_whole_lines() -> None:
    tree = first_tree(SORTING)
    text = SORTING.rstrip("\n")
    assert tree.text == text
    assert cut(tree, 0) == text.replace(
        "    if key:\n        items = [key(i) for i in items]\n", ""
    )
    assert cut(tree, 1) == text.replace(
        "    for i in items:\n        while i:\n            i -= 1\n", ""
    )
    variant = source_variant(tree, (1, 0))
    assert variant is not None
    assert variant.text == (
        'def order(items, key=None):\n    """Order items."""\n    # from the left\n    return items'
    )
    assert [text[start:end].split()[0] for start, end in variant.spans] == ["if", "for"]


def test_an_emptied_body_becomes_an_ellipsis() -> None:
    tree = first_tree("def f(x):\n    # why\n    for i in x:\n        if i:\n            g(i)\n")
    assert cut(tree, 0) == "def f(x):\n    # why\n    ..."


def test_a_node_without_children_has_no_branches() -> None:
    tree = first_tree(SORTING, "Block")
    assert tree == Tree("if key:\n    items = [key(i) for i in items]", ())


CLAUSES = """\
def f(x):
    if x > 1:
        a = 1
    elif x > 2:
        a = 2
    else:
        a = 3
    return a
"""


def test_clauses_are_cut_whole() -> None:
    tree = first_tree(CLAUSES, "Block")
    assert cut(tree, 0) == "if x > 1:\n    a = 1\nelse:\n    a = 3"
    assert cut(tree, 1) == "if x > 1:\n    a = 1\nelif x > 2:\n    a = 2"
    assert cut(tree, 1, 0) == cut(tree, 0, 1) == "if x > 1:\n    a = 1"


TRY = """\
def f(x):
    try:
        g()
    except KeyError:
        a = 1
    except ValueError:
        a = 2
    finally:
        h()
"""


def test_the_last_except_stays() -> None:
    tree = first_tree(TRY, "Block")
    assert cut(tree, 0) == "try:\n    g()\nexcept ValueError:\n    a = 2\nfinally:\n    h()"
    assert cut(tree, 0, 1) is None
    assert cut(tree, 1, 0) is None
    assert cut(tree, 2, 0) == "try:\n    g()\nexcept ValueError:\n    a = 2"


def test_finally_stays_where_nothing_is_excepted() -> None:
    tree = first_tree("def f():\n    try:\n        g()\n    finally:\n        h()\n", "Block")
    assert len(tree.branches) == 1
    assert cut(tree, 0) is None


def test_the_last_case_stays() -> None:
    match = "    match x:\n        case 1:\n            g()\n        case _:\n            h()\n"
    source = f"def f(x):\n{match}"
    tree = first_tree(source, "Block")
    assert cut(tree, 0) == "match x:\n    case _:\n        h()"
    assert cut(tree, 1) == "match x:\n    case 1:\n        g()"
    assert all(cut(tree, *removed) is None for removed in permutations((0, 1)))


@pytest.mark.parametrize("keyword", ["elif y:", "else:", "except E:", "finally:", "case [1, 2]:"])
def test_a_clause_is_valid_at_its_place_only(keyword: str) -> None:
    text = f"{keyword}\n    if z:\n        await g()\n        return 1\n    x = '''a\nb'''"
    assert is_valid(text)
    assert clause_keyword(text) == keyword.split(maxsplit=1)[0].rstrip(":")
    assert not is_valid(text + "\n  x")
    assert not is_valid(f"{keyword}\n")


def test_a_branch_of_a_clause_can_be_cut() -> None:
    source = "def f(x):\n    if x:\n        a()\n    else:\n        for i in x:\n            b(i)\n"
    tree = next(tree for _, tree in trees(source) if tree.text.startswith("else"))
    assert tree.text == "else:\n    for i in x:\n        b(i)"
    assert cut(tree, 0) == "else:\n    ..."


def test_decorators_go_with_their_function() -> None:
    source = "def f():\n    @a\n    @b(\n        1)\n    def g():\n        pass\n    return 1\n"
    assert cut(first_tree(source), 0) == "def f():\n    return 1"


def test_line_ends_tabs_and_trailing_comments_survive() -> None:
    source = "def f(x):\r\n\tif x:\r\n\t\tg()  # no\r\n\treturn 'ü'\r\n"
    tree = first_tree(source)
    assert cut(tree, 0) == "def f(x):\r\n\treturn 'ü'"
    source = "def f(x):\n    if x:\n        g()  # no\n"
    assert cut(first_tree(source), 0) == "def f(x):\n    ..."


def test_source_that_does_not_parse_has_no_variants() -> None:
    tree = first_tree("def f(x):\n    print 'a'\n    if x:\n        g()\n    return x\n")
    assert len(tree.branches) == 1
    assert cut(tree, 0) is None


def test_payloads_are_those_of_the_remaining_nodes() -> None:
    tree = first_tree(SORTING)
    branch = "if key:\n    items = [key(i) for i in items]"
    loop = "for i in items:\n    while i:\n        i -= 1"
    inner = "while i:\n    i -= 1"
    whole = payload_variant(tree, ())
    assert whole.text == whole.full == "\n".join([tree.text, branch, loop, inner])
    assert whole.spans == ()
    variant = payload_variant(tree, (1,))
    assert variant.text == "\n".join([tree.text, branch])
    assert [variant.full[start:end] for start, end in variant.spans] == [f"\n{loop}", f"\n{inner}"]

"""Choosing variants: eq. 7 in all its modes, in one embedding call a round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tasks.retrieval.branches import Branch, Tree, Variant
from tasks.retrieval.pruning import Mode, Prunable, Serialisation, Vectors, prune
from tests.retrieval.corpus import BagOfWords

TEXT = """\
def count(sentences):
    for s in sentences:
        boring += s.startswith("I")
    for s in sentences:
        exciting += s.endswith("!")
    for s in sentences:
        puzzling += s.endswith("?")
    return boring"""
TREE = Tree(
    TEXT,
    tuple(Branch(n, n + 1, ("\n".join(TEXT.split("\n")[n : n + 2]),)) for n in (1, 3, 5)),
)
LEAF = Tree("if boring:\n    return exciting")


class Recorder:
    """Embeds by words and keeps the texts of each call."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return BagOfWords().encode(texts, kind="document")


def run(
    query: str,
    *trees: Tree,
    mode: Mode = "keep",
    depth: int = 1,
    text: Serialisation = "source",
    encode: Recorder | None = None,
) -> list[Variant]:
    vector = BagOfWords().encode([query], kind="query")[0]
    items = [Prunable(vector, tree) for tree in trees or (TREE,)]
    return prune(items, mode=mode, depth=depth, text=text, encode=encode or Recorder())


def removed(variant: Variant) -> list[str]:
    return [variant.full[start:end].split(" +=")[0].split()[-1] for start, end in variant.spans]


def test_the_branch_that_helps_least_goes() -> None:
    [variant] = run("for sentences boring startswith puzzling endswith return")
    assert removed(variant) == ["exciting"]
    assert "exciting" not in variant.text
    assert variant.full == TEXT


def test_keep_may_remove_nothing_where_paper_must() -> None:
    [kept] = run(TEXT)
    assert kept == Variant(TEXT, TEXT, ())
    [forced] = run(TEXT, mode="paper")
    assert len(forced.spans) == 1


def test_rounds_go_on_only_while_similarity_rises() -> None:
    query = "count sentences boring startswith I return boring"
    for mode in ("paper", "keep"):
        assert len(removed(run(query, mode=mode)[0])) == 1
        assert sorted(removed(run(query, mode=mode, depth=9)[0])) == ["exciting", "puzzling"]
    assert len(removed(run(TEXT, mode="paper", depth=9)[0])) == 1
    everything = run("count sentences return", depth=9)[0]
    assert everything.text == "def count(sentences):\n    return boring"


def test_equal_variants_keep_everything_else_cut_the_first() -> None:
    same = "def f():\n    if a:\n        b\n    if a:\n        b\n    if a:\n        b"
    tree = Tree(same, tuple(Branch(n, n + 1, ()) for n in (1, 3, 5)))
    [variant] = run("if a b", tree, mode="paper")
    assert variant.spans == ((8, 28),)
    blind = Tree("def f():\n    if _:\n        +x", (Branch(1, 2, ()),))
    vectors = np.full((2, 4), 0.5, np.float32)
    items = [Prunable(vectors[0], blind)]
    [variant] = prune(items, mode="keep", depth=1, text="source", encode=lambda _: vectors)
    assert variant.spans == ()


def test_all_variants_of_all_items_are_embedded_in_one_call_a_round() -> None:
    encode = Recorder()
    run("boring", TREE, LEAF, TREE, encode=encode)
    assert [len(texts) for texts in encode.calls] == [4]  # whole and three, each text once
    encode = Recorder()
    run("boring return", TREE, LEAF, depth=2, encode=encode)
    assert [len(texts) for texts in encode.calls] == [4, 3]


def test_a_node_without_children_is_left_alone_and_costs_nothing() -> None:
    encode = Recorder()
    for mode in ("paper", "keep"):
        for text in ("source", "payloads"):
            [variant] = run("zzz", LEAF, mode=mode, text=text, encode=encode)
            assert variant == Variant(LEAF.text, LEAF.text, ())
    assert encode.calls == []


def test_a_node_of_which_nothing_can_go_is_left_alone() -> None:
    text = "try:\n    f()\nexcept E:\n    g()"
    tree = Tree(text, (Branch(2, 3, ("except E:\n    g()",)),))
    [variant] = run("f", tree, mode="paper")
    assert variant == Variant(text, text, ())


def test_payloads_are_concatenated_as_in_the_paper() -> None:
    query = "boring startswith boring startswith puzzling endswith"
    [variant] = run(query, mode="paper", text="payloads")
    assert variant.full == "\n".join([TEXT, *(b.payloads[0] for b in TREE.branches)])
    assert variant.text == "\n".join(
        [TEXT, TREE.branches[0].payloads[0], TREE.branches[2].payloads[0]]
    )
    assert removed(variant) == ["exciting"]

"""Navigation and text over a small graph and a part of the standard library."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest
from tasks.graph import Graph, node_text
from tests.extract.corpus import extracted

FILES = {
    "a.py": """from b import g
def f(x):
    if x:
        g()
        while x: g()
    else:
        def inner():
            if x: helper()
        inner()
    for i in x: pass
def helper(): return f(1)
""",
    "b.py": "def g():\n    return 'ä'\n",
}


def load(folder) -> Graph:
    return Graph.load(*(folder / f"{name}.arrow" for name in ("documents", "nodes", "edges")))


@pytest.fixture(scope="module")
def graph(tmp_path_factory) -> Graph:
    return load(extracted(tmp_path_factory.mktemp("graph"), FILES).folder)


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Graph:
    """The json package of the running Python."""
    folder = Path(sysconfig.get_path("stdlib"), "json")
    files = {f"json/{p.name}": p.read_text(encoding="utf-8") for p in folder.glob("*.py")}
    return load(extracted(tmp_path_factory.mktemp("json"), files).folder)


def find(graph: Graph, kind: str, qualname: str) -> str:
    frame = pl.from_arrow(graph.nodes)
    assert isinstance(frame, pl.DataFrame)
    return frame.filter(pl.col("type") == kind, pl.col("qualname") == qualname)["node_id"].item()


def named(graph: Graph, ids: list[str]) -> list[str]:
    return [f"{graph.node(i).type} {graph.node(i).qualname}" for i in ids]


def test_function_of_every_kind_of_node(graph):
    f = find(graph, "Impl", "a.f")
    assert graph.function_of(f) == f
    assert graph.function_of(find(graph, "Name", "a.f")) == f
    assert graph.function_of(find(graph, "Block", "a.f.if.while")) == f
    assert graph.function_of(find(graph, "Block", "a.f.if.else.inner")) == f
    inner = find(graph, "Impl", "a.f.inner")
    assert graph.function_of(find(graph, "Block", "a.f.inner.if")) == inner


def test_children_and_subtree_are_in_source_order(graph):
    f = find(graph, "Impl", "a.f")
    assert named(graph, graph.children(f)) == ["Block a.f.if", "Block a.f.for"]
    assert named(graph, graph.children(graph.children(f)[0])) == [
        "Block a.f.if.while",
        "Block a.f.if.else",
    ]
    assert named(graph, graph.subtree(f)) == [
        "Impl a.f",
        "Block a.f.if",
        "Block a.f.if.while",
        "Block a.f.if.else",
        "Block a.f.if.else.inner",
        "Block a.f.inner.if",
        "Block a.f.for",
    ]
    block, impl = find(graph, "Block", "a.f.if.else.inner"), find(graph, "Impl", "a.f.inner")
    assert graph.children(block) == graph.children(impl)
    assert graph.children(find(graph, "Impl", "b.g")) == []


def test_k_hop_goes_both_ways_and_nearest_first(graph):
    g = find(graph, "Name", "b.g")
    assert graph.k_hop(g, 0) == []
    assert named(graph, graph.k_hop(g, 1)) == [
        "Block a.f.if",
        "Block a.f.if.while",
        "Impl b.g",
    ]
    assert named(graph, graph.k_hop(g, 1, types=["has_impl"])) == ["Impl b.g"]
    everything = graph.k_hop(g, 99)
    assert len(everything) == len(set(everything)) == graph.nodes.num_rows - 1
    assert "Impl a.f" in named(graph, graph.k_hop(g, 2))
    assert "Impl a.f" not in named(graph, graph.k_hop(g, 1))


def test_callers_and_callees_count_nested_parts(graph):
    f, helper = find(graph, "Impl", "a.f"), find(graph, "Impl", "a.helper")
    assert named(graph, graph.callees(f)) == ["Impl b.g", "Impl a.helper", "Impl a.f.inner"]
    assert named(graph, graph.callees(find(graph, "Block", "a.f.if.while"))) == ["Impl b.g"]
    assert named(graph, graph.callees(find(graph, "Impl", "a.f.inner"))) == ["Impl a.helper"]
    assert named(graph, graph.callers(find(graph, "Impl", "b.g"))) == ["Impl a.f"]
    assert named(graph, graph.callers(find(graph, "Name", "b.g"))) == ["Impl a.f"]
    assert named(graph, graph.callers(helper)) == ["Impl a.f.inner"]
    assert graph.callees(find(graph, "Impl", "b.g")) == []


def test_call_sites_slice_to_the_call(graph):
    f = find(graph, "Impl", "a.f")
    sites = graph.call_sites(f)
    content = FILES["a.py"].encode()
    assert [content[site.start_byte : site.end_byte] for site in sites] == [
        b"g()",
        b"g()",
        b"helper()",
        b"inner()",
    ]
    assert {graph.node(site.name_id).type for site in sites} == {"Name"}


def test_text_is_dedented_source(graph):
    assert graph.text(find(graph, "Block", "a.f.if.else.inner")) == (
        "def inner():\n    if x: helper()"
    )
    assert graph.text(find(graph, "Name", "b.g")) == "g"
    assert graph.text(find(graph, "Impl", "b.g")) == "def g():\n    return 'ä'"


def test_spans_count_bytes_not_characters():
    content = "ä = 1\nif ö:\n    ü\n"
    assert node_text(content, 7, len(content.encode()) - 1) == "if ö:\n    ü"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_laws_on_real_code(library, data):
    node_id = data.draw(st.sampled_from(library.nodes["node_id"].to_pylist()))
    node = library.node(node_id)
    assert digest(library.text(node_id)) == node.content_id
    function = library.node(library.function_of(node_id))
    assert function.type == "Impl"
    assert function.start_byte <= node.start_byte <= node.end_byte <= function.end_byte
    subtree = library.subtree(node_id)
    assert len(subtree) == len(set(subtree))
    children = library.children(node_id)
    assert set(children) <= set(subtree)
    assert len(subtree) == 1 + sum(len(library.subtree(child)) for child in children)
    assert set(children) <= set(library.k_hop(node_id, 1))
    for caller in library.callers(node_id):
        assert function.node_id in library.callees(caller)


def test_an_unknown_id_is_named(graph):
    with pytest.raises(CodeGraftError, match="unknown id '" + "0" * 32):
        graph.node("0" * 32)
    with pytest.raises(CodeGraftError, match="unknown id"):
        graph.children("short")


def test_tables_of_different_runs_are_refused(tmp_path, graph):
    other = extracted(tmp_path, {"c.py": "def f():\n    if x: pass\n"})
    mixed = Graph(graph.documents, graph.nodes, load(other.folder).edges)
    with pytest.raises(CodeGraftError, match="unknown id"):
        mixed.children(find(graph, "Impl", "a.f"))

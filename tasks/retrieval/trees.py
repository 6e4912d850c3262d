"""The tree of a graph node in the lines of its own text, ready for pruning."""

from __future__ import annotations

from tasks.graph import Node
from tasks.graph.text import node_text_bytes
from tasks.retrieval.branches import Branch, Tree
from tasks.retrieval.knowledge import KnowledgeBase


def tree_of(kb: KnowledgeBase, node_id: str) -> Tree:
    """The node's dedented text and its direct branches in document order.

    Dedenting takes indentation away but no line, so lines count alike in text and document.
    """
    graph = kb.graph
    node = graph.node(node_id)
    content = kb.source(node.doc_id)

    def branch(child: Node) -> Branch:
        first = content.count(b"\n", node.start_byte, child.start_byte)
        last = first + content.count(b"\n", child.start_byte, child.end_byte)
        subtree = [graph.node(below) for below in graph.subtree(child.node_id)]
        texts = [node_text_bytes(content, below.start_byte, below.end_byte) for below in subtree]
        return Branch(first_line=first, last_line=last, payloads=tuple(texts))

    branches = tuple(branch(graph.node(child)) for child in graph.children(node_id))
    return Tree(node_text_bytes(content, node.start_byte, node.end_byte), branches)

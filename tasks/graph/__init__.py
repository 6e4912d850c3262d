"""The programming knowledge graph as an interface: navigation, text, exports (SPEC 1.1)."""

from tasks.graph.graph import CallSite, Graph, Node
from tasks.graph.text import node_text

__all__ = ["CallSite", "Graph", "Node", "node_text"]

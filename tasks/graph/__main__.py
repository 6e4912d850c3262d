"""`python -m tasks.graph export [--graphml FILE] [--neo4j FOLDER]`: the graph for other tools."""

from __future__ import annotations

import argparse
from pathlib import Path

from tasks.core.errors import CodeGraftError, run_stage
from tasks.graph import Graph


def main() -> None:
    """Parse the command line and export."""
    parser = argparse.ArgumentParser(prog="python -m tasks.graph", description=__doc__)
    commands = parser.add_subparsers(required=True)
    export = commands.add_parser("export", help="write the graph in another form")
    export.add_argument("--graphml", type=Path, metavar="FILE")
    export.add_argument("--neo4j", type=Path, metavar="FOLDER")
    export.add_argument("--data", type=Path, default=Path("data"), help="folder of the stages")
    arguments = parser.parse_args()
    if arguments.graphml is None and arguments.neo4j is None:
        raise CodeGraftError("nothing to write", remedy="give --graphml FILE or --neo4j FOLDER")
    extracted = arguments.data / "extract"
    graph = Graph.load(
        arguments.data / "ingest" / "documents.arrow",
        extracted / "nodes.arrow",
        extracted / "edges.arrow",
    )
    if arguments.graphml is not None:
        graph.to_graphml(arguments.graphml)
    if arguments.neo4j is not None:
        graph.to_neo4j_csv(arguments.neo4j)


if __name__ == "__main__":
    run_stage(main)

"""The graph in forms that other tools read: GraphML, and CSV for Neo4j's bulk import."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pyarrow as pa

from tasks.core.files import atomic_path

_XML_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BATCH = 16384


def write_graphml(path: Path, nodes: pa.Table, edges: pa.Table) -> None:
    """Write one directed graph; columns become attributes of nodes and edges.

    Characters that XML cannot hold are replaced by U+FFFD.
    """
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        out.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        out.writelines(_keys("node", nodes.schema, {"node_id"}))
        out.writelines(_keys("edge", edges.schema, {"src", "dst"}))
        out.write('<graph edgedefault="directed">\n')
        for row in _rows(nodes):
            out.write(f"<node id={quoteattr(row.pop('node_id'))}>{_data('node', row)}</node>\n")
        for number, row in enumerate(_rows(edges)):
            ends = f"source={quoteattr(row.pop('src'))} target={quoteattr(row.pop('dst'))}"
            out.write(f'<edge id="e{number}" {ends}>{_data("edge", row)}</edge>\n')
        out.write("</graph>\n</graphml>\n")


def _keys(owner: str, schema: pa.Schema, skipped: set[str]) -> Iterator[str]:
    for column in schema:
        if column.name not in skipped:
            name, kind = column.name, "string" if pa.types.is_string(column.type) else "long"
            yield (
                f'<key id="{owner}.{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>\n'
            )


def write_neo4j_csv(folder: Path, nodes: pa.Table, edges: pa.Table) -> None:
    """Write `nodes.csv` and `relationships.csv` with the headers of Neo4j's import tool:

    neo4j-admin database import full --nodes=nodes.csv --relationships=relationships.csv
    """
    header = {"node_id": "node_id:ID", "type": ":LABEL"}
    _write_csv(folder / "nodes.csv", nodes, header)
    header = {"src": ":START_ID", "dst": ":END_ID", "type": ":TYPE"}
    _write_csv(folder / "relationships.csv", edges, header)


def _write_csv(path: Path, table: pa.Table, special: dict[str, str]) -> None:
    names = []
    for column in table.schema:
        typed = column.name if pa.types.is_string(column.type) else f"{column.name}:long"
        names.append(special.get(column.name, typed))
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        for row in _rows(table):
            writer.writerow(row.values())


def _rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=_BATCH):
        yield from batch.to_pylist()


def _data(owner: str, row: dict[str, Any]) -> str:
    return "".join(
        f'<data key="{owner}.{name}">{escape(_XML_FORBIDDEN.sub(chr(0xFFFD), str(value)))}</data>'
        for name, value in row.items()
    )

"""Other tools read what is exported."""

from __future__ import annotations

import csv
import subprocess
import sys

import networkx
import polars as pl
import pyarrow as pa
import pytest

from tasks.graph.export import write_graphml, write_neo4j_csv
from tests.extract.corpus import Extracted, extracted
from tests.graph.test_graph import FILES, load


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Extracted:
    return extracted(tmp_path_factory.mktemp("export"), FILES)


def test_graphml_is_read_by_networkx_with_every_attribute(tmp_path, small):
    load(small.folder).to_graphml(tmp_path / "graph.graphml")
    read = networkx.read_graphml(tmp_path / "graph.graphml", force_multigraph=True)
    assert read.is_directed()
    expected = {row.pop("node_id"): row for row in small.nodes.to_dicts()}
    assert dict(read.nodes(data=True)) == expected
    edges = sorted((src, dst, sorted(data.items())) for src, dst, data in read.edges(data=True))
    assert edges == sorted(
        (row.pop("src"), row.pop("dst"), sorted(row.items())) for row in small.edges.to_dicts()
    )


def test_neo4j_csv_has_typed_headers_and_every_row(tmp_path, small):
    load(small.folder).to_neo4j_csv(tmp_path)
    with (tmp_path / "nodes.csv").open(newline="") as stream:
        header, *rows = csv.reader(stream)
    assert header == [
        "node_id:ID", "content_id", ":LABEL", "doc_id", "function_id", "name", "qualname", "path",
        "start_byte:long", "end_byte:long", "depth:long", "order:long",
    ]  # fmt: skip
    assert rows == [[str(value) for value in row] for row in small.nodes.rows()]
    with (tmp_path / "relationships.csv").open(newline="") as stream:
        header, *rows = csv.reader(stream)
    assert header == [":START_ID", ":END_ID", ":TYPE", "start_byte:long", "end_byte:long"]
    assert rows == [[str(value) for value in row] for row in small.edges.rows()]


def test_awkward_characters_survive_or_are_replaced(tmp_path):
    path = 'a "b",\n<c>&\x0c.py'
    nodes = pl.DataFrame({"node_id": ["1"], "type": ["Impl"], "path": [path]}).to_arrow()
    nodes = nodes.cast(pa.schema([(name, pa.string()) for name in nodes.column_names]))
    edges = pa.table({name: pa.array([], pa.string()) for name in ("src", "dst", "type")})
    write_graphml(tmp_path / "graph.graphml", nodes, edges)
    read = networkx.read_graphml(tmp_path / "graph.graphml")
    assert read.nodes["1"]["path"] == path.replace("\x0c", "\ufffd")
    write_neo4j_csv(tmp_path, nodes, edges)
    with (tmp_path / "nodes.csv").open(newline="") as stream:
        assert list(csv.reader(stream))[1] == ["1", "Impl", path]


def _command(folder, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tasks.graph", "export", "--data", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_writes_both_and_refuses_neither(tmp_path, small):
    (tmp_path / "ingest").mkdir()
    (tmp_path / "extract").mkdir()
    (tmp_path / "ingest" / "documents.arrow").symlink_to(small.folder / "documents.arrow")
    for name in ("nodes.arrow", "edges.arrow"):
        (tmp_path / "extract" / name).symlink_to(small.folder / name)
    out = tmp_path / "out"
    done = _command(tmp_path, "--graphml", str(out / "g.graphml"), "--neo4j", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    written = sorted(path.name for path in out.iterdir())
    assert written == ["g.graphml", "nodes.csv", "relationships.csv"]
    refused = _command(tmp_path)
    assert refused.returncode == 2
    assert "give --graphml FILE or --neo4j FOLDER" in refused.stderr

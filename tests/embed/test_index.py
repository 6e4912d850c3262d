from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest
from tasks.core.tables import write_table
from tasks.embed.approximate import SMALLEST, recall
from tasks.embed.database import Held
from tasks.embed.embedder import Vectors, unit_rows
from tasks.embed.index import VectorIndex
from tasks.embed.schema import vectors_schema

DIM = 24


def clustered(count: int) -> Vectors:
    """Unit vectors in 40 groups, as texts are."""
    source = np.random.default_rng(0)
    centres = source.standard_normal((40, DIM))
    spread = 0.4 * source.standard_normal((count, DIM))
    return unit_rows((centres[np.arange(count) % 40] + spread).astype(np.float32))


def write(path: Path, vectors: Vectors) -> list[str]:
    ids = sorted(digest(number) for number in range(len(vectors)))
    held = Held(np.array([i.encode() for i in ids], np.bytes_), vectors)
    metadata = {"embedder": "letters"}
    write_table(path, vectors_schema(vectors.shape[1]), held.batches(), metadata=metadata)
    return ids


@pytest.fixture
def table(tmp_path: Path) -> Path:
    write(tmp_path / "vectors.arrow", clustered(300))
    return tmp_path / "vectors.arrow"


def files(root: Path) -> dict[str, int]:
    found = (path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.stat().st_mtime_ns for path in found}


def test_nearest_of_what_is_allowed(table: Path, tmp_path: Path):
    index = VectorIndex.open(table, root=tmp_path / "lance")
    ids = [i.decode() for i in index.held.ids]
    assert index.embedder == "letters"
    hits = index.search(index.held.vectors[[5, 8]], allowed=ids, k=1)
    assert [[c for c, _ in query] for query in hits] == [[ids[5]], [ids[8]]]
    without = index.search(index.held.vectors[[5]], allowed=[i for i in ids if i != ids[5]], k=300)
    assert ids[5] not in {c for c, _ in without[0]}
    assert len(without[0]) == 299
    scores = [score for _, score in without[0]]
    assert scores == sorted(scores, reverse=True)


def test_the_order_of_allowed_does_not_matter(table: Path, tmp_path: Path):
    index = VectorIndex.open(table, root=tmp_path / "lance")
    ids = [i.decode() for i in index.held.ids]
    queries = clustered(4)
    one = index.search(queries, allowed=ids[:50], k=7)
    assert one == index.search(queries, allowed=np.array(ids[:50][::-1]), k=7)


def test_a_database_is_reused(table: Path, tmp_path: Path):
    root = tmp_path / "lance"
    VectorIndex.open(table, root=root)
    before = files(root)
    VectorIndex.open(table, root=root)
    assert before == files(root)
    write(tmp_path / "other.arrow", clustered(301))
    VectorIndex.open(tmp_path / "other.arrow", root=root)
    assert len(list(root.iterdir())) == 2


def test_processes_may_open_it_at_once(table: Path, tmp_path: Path):
    code = (
        "import sys; from pathlib import Path; from tasks.embed.index import VectorIndex\n"
        "VectorIndex.open(Path(sys.argv[1]), root=Path(sys.argv[2]))"
    )
    command = [sys.executable, "-c", code, str(table), str(tmp_path / "lance")]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(list((tmp_path / "lance").iterdir())) == 1


@pytest.mark.parametrize("damage", ["data", "manifest", "shorter", "seal"])
def test_a_broken_database_is_made_again(table: Path, tmp_path: Path, damage: str):
    root = tmp_path / "lance"
    expected = VectorIndex.open(table, root=root)
    (folder,) = root.iterdir()
    if damage == "seal":
        (folder / "indices.json").unlink()
    else:
        pattern = "*.manifest" if damage == "manifest" else "data/*.lance"
        victim = next(folder.glob(f"vectors.lance/**/{pattern}"))
        content = bytearray(victim.read_bytes())
        content[len(content) // 2] ^= 0xFF
        victim.write_bytes(bytes(content) if damage != "shorter" else bytes(content[:100]))
    again = VectorIndex.open(table, root=root)
    assert np.array_equal(again.held.vectors, expected.held.vectors)
    assert [path.name for path in root.iterdir()] == [folder.name]
    stamps = files(root)
    VectorIndex.open(table, root=root)
    assert files(root) == stamps


def test_approximate_search_stays_within_what_is_allowed(tmp_path: Path):
    ids = write(tmp_path / "vectors.arrow", clustered(2 * SMALLEST))
    index = VectorIndex.open(tmp_path / "vectors.arrow", search="ann", root=tmp_path / "lance")
    allowed = ids[: SMALLEST + 100]
    queries = unit_rows(clustered(50) + np.float32(0.05))
    found = index.search(queries, allowed=allowed, k=10)
    assert {c for hits in found for c, _ in hits} <= set(allowed)
    assert all(len(hits) == 10 for hits in found)
    exact = index.search(queries, allowed=allowed, k=len(allowed), search="exact")
    for hits, everything in zip(found, exact, strict=True):
        scores = dict(everything)
        assert hits == sorted(((c, scores[c]) for c, _ in hits), key=lambda hit: (-hit[1], hit[0]))
    measured = index.recall(queries, allowed=allowed, k=10)
    assert measured == recall(found, [hits[:10] for hits in exact])
    assert measured > 0.8


def test_approximate_search_leaves_no_query_short(tmp_path: Path):
    """More hits wanted than the searched partitions hold."""
    ids = write(tmp_path / "vectors.arrow", clustered(SMALLEST))
    index = VectorIndex.open(tmp_path / "vectors.arrow", search="ann", root=tmp_path / "lance")
    for queries in (clustered(1), clustered(3)):
        found = index.search(queries, allowed=ids, k=SMALLEST)
        assert [len(hits) for hits in found] == [SMALLEST] * len(queries)
        exact = index.search(queries, allowed=ids, k=SMALLEST, search="exact")
        assert found == exact


def test_a_broken_index_is_made_again(tmp_path: Path):
    ids = write(tmp_path / "vectors.arrow", clustered(SMALLEST))
    index = VectorIndex.open(tmp_path / "vectors.arrow", search="ann", root=tmp_path / "lance")
    queries = clustered(3)
    index.search(queries, allowed=ids, k=3)
    victim = next((tmp_path / "lance").glob("*-ann/vectors.lance/_indices/*/*.idx"))
    victim.write_bytes(victim.read_bytes()[:64])
    assert all(len(hits) == 3 for hits in index.search(queries, allowed=ids, k=3))


def test_recall():
    exact = [[("a", 1.0), ("b", 0.5)], [("c", 1.0), ("d", 0.5)]]
    assert recall(exact, exact) == 1.0
    assert recall([[("a", 1.0), ("x", 0.4)], [("c", 1.0)]], exact) == 0.5
    assert recall([[]], [[]]) == 1.0


def test_errors(table: Path, tmp_path: Path):
    index = VectorIndex.open(table, root=tmp_path / "lance")
    known = index.held.ids[0].decode()
    with pytest.raises(CodeGraftError, match=r"1 contents have no vector.*ffff"):
        index.search(clustered(1), allowed=[known, "ffff"], k=1)
    with pytest.raises(CodeGraftError, match="nothing to search"):
        index.search(clustered(1), allowed=[], k=1)
    with pytest.raises(CodeGraftError, match="queries of 3 components"):
        index.search(clustered(1)[:, :3], allowed=[known], k=1)
    with pytest.raises(CodeGraftError, match="missing"):
        VectorIndex.open(tmp_path / "absent.arrow", root=tmp_path / "lance")
    (tmp_path / "text.arrow").write_text("no table")
    with pytest.raises(CodeGraftError, match="not a vectors table"):
        VectorIndex.open(tmp_path / "text.arrow", root=tmp_path / "lance")

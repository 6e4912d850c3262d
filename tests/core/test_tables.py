"""Joins lose and double nothing; tables keep their schema."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import CodeGraftError
from tasks.core.tables import field, join, read_frame, read_table, require_unique, write_table

SCHEMA = pa.schema(
    [field("key", pa.string(), "an identity"), field("size", pa.int32(), "in bytes")]
)
KEYS = st.text("abcd", min_size=1, max_size=3)


def frame(keys: list[str], column: str) -> pl.DataFrame:
    return pl.DataFrame(
        {"key": keys, column: list(range(len(keys)))}, schema={"key": pl.String, column: pl.Int64}
    )


@given(st.lists(KEYS, unique=True, max_size=8), st.data())
def test_many_to_one_keeps_each_left_row_in_order(known: list[str], data: st.DataObject):
    left_keys = data.draw(st.lists(st.sampled_from(known), max_size=12) if known else st.just([]))
    joined = join(
        frame(left_keys, "l"), frame(known, "r"), on=["key"], cardinality="m:1", where="test"
    )
    assert joined["l"].to_list() == list(range(len(left_keys)))
    assert joined["r"].to_list() == [known.index(key) for key in left_keys]


@given(st.lists(KEYS, unique=True, max_size=8), st.data())
def test_one_to_many_keeps_each_right_row(known: list[str], data: st.DataObject):
    right_keys = data.draw(st.lists(st.sampled_from(known), max_size=12) if known else st.just([]))
    joined = join(
        frame(known, "l"), frame(right_keys, "r"), on=["key"], cardinality="1:m", where="test"
    )
    assert sorted(joined["r"].to_list()) == list(range(len(right_keys)))
    assert all(known[row["l"]] == row["key"] for row in joined.iter_rows(named=True))


@given(st.lists(KEYS, unique=True, min_size=1), st.randoms())
def test_one_to_one_does_not_depend_on_the_right_order(keys: list[str], random):
    shuffled = random.sample(keys, len(keys))
    joined = join(
        frame(keys, "l"), frame(shuffled, "r"), on=["key"], cardinality="1:1", where="test"
    )
    assert joined["key"].to_list() == keys
    assert [shuffled[place] for place in joined["r"]] == keys


@pytest.mark.parametrize(
    ("left", "right", "cardinality", "message"),
    [
        (["a", "b"], ["a"], "1:1", "1 rows of the left table find no partner, e.g. ('b',)"),
        (["a"], ["a", "b"], "1:1", "1 rows of the right table find no partner, e.g. ('b',)"),
        (["a", "a"], ["a"], "1:1", "occur more than once, e.g. ('a',)"),
        (["a"], ["a", "a"], "1:1", "occur more than once, e.g. ('a',)"),
        (["b"], ["a"], "m:1", "1 rows of the left table find no partner, e.g. ('b',)"),
        (["a"], ["a", "a"], "m:1", "occur more than once, e.g. ('a',)"),
        (["a"], ["b"], "1:m", "1 rows of the right table find no partner, e.g. ('b',)"),
        (["a", "a"], ["a"], "1:m", "occur more than once, e.g. ('a',)"),
    ],
)
def test_a_lost_or_doubled_row_is_refused(left, right, cardinality, message):
    with pytest.raises(CodeGraftError) as caught:
        join(frame(left, "l"), frame(right, "r"), on=["key"], cardinality=cardinality, where="here")
    assert message in caught.value.what
    assert caught.value.where.startswith("here")


def test_require_unique_counts_the_doubled_keys():
    doubled = frame(["a", "b", "a", "c", "b"], "size")
    with pytest.raises(CodeGraftError, match=r"2 keys \['key'\] occur more than once.*\('a',\)"):
        require_unique(doubled, ["key"], where="test")
    require_unique(doubled, ["key", "size"], where="test")


@given(st.lists(st.tuples(st.text(max_size=5), st.integers(-(2**31), 2**31 - 1)), max_size=20))
def test_rows_come_back_as_written(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("t") / "rows.arrow"
    written = [{"key": key, "size": size} for key, size in rows]
    assert write_table(path, SCHEMA, written) == len(rows)
    assert read_table(path, SCHEMA).to_pylist() == written


def test_frames_tables_and_batches_give_the_same_bytes(tmp_path: Path):
    table = pa.table({"size": pa.array([1, 2], pa.int32()), "key": ["a", "b"]})
    frame_ = pl.DataFrame({"extra": [0, 0], "key": ["a", "b"], "size": [1, 2]})
    sources = {"table": table, "frame": frame_, "batches": iter(table.to_batches())}
    for name, source in sources.items():
        write_table(tmp_path / name, SCHEMA, source)
    assert len({(tmp_path / name).read_bytes() for name in sources}) == 1
    assert read_frame(tmp_path / "table", SCHEMA).columns == ["key", "size"]


def test_descriptions_and_metadata_are_in_the_file(tmp_path: Path):
    path = tmp_path / "t.arrow"
    write_table(path, SCHEMA, [], metadata={"embedder": "minilm"})
    schema = read_table(path, SCHEMA).schema
    assert schema.metadata == {b"embedder": b"minilm"}
    assert schema.field("size").metadata == {b"description": b"in bytes"}


def test_a_failure_while_writing_leaves_the_old_table(tmp_path: Path):
    path = tmp_path / "t.arrow"
    write_table(path, SCHEMA, [{"key": "old", "size": 1}])

    def batches():
        yield pa.RecordBatch.from_pylist([{"key": "new", "size": 2}], schema=SCHEMA)
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        write_table(path, SCHEMA, batches())
    assert read_table(path, SCHEMA).to_pylist() == [{"key": "old", "size": 1}]
    assert [p.name for p in tmp_path.iterdir()] == ["t.arrow"]


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "missing"), (b"not arrow", "not a readable Arrow file"), (b"", "not a readable")],
)
def test_a_bad_table_is_named(tmp_path: Path, content, message):
    path = tmp_path / "t.arrow"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CodeGraftError, match=message) as caught:
        read_table(path, SCHEMA)
    assert caught.value.where == str(path)
    assert "dvc repro" in caught.value.remedy


def test_a_table_of_another_schema_is_refused(tmp_path: Path):
    path = tmp_path / "t.arrow"
    write_table(path, pa.schema([field("other", pa.string(), "x")]), [{"other": "a"}])
    with pytest.raises(CodeGraftError, match=r"unexpected columns: \['other'\]"):
        read_table(path, SCHEMA)

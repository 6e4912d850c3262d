"""What was put into a store stays."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.errors import CodeGraftError
from tasks.core.store import Store, store_root

BATCHES = st.lists(st.dictionaries(st.text("abc", max_size=3), st.binary(max_size=8)), max_size=5)


@settings(max_examples=25)  # each opens two databases
@given(BATCHES)
def test_a_store_is_a_map(tmp_path_factory, batches):
    expected: dict[str, bytes] = {}
    root = tmp_path_factory.mktemp("store")
    with Store("things", root=root) as store:
        for batch in batches:
            store.put(batch)
            expected.update(batch)
    with Store("things", root=root) as again:
        assert again.get([*expected, "absent"]) == expected
        assert len(again) == len(expected)


def test_more_keys_than_one_query_takes(tmp_path: Path):
    items = {f"{n:04}": str(n).encode() for n in range(1234)}
    with Store("things", root=tmp_path) as store:
        store.put(items)
        assert store.get([*items, *items]) == items


def test_what_was_put_survives_a_kill(tmp_path: Path):
    code = (
        "import os, signal, sys, pathlib\n"
        "from tasks.core.store import Store\n"
        "store = Store('things', root=pathlib.Path(sys.argv[1]))\n"
        "for n in range(50):\n"
        "    store.put({f'{n}': b'x' * 1000})\n"
        "store._db.execute('BEGIN IMMEDIATE')\n"
        "store._db.execute(\"INSERT INTO item VALUES ('half', x'00')\")\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    with Store("things", root=tmp_path) as store:
        assert len(store) == 50
        assert store.get(["49", "half"]) == {"49": b"x" * 1000}


def test_two_processes_may_write_at_once(tmp_path: Path):
    code = (
        "import sys, pathlib\n"
        "from tasks.core.store import Store\n"
        "store = Store('things', root=pathlib.Path(sys.argv[1]))\n"
        "for n in range(200):\n"
        "    store.put({f'{sys.argv[2]}{n}': b'v'})\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name]) for name in "ab"]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    with Store("things", root=tmp_path) as store:
        assert len(store) == 400


def test_a_full_disk_keeps_nothing_of_the_batch(tmp_path: Path):
    with Store("things", root=tmp_path) as store:
        store.put({"kept": b"x"})
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count={pages + 2}")  # the engine's own "disk is full"
        with pytest.raises(CodeGraftError, match="full") as caught:
            store.put({f"{n}": b"y" * 4000 for n in range(10)})
        assert "make space" in caught.value.remedy
        assert len(store) == 1


def test_a_damaged_store_is_named(tmp_path: Path):
    (tmp_path / "things.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(CodeGraftError, match="cannot be opened") as caught:
        Store("things", root=tmp_path)
    assert caught.value.where == str(tmp_path / "things.sqlite")


def test_the_environment_moves_the_root(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "elsewhere"))
    assert store_root() == tmp_path / "elsewhere"
    with Store("things"):
        pass
    assert sqlite3.connect(tmp_path / "elsewhere" / "things.sqlite")
    monkeypatch.delenv("CODEGRAFT_STORE")
    assert store_root() == Path("data/store")

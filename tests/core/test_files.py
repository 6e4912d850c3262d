"""A file is whole or absent, and equal values are equal bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tasks.core.files import atomic_path, read_json, write_json, write_text


def test_a_new_file_appears_at_the_end_with_its_folders(tmp_path: Path):
    path = tmp_path / "a" / "b" / "file"
    with atomic_path(path) as temporary:
        temporary.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    assert os.listdir(path.parent) == ["file"]


def test_an_exception_leaves_what_was_there(tmp_path: Path):
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_path(path) as temporary:
        temporary.write_text("half")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_killed_writer_leaves_what_was_there(tmp_path: Path):
    path = tmp_path / "file"
    path.write_text("old")
    code = (
        "import os, signal, sys, pathlib\n"
        "from tasks.core.files import atomic_path\n"
        "with atomic_path(pathlib.Path(sys.argv[1])) as temporary:\n"
        "    temporary.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_text() == "old"


def test_json_is_sorted_and_keeps_its_characters(tmp_path: Path):
    write_json(tmp_path / "one", {"b": [1, 2.5], "a": "größe"})
    write_json(tmp_path / "two", {"a": "größe", "b": [1, 2.5]})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert "größe" in (tmp_path / "one").read_text(encoding="utf-8")
    assert read_json(tmp_path / "one") == {"a": "größe", "b": [1, 2.5]}


def test_text_keeps_its_line_ends(tmp_path: Path):
    write_text(tmp_path / "t", "a\nb\r\n")
    assert (tmp_path / "t").read_bytes() == b"a\nb\r\n"

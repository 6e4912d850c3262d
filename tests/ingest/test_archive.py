"""Archives are read in memory, and hostile ones do no harm."""

from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

import pytest

from tasks.core.errors import CodeGraftError
from tasks.ingest.archive import open_archive, safe_path
from tasks.ingest.globs import Selection
from tasks.ingest.types import RawFile, Skipped
from tests.ingest.archives import make_tar, make_zip

ALL = Selection.of(["*"], [])


def contents(path: Path, *, max_bytes: int = 1000, max_total: int = 20_480) -> list[object]:
    with open_archive(path, max_total=max_total) as archive:
        return list(archive.files(ALL, max_bytes=max_bytes, max_total=max_total))


def test_files_come_in_the_order_of_their_paths(tmp_path: Path):
    path = make_zip(tmp_path / "a.whl", {"b.py": b"2", "a/x.py": b"1", "a-b.py": b"3"})
    assert contents(path) == [
        RawFile("a-b.py", b"3"),
        RawFile("a/x.py", b"1"),
        RawFile("b.py", b"2"),
    ]


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", "tar"])
def test_every_packing_of_tar_is_read(tmp_path: Path, ending: str):
    path = make_tar(tmp_path / f"a.{ending}", [("p/b.py", b"2"), ("p/a.py", b"1")])
    assert contents(path) == [RawFile("p/a.py", b"1"), RawFile("p/b.py", b"2")]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a/b.py", "a/b.py"),
        ("./a//b.py", "a/b.py"),
        ("a\\b.py", "a/b.py"),
        ("../b.py", None),
        ("a/../../b.py", None),
        ("/etc/passwd", None),
        ("\\\\host\\b.py", None),
        ("C:/b.py", None),
        ("", None),
    ],
)
def test_paths_that_lead_out_are_not_safe(name, path):
    assert safe_path(name) == path


def test_hostile_entries_are_skipped_and_counted(tmp_path: Path):
    zipped = make_zip(
        tmp_path / "a.zip",
        {"../up.py": b"x", "/abs.py": b"x", "ok.py": b"1"},
        links={"link.py": "/etc/passwd"},
    )
    assert contents(zipped) == [
        Skipped("up.py", "unsafe-path"),
        Skipped("abs.py", "unsafe-path"),
        Skipped("link.py", "link"),
        RawFile("ok.py", b"1"),
    ]
    tarred = make_tar(
        tmp_path / "a.tar",
        [("../up.py", b"x"), ("ok.py", b"1")],
        odd={"s.py": tarfile.SYMTYPE, "h.py": tarfile.LNKTYPE, "pipe.py": tarfile.FIFOTYPE},
    )
    assert contents(tarred) == [
        Skipped("up.py", "unsafe-path"),
        Skipped("s.py", "link"),
        Skipped("h.py", "link"),
        Skipped("pipe.py", "link"),
        RawFile("ok.py", b"1"),
    ]


def test_of_a_doubled_name_the_last_counts(tmp_path: Path):
    path = make_tar(tmp_path / "a.tar", [("a.py", b"old"), ("./a.py", b"new")])
    assert contents(path) == [Skipped("a.py", "doubled-name"), RawFile("a.py", b"new")]


def test_a_large_file_is_skipped(tmp_path: Path):
    path = make_zip(tmp_path / "a.zip", {"a.py": b"x" * 1001, "b.py": b"x" * 1000})
    assert contents(path) == [Skipped("a.py", "too-large"), RawFile("b.py", b"x" * 1000)]


def test_a_zip_bomb_stops_at_the_limit(tmp_path: Path):
    path = make_zip(tmp_path / "a.zip", {f"{n}.py": b"\n" * 1000 for n in range(21)})
    with pytest.raises(CodeGraftError, match="expands to more than 20,480 bytes"):
        contents(path)


def test_a_tar_bomb_is_not_expanded_past_the_limit(tmp_path: Path):
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(b"\0" * 50_000_000))
    with pytest.raises(CodeGraftError, match="expands to more than"):
        contents(path)


def test_a_damaged_member_is_skipped_and_the_rest_is_read(tmp_path: Path):
    path = make_zip(tmp_path / "a.zip", {"a.py": b"a = 1\n" * 50, "b.py": b"b = 2\n"})
    data = bytearray(path.read_bytes())
    data[40] ^= 0xFF  # in the first member's compressed data
    path.write_bytes(data)
    assert contents(path) == [Skipped("a.py", "unreadable"), RawFile("b.py", b"b = 2\n")]


@pytest.mark.parametrize("name", ["a.whl", "a.tar.gz", "a.tar", "a.tar.xz", "a.tar.bz2", "a.rar"])
def test_what_is_no_archive_is_refused(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes(b"this is not an archive, whatever its name says" * 50)
    with pytest.raises(CodeGraftError, match="not a readable archive"):
        contents(tmp_path / name)


def test_a_cut_off_archive_is_refused(tmp_path: Path):
    path = make_tar(tmp_path / "a.tar.gz", [("a.py", bytes(range(256)) * 3)])
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(CodeGraftError, match="not a readable archive"):
        contents(path)


def test_the_top_folder_of_a_source_archive_goes(tmp_path: Path):
    path = make_tar(tmp_path / "a.tar", [("p-1/setup.py", b"1"), ("p-1/p/a.py", b"2")])
    with open_archive(path) as archive:
        assert [member.path for member in archive.without_root().members] == ["p/a.py", "setup.py"]
    path = make_tar(tmp_path / "b.tar", [("p-1/setup.py", b"1"), ("a.py", b"2")])
    with open_archive(path) as archive:
        assert archive.without_root() is archive

"""A folder of anything becomes documents; nothing in it stops a run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import CodeGraftError
from tasks.core.strict import validated
from tasks.ingest.sources.folder import Options, connect
from tasks.ingest.types import Document, Skipped
from tasks.ingest.walk import printable

MIT = "Permission is hereby granted, free of charge, ... without restriction"


def items(root: Path, **options: object) -> list[Document | Skipped]:
    source = connect(validated(Options, {"path": str(root), **options}, where="test"))
    return list(source.items())


def paths(found: list[Document | Skipped]) -> list[str]:
    return [item.path for item in found if isinstance(item, Document)]


def fill(root: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def test_a_document_with_all_its_fields(tmp_path: Path):
    fill(tmp_path / "mine", {"pkg/a.py": b"x = 1\r\n"})
    source = connect(Options(path=str(tmp_path / "mine")))
    assert source.name == "folder:mine"
    assert list(source.items()) == [
        Document("pkg/a.py", "code", "python", "unknown", "x = 1\r\n", None, "utf-8")
    ]


def test_globs_choose(tmp_path: Path):
    fill(
        tmp_path,
        {
            "a.py": b"a", "docs/b.md": b"b", "tests/c.py": b"c", "src/tests/d.py": b"d",
            ".venv/e.py": b"e", "f.txt": b"f",
        },
    )  # fmt: skip
    assert paths(items(tmp_path)) == ["a.py", "src/tests/d.py", "tests/c.py"]
    assert paths(items(tmp_path, exclude=["/tests/"])) == ["a.py", "src/tests/d.py"]
    assert paths(items(tmp_path, exclude=["tests/"])) == ["a.py"]
    assert paths(items(tmp_path, include=["*.md", "*.txt"])) == ["docs/b.md", "f.txt"]
    taken_back = items(tmp_path, exclude=["!.venv/"], include=["e.py"])
    assert paths(taken_back) == [".venv/e.py"]


def test_kind_and_language_by_extension(tmp_path: Path):
    fill(tmp_path, {"a.py": b"a", "b.md": b"b", "c.rs": b"c", "d.xyz": b"d"})
    found = items(tmp_path, include=["*"])
    assert [(d.kind, d.lang) for d in found if isinstance(d, Document)] == [
        ("code", "python"), ("text", "markdown"), ("code", "rust"), ("text", "text"),
    ]  # fmt: skip


def test_the_nearest_licence_counts_and_a_header_outranks_it(tmp_path: Path):
    fill(
        tmp_path,
        {
            "a.py": b"a = 1",
            "sub/LICENSE": MIT.encode(),
            "sub/deep/b.py": b"b = 1",
            "sub/c.py": b"# SPDX-License-Identifier: ISC\nc = 1",
            "pyproject.toml": b'[project]\nlicense = "Apache-2.0"',
        },
    )
    found = [item for item in items(tmp_path) if isinstance(item, Document)]
    assert {d.path: d.licence for d in found} == {
        "a.py": "Apache-2.0", "sub/c.py": "ISC", "sub/deep/b.py": "MIT",
    }  # fmt: skip
    forced = [item for item in items(tmp_path, licence="0BSD") if isinstance(item, Document)]
    assert {d.licence for d in forced} == {"0BSD", "ISC"}


def test_installed_packages_have_the_licences_of_their_metadata(tmp_path: Path):
    fill(
        tmp_path,
        {
            "LICENSE": b"Apache License, Version 2.0",
            "a-1.dist-info/METADATA": b"Name: a\nLicense-Expression: MIT\n",
            "a-1.dist-info/RECORD": b"a/x.py,sha256=y,5\na/vendored/z.py,,\n",
            "a/x.py": b"x = 1",
            "a/vendored/COPYING": b"GNU GENERAL PUBLIC LICENSE Version 2, June 1991",
            "a/vendored/z.py": b"z = 1",
            "b.py": b"b = 1",
        },
    )
    found = [item for item in items(tmp_path) if isinstance(item, Document)]
    assert {d.path: d.licence for d in found} == {
        "a/x.py": "MIT", "a/vendored/z.py": "GPL-2.0", "b.py": "Apache-2.0",
    }  # fmt: skip


def test_everything_odd_is_skipped_with_its_reason(tmp_path: Path):
    root = tmp_path / "root"
    fill(
        root, {"bin.py": b"\0\1\2", "blank.py": b" \n", "long.py": b"x" * 101, "ok.py": b"x" * 100}
    )
    fill(tmp_path, {"outside.py": b"secret"})
    (root / "out.py").symlink_to(tmp_path / "outside.py")
    (root / "in.py").symlink_to(root / "ok.py")
    (root / "gone.py").symlink_to(root / "nothing.py")
    (root / "loop.py").symlink_to(root / "loop.py")
    os.mkfifo(root / "pipe.py")
    (root / "folder.py").mkdir()
    (root / "cycle").symlink_to(root)
    found = items(root, max_bytes=100)
    assert paths(found) == ["in.py", "ok.py"]
    assert {item.path: item.reason for item in found if isinstance(item, Skipped)} == {
        "bin.py": "binary",
        "blank.py": "empty",
        "gone.py": "unreadable",
        "long.py": "too-large",
        "loop.py": "unreadable",
        "out.py": "link",
        "pipe.py": "unreadable",
    }


def test_a_file_of_ten_megabytes_is_a_document_and_a_larger_one_is_not(tmp_path: Path):
    line = b"x = 1\n"
    count = 10 * 1024 * 1024 // len(line)
    fill(tmp_path, {"fits.py": line * count, "more.py": line * (count + 1)})
    fits, more = items(tmp_path)
    assert isinstance(fits, Document)
    assert len(fits.content) == len(line) * count
    assert more == Skipped("more.py", "too-large")


def test_a_name_that_is_not_utf8(tmp_path: Path):
    name = os.fsdecode(b"caf\xe9.py")
    try:
        (tmp_path / name).write_text("x = 1")
    except OSError:  # a file system that takes Unicode only has no such files
        assert printable(name) == "caf\\xe9.py"
        return
    assert paths(items(tmp_path)) == ["caf\\xe9.py"]


@given(st.lists(st.from_regex(r"\A[a-c/.-]{1,8}\Z"), max_size=8))
def test_documents_come_in_the_order_of_their_paths(tmp_path_factory, names):
    root = tmp_path_factory.mktemp("tree")
    for number, name in enumerate(names):
        path = root / f"{name.strip('/.').replace('//', '/').replace('..', '.') or 'a'}-{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"x = {number}")
    found = paths(items(root))
    assert found == sorted(found)
    assert len(found) == len(names)


def test_a_folder_that_is_not_there(tmp_path: Path):
    with pytest.raises(CodeGraftError, match="does not exist"):
        connect(Options(path=str(tmp_path / "none")))


def test_unknown_options_and_bad_patterns_are_refused():
    with pytest.raises(CodeGraftError, match="includes"):
        validated(Options, {"path": ".", "includes": []}, where="test")
    with pytest.raises(CodeGraftError, match="Invalid git pattern"):
        validated(Options, {"path": ".", "include": ["!"]}, where="test")

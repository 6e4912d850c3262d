"""Packages from an index in a folder, through the real pip. Nothing of a package may run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.strict import validated
from tasks.ingest.sources.pypi import Options, connect
from tasks.ingest.types import Document, Skipped
from tests.ingest.archives import make_tar, make_zip

METADATA = b"Metadata-Version: 2.1\nName: small\nVersion: 1.0\nLicense: MIT\n"
WHEEL = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that pip uses instead of any index."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "store"))
    return folder


def add_wheel(folder: Path) -> Path:
    info = "small-1.0.dist-info"
    files = {"small/a.py": b"a = 1\n", f"{info}/METADATA": METADATA, f"{info}/WHEEL": WHEEL}
    return make_zip(folder / "small-1.0-py3-none-any.whl", {**files, f"{info}/RECORD": b""})


def add_source(folder: Path, trap: Path) -> Path:
    setup = f"open({str(trap)!r}, 'w').close()\n".encode()
    files = [("small-1.0/setup.py", setup), ("small-1.0/small/a.py", b"a = 2\n")]
    return make_tar(folder / "small-1.0.tar.gz", [*files, ("small-1.0/PKG-INFO", METADATA)])


def items(**options: object) -> list[Document | Skipped]:
    model = validated(Options, {"name": "small", "version": "1.0", **options}, where="test")
    return list(connect(model).items())


def test_a_wheel_is_preferred_and_a_rerun_needs_no_index(index: Path, tmp_path: Path):
    data = add_wheel(index).read_bytes()
    add_source(index, tmp_path / "trap")
    source = connect(Options(name="Small", version="1.0"))
    assert source.name == "pypi:small==1.0"
    assert source.provenance == {
        "file": "small-1.0-py3-none-any.whl",
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    assert list(source.items()) == [Document("small/a.py", "code", "python", "MIT", "a = 1\n")]
    for path in index.iterdir():
        path.unlink()
    assert items() == list(source.items())


def test_a_source_archive_is_read_and_its_setup_never_runs(index: Path, tmp_path: Path):
    trap = tmp_path / "trap"
    add_source(index, trap)
    found = items(exclude=["/setup.py"])
    assert found == [Document("small/a.py", "code", "python", "MIT", "a = 2\n")]
    assert not trap.exists()


def test_an_archive_put_into_the_cache_by_hand(index: Path, tmp_path: Path):
    folder = tmp_path / "store" / "downloads" / "pypi" / "small-1.0"
    folder.mkdir(parents=True)
    add_wheel(folder)
    assert [item.path for item in items()] == ["small/a.py"]


def test_a_package_that_is_nowhere(index: Path):
    with pytest.raises(CodeGraftError, match=r"small==1.0(.|\n)*as a wheel(.|\n)*source archive"):
        items()


def test_the_pinned_hash_is_verified(index: Path):
    data = add_wheel(index).read_bytes()
    assert len(items(sha256=hashlib.sha256(data).hexdigest())) == 1
    with pytest.raises(CodeGraftError, match="not the pinned"):
        items(sha256="0" * 64)


@pytest.mark.parametrize(
    "options",
    [
        {"name": "--index-url=x"},
        {"name": "a/b"},
        {"version": "latest"},
        {"version": 1.0},
        {"versions": "1.0"},
    ],
)
def test_wrong_options_are_refused_before_any_download(options: dict[str, object]):
    with pytest.raises(CodeGraftError, match="invalid parameters"):
        items(**options)


def test_licence_falls_back_to_the_licence_file(index: Path, tmp_path: Path):
    folder = tmp_path / "store" / "downloads" / "pypi" / "small-1.0"
    folder.mkdir(parents=True)
    text = b"Redistributions of source code must retain the above copyright notice"
    make_zip(folder / "small-1.0-py3-none-any.whl", {"a.py": b"a", "x/licenses/LICENSE": text})
    assert items() == [Document("a.py", "code", "python", "BSD-2-Clause", "a")]

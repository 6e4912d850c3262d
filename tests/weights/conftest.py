"""A store and an index of the tests' own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch) -> Path:
    """The store's root, empty; pip and the hub's client are kept from the network."""
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return tmp_path / "store"


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """The folder that pip takes for the package index."""
    return tmp_path / "index"

"""What several tests of generation share."""

from __future__ import annotations

import pytest
import torch

from tests.generate import tiny


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """An empty working folder and store; one thread."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path / "store"))
    torch.set_num_threads(1)  # tiny models only wait on each other


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory):
    """A model folder as the weights stage leaves it."""
    return tiny.write(tmp_path_factory.mktemp("tiny"))

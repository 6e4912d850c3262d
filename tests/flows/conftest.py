"""One Prefect server for all tests of flows, and a client that reads back what it saw."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flows.server import configure, free_port, serving
from tests.flows.project import ROOT

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment in which a flow finds the server."""
    home = tmp_path_factory.mktemp("prefect")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREFECT_HOME", str(home))
        patch.delenv("PREFECT_API_URL", raising=False)
        configure()
        with serving(free_port()) as url:
            yield {
                "PREFECT_HOME": str(home),
                "PREFECT_API_URL": url,
                "PYTHONPATH": str(ROOT),
                "CODEGRAFT_STORE": str(home / "store"),
            }


@pytest.fixture
def client(server: dict[str, str]) -> Iterator[SyncPrefectClient]:
    """A client of the server."""
    from prefect.client.orchestration import SyncPrefectClient

    with SyncPrefectClient(api=server["PREFECT_API_URL"]) as client:
        yield client


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a project may be made: a path with a space and a letter beyond ASCII."""
    return tmp_path / "a prøject"

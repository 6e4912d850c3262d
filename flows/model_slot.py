"""One code model in memory at a time, over all flow runs of a server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate
from prefect.concurrency.sync import concurrency
from prefect.exceptions import ObjectNotFound

LIMIT = "model"
_TRY_S = 5.0
_LEASE_S = 60.0  # a killed flow's slot is free again after this


def ensure_limit() -> None:
    """Make the global concurrency limit `model` with one slot; one that exists stays as it is."""
    with get_client(sync_client=True) as client:
        try:
            client.read_global_concurrency_limit_by_name(LIMIT)
        except ObjectNotFound:
            client.create_global_concurrency_limit(
                GlobalConcurrencyLimitCreate(name=LIMIT, limit=1, active=True)
            )


@contextmanager
def model_slot(
    stop: threading.Event, log: logging.Logger | logging.LoggerAdapter[logging.Logger]
) -> Iterator[None]:
    """Hold a slot of the limit; without one, wait for it or for `stop`."""
    ensure_limit()
    told = False
    with ExitStack() as held:
        while not stop.is_set():
            slot = concurrency(LIMIT, timeout_seconds=_TRY_S, lease_duration=_LEASE_S)
            try:
                held.enter_context(slot)
                break
            except TimeoutError:
                if not told:
                    log.info("waits for the model slot: another run has a model in memory")
                told = True
        yield

"""One code model in memory at a time, over all flow runs of a server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate
from prefect.concurrency.sync import concurrency
from prefect.exceptions import ObjectNotFound

LIMIT = "model"
_FIRST_TRY_S = 1.0
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
def model_slot(stop: threading.Event, tell: Callable[[str], None]) -> Iterator[None]:
    """Hold a slot of the limit; without one, `tell` so and wait for it or for `stop`."""
    ensure_limit()
    patience_s = _FIRST_TRY_S
    with ExitStack() as held:
        while not stop.is_set():
            slot = concurrency(LIMIT, timeout_seconds=patience_s, lease_duration=_LEASE_S)
            try:
                held.enter_context(slot)
                break
            except TimeoutError:
                if patience_s == _FIRST_TRY_S:
                    tell("waits for the model slot: another run has a model in memory")
                patience_s = _TRY_S
        yield

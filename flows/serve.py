"""`python -m flows.serve`: reproduce and sweep can be started from Prefect's UI.

With --ui (`make ui`) the server itself is started too, and ends with this command.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from flows.server import (
    DEFAULT_PORT,
    announced,
    configure,
    free_port,
    refuse_inside_stage,
    require_server,
    running_url,
    serving,
)
from tasks.core.errors import CodeGraftError, run_stage


def main(argv: Sequence[str] | None = None) -> None:
    """Serve the deployments until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m flows.serve", description=__doc__)
    parser.add_argument("--ui", action="store_true", help="start the server, too")
    parser.add_argument("--port", type=int, help=f"port of the server (default {DEFAULT_PORT})")
    given = parser.parse_args(argv)
    with ExitStack() as stack:
        if given.ui:
            start_ui(stack, given.port)
        else:
            stack.enter_context(require_server(ephemeral=False))
        serve_deployments()


def start_ui(stack: ExitStack, port: int | None) -> None:
    """Start the server, say where it is, and let the project's other commands find it.

    Raises CodeGraftError if one runs already or a port that was asked for is taken.
    """
    refuse_inside_stage()
    configure()
    if url := running_url():
        raise CodeGraftError("the server is running already", where=url.removesuffix("/api"))
    chosen = free_port(port or DEFAULT_PORT)
    if port is not None and chosen != port:
        raise CodeGraftError(
            "the port is taken", where=f"port {port}", remedy="choose another with --port"
        )
    if chosen != (port or DEFAULT_PORT):
        print(f"Port {DEFAULT_PORT} is taken by another program; using {chosen}.")
    print("Starting the Prefect server (some seconds) …", flush=True)
    url = stack.enter_context(serving(chosen))
    stack.enter_context(announced(url))
    os.environ["PREFECT_API_URL"] = url
    print(
        f"Prefect UI: {url.removesuffix('/api')}\n"
        f"Start a run there under Deployments, or with `python -m flows.reproduce`.\n"
        "Ctrl-C stops the server.",
        flush=True,
    )


def serve_deployments() -> None:
    """Register the flows with the server and run what is started in the UI."""
    from prefect import serve

    from flows.model_slot import ensure_limit

    ensure_limit()
    serve(*(_deployment(flow) for flow in _flows()), print_starting_message=False)


def _flows() -> list[Any]:
    from flows.reproduction import reproduce

    flows: list[Any] = [reproduce]
    if importlib.util.find_spec("flows.sweep") is not None:
        flows.append(importlib.import_module("flows.sweep").sweep)
    return flows


def _deployment(flow: Any) -> Any:
    from prefect.deployments.runner import EntrypointType

    return flow.to_deployment(name=flow.name, entrypoint_type=EntrypointType.MODULE_PATH)


if __name__ == "__main__":
    run_stage(main)

"""`python -m flows.serve`: reproduce and sweep can be started from Prefect's UI.

With --ui (`make ui`) the server itself is started too, and ends with this command.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from flows.process import leashed
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
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if given.ui:
            run_ui(given.port)
        else:
            with require_server(ephemeral=False):
                serve_deployments()
    except KeyboardInterrupt:
        print("Stopped.")


def run_ui(port: int | None) -> None:
    """Run the server and, in a process of its own, what serves the deployments.

    Neither outlives this process. Raises CodeGraftError if the server runs already, if a port that
    was asked for is taken, and if serving ends by itself.
    """
    refuse_inside_stage()
    configure()
    if url := running_url():
        raise CodeGraftError(
            "the server is running already",
            where=url.removesuffix("/api"),
            remedy="use that one, or stop it with Ctrl-C in its terminal",
        )
    chosen = _choose_port(port)
    print("Starting the Prefect server (some seconds) …", flush=True)
    with serving(chosen) as url, announced(url):
        print(f"Prefect UI: {url.removesuffix('/api')}   (Ctrl-C stops it)", flush=True)
        env = {**os.environ, "PREFECT_API_URL": url}
        with leashed([sys.executable, "-m", "flows.serve"], env=env, output=None) as process:
            code = process.wait()
    raise CodeGraftError(f"what runs the flows ended with exit code {code}")


def _choose_port(port: int | None) -> int:
    chosen = free_port(port or DEFAULT_PORT)
    if port is not None and chosen != port:
        raise CodeGraftError(
            "the port is taken", where=f"port {port}", remedy="choose another with --port"
        )
    if port is None and chosen != DEFAULT_PORT:
        print(f"Port {DEFAULT_PORT} is taken by another program; this server uses {chosen}.")
    return chosen


def serve_deployments() -> None:
    """Register the flows with the server and run what is started in the UI."""
    from prefect import serve
    from prefect.types.entrypoint import EntrypointType

    from flows.model_slot import ensure_limit

    ensure_limit()
    deployments = [
        flow.to_deployment(name=flow.name, entrypoint_type=EntrypointType.MODULE_PATH)
        for flow in _flows()
    ]
    names = ", ".join(str(deployment.name) for deployment in deployments)
    print(f"Under Deployments you can start: {names}", flush=True)
    serve(*deployments, print_starting_message=False)


def _flows() -> list[Any]:
    from flows.reproduction import reproduce

    flows: list[Any] = [reproduce]
    if importlib.util.find_spec("flows.sweep") is not None:
        flows.append(importlib.import_module("flows.sweep").sweep)
    return flows


if __name__ == "__main__":
    run_stage(main)

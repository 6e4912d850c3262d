"""Which Prefect server a flow talks to. Nothing here imports Prefect.

The project's Prefect has its own home, `prefect` in the store, unless $PREFECT_HOME names another,
and reports to nobody. Call `require_server` before Prefect is imported: Prefect reads its settings
once, at import.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from flows.process import leashed
from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json, write_json
from tasks.core.store import store_root

HOST = "127.0.0.1"
DEFAULT_PORT = 4200
_START_S = 120.0
_QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
    "PREFECT_CLI_PROMPT": "false",
    # Flows print their own table; Prefect's log lines are in its UI.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
}


def require_server(*, ephemeral: bool) -> ExitStack:
    """Point Prefect at a server: $PREFECT_API_URL, the one of `make ui`, or one for this run.

    `ephemeral` starts one where none runs; it ends with the returned context, and with this
    process at the latest. Raises CodeGraftError where there is none, and inside a DVC stage.
    """
    if "prefect" in sys.modules:
        raise RuntimeError("require_server must be called before Prefect is imported")
    refuse_inside_stage()
    configure()
    stack = ExitStack()
    url = os.environ.get("PREFECT_API_URL")
    if url and not is_up(url):
        raise CodeGraftError(
            "the Prefect server does not answer",
            where=f"$PREFECT_API_URL: {url}",
            remedy="start it, or unset the variable to use the project's own (`make ui`)",
        )
    url = url or running_url()
    if url is None and not ephemeral:
        raise CodeGraftError(
            "no Prefect server is running",
            where=f"{home()} names none that answers",
            remedy="start one with `make ui` in another terminal, or add --ephemeral; "
            "`dvc repro` needs none",
        )
    os.environ["PREFECT_API_URL"] = url or stack.enter_context(serving(free_port()))
    return stack


def refuse_inside_stage() -> None:
    """Raise CodeGraftError inside a DVC stage: flows run stages, not the other way round."""
    if stage := os.environ.get("DVC_STAGE"):
        raise CodeGraftError(
            "a flow cannot run inside a DVC stage",
            where=f"$DVC_STAGE is {stage}",
            remedy="run `python -m flows.reproduce` from a shell",
        )


def home() -> Path:
    """Folder of Prefect's database, logs and address file."""
    return Path(os.environ.get("PREFECT_HOME") or store_root() / "prefect").absolute()


def configure() -> None:
    """Set this project's Prefect settings in the environment; what is set already is kept."""
    os.environ["PREFECT_HOME"] = str(home())
    home().mkdir(parents=True, exist_ok=True)
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)


def is_up(url: str) -> bool:
    """Whether a Prefect API answers at `url`."""
    try:
        return httpx.get(f"{url.rstrip('/')}/health", timeout=20).is_success
    except httpx.HTTPError:
        return False


def running_url() -> str | None:
    """Address of the server that `make ui` started, if it answers."""
    try:
        url = str(read_json(_address_file())["url"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return url if is_up(url) else None


def free_port(wanted: int | None = None) -> int:
    """`wanted` if nothing listens there, else any free port; an OSError if there is none."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if wanted is not None:
            try:
                probe.bind((HOST, wanted))
                return wanted
            except OSError:
                return free_port()
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@contextmanager
def announced(url: str) -> Iterator[None]:
    """Let other commands of this project find the server while the block runs."""
    write_json(_address_file(), {"url": url, "pid": os.getpid()})
    try:
        yield
    finally:
        _address_file().unlink(missing_ok=True)


@contextmanager
def serving(port: int) -> Iterator[str]:
    """Run a Prefect server and yield its API address once it answers.

    The server ends with the block, or with this process. Its output goes to `server.log` in its
    home. Raises CodeGraftError with the log's last lines if it does not come up.
    """
    url = f"http://{HOST}:{port}/api"
    log = home() / "server.log"
    env = {key: value for key, value in os.environ.items() if key != "PREFECT_API_URL"}
    env |= {"PREFECT_SERVER_UI_API_URL": url, "PREFECT_UI_URL": url.removesuffix("/api")}
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", HOST]
    with (
        log.open("wb") as output,
        leashed([*command, "--port", str(port)], env=env, output=output) as process,
    ):
        deadline = time.monotonic() + _START_S
        while not is_up(url):
            if process.poll() is not None or time.monotonic() > deadline:
                last = log.read_text(errors="replace").strip().splitlines()[-8:]
                raise CodeGraftError(
                    "the Prefect server did not start: " + "\n    ".join(["", *last]),
                    where=str(log),
                    remedy="free the port or repair the folder; it holds past runs only and "
                    "may be deleted",
                )
            time.sleep(0.3)
        yield url


def _address_file() -> Path:
    return home() / "address.json"

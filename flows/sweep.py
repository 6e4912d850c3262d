"""`python -m flows.sweep -S key=v1,v2 …`: one DVC experiment a point, then a report of them."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from flows.server import refuse_inside_stage, require_server
from tasks.core.errors import CodeGraftError, run_stage
from tasks.sweep.plan import Request, make_plan

if TYPE_CHECKING:
    from flows.sweeping import sweep as sweep


def __getattr__(name: str) -> Any:
    """The flow `sweep`. It is imported late: Prefect reads its settings when it is imported."""
    if name == "sweep":
        from flows.sweeping import sweep

        return sweep
    raise AttributeError(name)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m flows.sweep", description=__doc__)
    add = parser.add_argument
    add(
        "-S",
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUES",
        dest="settings",
        help="values to try, as in conditions.block-pkg.k=1,2,3; a range to draw from as 0.1..0.7",
    )
    add(
        "--sampler",
        choices=("grid", "random", "file"),
        default="grid",
        help="all combinations (default), a random draw of them, or the points of a file",
    )
    add("--points", metavar="FILE", help="for --sampler file: .json, .yaml, .jsonl or .csv")
    add("--limit", type=int, metavar="N", help="number of points; for random how many to draw")
    add("--seed", type=int, default=0, help="of --sampler random (default 0)")
    add("--name", help="of the sweep and its folder in reports/sweeps/; default: what is swept")
    add(
        "--dev",
        default="mbpp-dev",
        metavar="BENCHMARK",
        help="development set, by which the best point is chosen (default mbpp-dev)",
    )
    add(
        "--dev-limit",
        type=int,
        default=80,
        metavar="N",
        help="problems of the development set (default 80)",
    )
    add(
        "--benchmark",
        default="humaneval",
        help="where the best point and the present parameters are then run (default humaneval)",
    )
    add(
        "--solvers",
        type=lambda text: text.split(","),
        metavar="A,B",
        help="conditions to run; default: none and those whose parameters are swept",
    )
    add("--ephemeral", action="store_true", help="start a Prefect server if none is running")
    add("--restore", action="store_true",
        help="only put back the workspace that a killed sweep left")  # fmt: skip
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    """Check everything, then run the flow and print what it found."""
    given = vars(_arguments(argv))
    ephemeral, restore = given.pop("ephemeral"), given.pop("restore")
    refuse_inside_stage()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stop as Ctrl-C does
    console = Console(highlight=False)
    if restore:
        _restore(console)
        return
    make_plan(Path.cwd(), Request(**given))  # mistakes are told before anything is started
    with require_server(ephemeral=ephemeral):
        from flows.sweep_screen import Screen
        from flows.sweeping import SCREEN, sweep

        screen = Screen(console)
        SCREEN.set(screen)
        with screen.shown():
            sweep(**given)
    screen.summary()
    raise SystemExit(1 if screen.failures else 0)


def _restore(console: Console) -> None:
    from flows.sweep_process import quiet
    from tasks.sweep.engine import restore_workspace

    if not restore_workspace(Path.cwd(), quiet):
        raise CodeGraftError("no sweep left anything to put back")
    console.print("The workspace is as it was before the sweep.")


if __name__ == "__main__":
    run_stage(main)

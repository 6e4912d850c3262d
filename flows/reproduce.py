"""`python -m flows.reproduce [STAGE…]`: `dvc repro`, watched in Prefect's UI."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from flows.board import BOARD, LineBoard, LiveBoard, outcome_table
from flows.dag import read_dag
from flows.outcomes import GOOD, Outcome
from flows.server import require_server
from tasks.core.errors import CodeGraftError, run_stage
from tasks.report.show import show


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m flows.reproduce", description=__doc__)
    parser.add_argument("stages", nargs="*", help="stages, with what they read from; default: all")
    parser.add_argument("--parallel", type=int, default=2, metavar="N",
                        help="stages at the same time, at most (default 2)")  # fmt: skip
    parser.add_argument("--force", action="store_true", help="also run unchanged stages")
    parser.add_argument("-S", "--set", action="append", default=[], metavar="KEY=VALUE",
                        help="change params.yaml, such as conditions.block-pkg.k=3")  # fmt: skip
    parser.add_argument("--ephemeral", action="store_true",
                        help="start a server for this run if none is running")  # fmt: skip
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the flow and print what became of each stage, then the result tables."""
    given = _arguments(argv)
    if not given.set:
        read_dag(Path.cwd(), given.stages)  # a wrong name is told before anything is started
    console = Console(highlight=False)
    live = console.is_terminal
    with require_server(ephemeral=given.ephemeral):
        from flows.reproduction import reproduce

        board = LiveBoard(console) if live else LineBoard(console)
        BOARD.set(board)
        with board.shown():
            state = reproduce(
                given.stages, given.parallel, given.force, given.set, return_state=True
            )
    if not board.outcomes:
        raise CodeGraftError(state.message or "the flow ended before any stage")
    console.print(outcome_table(board.outcomes, plain=not live))
    show(Path("reports"), console)
    raise SystemExit(exit_code(board.outcomes))


def exit_code(outcomes: Sequence[Outcome]) -> int:
    """0 if all is well, 130 if the run was stopped, else 1."""
    kinds = {outcome.kind for outcome in outcomes}
    if "Stopped" in kinds:
        return 130
    return 0 if kinds <= set(GOOD) else 1


if __name__ == "__main__":
    run_stage(main)

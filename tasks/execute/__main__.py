"""`python -m tasks.execute BENCHMARK MODEL`: data/execute/BENCHMARK/MODEL/executions.arrow."""

from __future__ import annotations

import argparse
from pathlib import Path

from tasks.core.errors import run_stage
from tasks.core.params import load_params
from tasks.core.tables import read_frame, write_table
from tasks.execute.candidates import read_candidates
from tasks.execute.run import probe_candidates
from tasks.execute.schema import EXECUTIONS
from tasks.problems.schema import PROBLEMS


def main() -> None:
    """Probe the candidates of the enabled solvers."""
    parser = argparse.ArgumentParser(prog="python -m tasks.execute", description=__doc__)
    parser.add_argument("benchmark")
    parser.add_argument("model")
    cell = parser.parse_args()
    params, data = load_params(), Path("data")
    candidates = read_candidates(
        read_frame(data / "problems" / cell.benchmark / "problems.arrow", PROBLEMS),
        folder=data / "generate" / cell.benchmark / cell.model,
        solvers=params.solvers,
    )
    rows = probe_candidates(candidates, params.execute)
    out = data / "execute" / cell.benchmark / cell.model
    write_table(out / "executions.arrow", EXECUTIONS, rows)


if __name__ == "__main__":
    run_stage(main)

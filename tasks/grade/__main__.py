"""`python -m tasks.grade BENCHMARK MODEL`: data/grade/BENCHMARK/MODEL/grades.arrow."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tasks.core.errors import run_stage
from tasks.core.files import write_json
from tasks.core.params import load_params
from tasks.core.tables import read_frame, write_table
from tasks.execute.candidates import read_candidates
from tasks.execute.run import limits_of
from tasks.grade.checks import check_sources
from tasks.grade.references import verify_references
from tasks.grade.run import grade_candidates
from tasks.grade.schema import GRADES
from tasks.problems.schema import ANSWERS, PROBLEMS


def main() -> None:
    """Grade the candidates of the enabled solvers, after the tests themselves are proved."""
    parser = argparse.ArgumentParser(prog="python -m tasks.grade", description=__doc__)
    parser.add_argument("benchmark")
    parser.add_argument("model")
    cell = parser.parse_args()
    start, params, data = time.monotonic(), load_params(), Path("data")
    problems = read_frame(data / "problems" / cell.benchmark / "problems.arrow", PROBLEMS)
    answers = read_frame(data / "problems" / cell.benchmark / "answers.arrow", ANSWERS)
    folder = data / "generate" / cell.benchmark / cell.model
    candidates = read_candidates(problems, folder=folder, solvers=params.solvers)
    checks = check_sources(problems, answers)
    limits = limits_of(params.execute, wall_s=params.grade.wall_s)
    backend, workers = params.execute.backend, params.execute.workers
    references = dict(answers.select("task_id", "reference").iter_rows())
    verify_references(references, checks, limits=limits, backend=backend, workers=workers)
    rows = grade_candidates(candidates, checks, limits=limits, backend=backend, workers=workers)
    out = data / "grade" / cell.benchmark / cell.model
    write_table(out / "grades.arrow", GRADES, rows)
    seconds = round(time.monotonic() - start, 3)
    write_json(out / "timing.json", {"seconds": seconds, "items": len(rows)})


if __name__ == "__main__":
    run_stage(main)

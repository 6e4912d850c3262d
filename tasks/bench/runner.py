"""Run benchmarks, each in a process of its own: one that fails or is killed stops no other."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json, write_json
from tasks.core.plugins import available, load

PACKAGE = "tasks.bench"
HELPERS = frozenset({"runner"})
WIDTH = 80
CHILD = (
    "import sys; from pathlib import Path; from tasks.bench.runner import run_one; "
    "run_one(sys.argv[1], Path(sys.argv[2]), sys.argv[3])"
)


def names(package: str = PACKAGE) -> list[str]:
    """The benchmarks that are there, sorted."""
    return [name for name in available(package) if name not in HELPERS]


def run_one(name: str, out: Path, package: str = PACKAGE) -> None:
    """Run one benchmark in this process and write {figures} or {error} to `out`."""
    result: dict[str, Any]
    try:
        run: Callable[[], Mapping[str, Any]] = load(package, name, "run")
        result = {"figures": dict(run())}
    except CodeGraftError as error:
        print(f"error: {error}", file=sys.stderr)
        result = {"error": error.what}
    except Exception as error:  # whatever it is, the other benchmarks shall run
        traceback.print_exc()
        result = {"error": f"{type(error).__name__}: {error}"}
    write_json(out, result)


def run_all(chosen: Sequence[str], package: str = PACKAGE) -> dict[str, dict[str, Any]]:
    """Run benchmarks one after the other; name -> {figures | error, wall_s}.

    What a benchmark prints goes to stderr. Raises CodeGraftError for an unknown name.
    """
    if unknown := sorted(set(chosen) - set(names(package))):
        raise CodeGraftError(
            f"unknown benchmarks: {', '.join(unknown)}",
            remedy=f"use some of: {', '.join(names(package))}",
        )
    results = {}
    for name in chosen:
        print(f"bench: {name} ...", file=sys.stderr, flush=True)
        started = time.perf_counter()
        results[name] = _in_process(name, package)
        results[name]["wall_s"] = round(time.perf_counter() - started, 2)
    return results


def _in_process(name: str, package: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        command = [sys.executable, "-c", CHILD, name, str(out), package]
        done = subprocess.run(command, stdout=sys.stderr, check=False)
        if not out.is_file():
            return {"error": f"ended with exit code {done.returncode}"}
        result: dict[str, Any] = read_json(out)
        return result


def write_results(path: Path, results: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the results and the machine that they hold for.

    Benchmarks that were not run again keep the figures they had on the same machine.
    """
    machine = {
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }
    kept: dict[str, Any] = {}
    if path.is_file():
        old = read_json(path)
        kept = old["benchmarks"] if old.get("machine") == machine else {}
    write_json(path, {"machine": machine, "benchmarks": {**kept, **results}})


def print_results(results: Mapping[str, Mapping[str, Any]], console: Console | None = None) -> None:
    """Print a table of at most 80 columns; a failed benchmark shows its error."""
    out = console or Console()
    out = out if out.width <= WIDTH else Console(file=out.file, width=WIDTH)
    table = Table(box=box.SIMPLE if out.is_terminal else box.ASCII2)
    table.add_column("benchmark", no_wrap=True)
    table.add_column("figure", overflow="fold")
    table.add_column("value", justify="right", overflow="fold")
    for name, result in results.items():
        table.add_section()
        rows = list(_flat(result.get("figures", {}))) or [("failed", result.get("error", ""))]
        for position, (figure, value) in enumerate(rows):
            table.add_row(name if position == 0 else "", Text(figure), Text(_text(value)))
    out.print(table)


def _flat(figures: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in figures.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, float) and abs(value) < 1000:
        return f"{value:.4g}"
    return f"{value:,.0f}"

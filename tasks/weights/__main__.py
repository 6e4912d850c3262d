"""`python -m tasks.weights MODEL` writes models/MODEL/."""

from __future__ import annotations

import sys
from pathlib import Path

from tasks.core.errors import CodeGraftError, run_stage
from tasks.core.params import load_params
from tasks.weights.prepare import find_spec, prepare
from tasks.weights.quiet import hush


def main() -> None:
    """Prepare the model named on the command line."""
    if len(sys.argv) != 2:
        raise CodeGraftError("one model is needed", remedy="python -m tasks.weights MODEL")
    name = sys.argv[1]
    hush()
    done = prepare(name, find_spec(load_params().weights, name), models=Path("models"))
    print(f"weights {name}: {done.folder} is ready ({done.source}, {done.seconds:.0f} s)")


if __name__ == "__main__":
    run_stage(main)

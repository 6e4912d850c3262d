"""How long `dvc repro` takes when there is nothing to do, beside the start of DVC itself."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import Any

from tasks.core.errors import CodeGraftError

REPEATS = 3
UP_TO_DATE = "up to date"


def run() -> dict[str, Any]:
    """Median seconds of a no-op `dvc repro` and of `import dvc.api` in a new process.

    Raises CodeGraftError if the pipeline has work to do: the job itself must not be timed.
    """
    status = _dvc("status", "--quiet")
    if status.returncode != 0:
        raise CodeGraftError(
            "the pipeline has work to do, so a no-op cannot be timed",
            where=f"dvc status {status.stderr.strip()[-300:]}".strip(),
            remedy="run `dvc repro` first",
        )
    noops, imports = [], []
    for _ in range(REPEATS):
        started = time.perf_counter()
        done = _dvc("repro")
        noops.append(time.perf_counter() - started)
        if done.returncode != 0 or UP_TO_DATE not in done.stdout + done.stderr:
            raise CodeGraftError(
                "`dvc repro` was no no-op", where=done.stderr.strip()[-300:], remedy="run it alone"
            )
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import dvc.api"], check=True)
        imports.append(time.perf_counter() - started)
    return {
        "noop_dvc_repro_s": round(statistics.median(noops), 2),
        "reference_import_dvc_api_s": round(statistics.median(imports), 2),
    }


def _dvc(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dvc", *arguments], capture_output=True, text=True, check=False
    )

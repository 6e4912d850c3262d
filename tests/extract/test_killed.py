"""kill -9 in the middle of a run."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import psutil

from tasks.core.store import Store
from tests.extract.corpus import extracted, write_documents

RUN = """
import sys
from pathlib import Path
from tasks.extract import pipeline
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pipeline._CHUNK_DOCUMENTS = 1
    pipeline.extract(
        folder / "documents.arrow", nodes=folder / "nodes.arrow", edges=folder / "edges.arrow",
        processes=2, store_root=folder / "store",
    )
"""


def stored(folder: Path) -> int:
    if not (folder / "store" / "extract.sqlite").exists():
        return 0
    with Store("extract", root=folder / "store") as store:
        return len(store)


def wait_until(condition, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_nothing_half_written_is_left_nothing_finished_lost_and_no_process_stays(tmp_path):
    package = Path(sysconfig.get_path("stdlib"), "asyncio")
    texts = {path.name: path.read_text(encoding="utf-8") for path in package.glob("*.py")}
    files = {f"p{copy}/{name}": text for copy in range(2) for name, text in texts.items()}
    write_documents(tmp_path / "documents.arrow", files)
    script = tmp_path / "run.py"
    script.write_text(RUN)
    run = subprocess.Popen([sys.executable, str(script), str(tmp_path)], env={"PYTHONPATH": "."})
    wait_until(lambda: stored(tmp_path) > 5)
    workers = psutil.Process(run.pid).children(recursive=True)
    run.kill()
    run.wait()
    assert workers
    wait_until(lambda: not any(worker.is_running() for worker in workers))
    assert not (tmp_path / "nodes.arrow").exists()
    kept = stored(tmp_path)
    assert 5 < kept < len(files)
    again = extracted(tmp_path, files)
    fresh = extracted(tmp_path / "fresh", files)
    for name in ("nodes.arrow", "edges.arrow"):
        assert (again.folder / name).read_bytes() == (fresh.folder / name).read_bytes()

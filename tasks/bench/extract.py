"""How fast extraction is on this environment's own packages, beside `ast.parse`."""

from __future__ import annotations

import argparse
import ast
import json
import os
import sysconfig
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa

from tasks.core.ids import digest
from tasks.core.tables import write_table
from tasks.extract.pipeline import extract
from tasks.ingest.decode import decode
from tasks.ingest.schema import DOCUMENTS

_BATCH = 256


class _PeakMemory:
    """Samples the resident memory of this process and its children while it is open."""

    def __init__(self, interval_s: float = 0.5) -> None:
        self.total = self.main = 0
        self._interval = interval_s
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        process = psutil.Process()
        finished = False
        while not finished:
            main = process.memory_info().rss
            total = main
            for child in process.children(recursive=True):
                try:
                    total += child.memory_info().rss
                except psutil.Error:
                    continue
            self.total, self.main = max(self.total, total), max(self.main, main)
            finished = self._done.wait(self._interval)

    def __enter__(self) -> _PeakMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def run(*, folder: Path | None = None, every: int = 1, processes: int = 0) -> dict[str, Any]:
    """Extract the Python files below `folder` (default: site-packages) with an empty store.

    `every` n takes each n-th file; `processes` 0 is one per core. Memory is resident, in MB (10^6
    bytes): the peak of the sum over all processes, and of the main process. Nodes a CPU second, of
    all processes together, tell the speed on a machine that others use too. The reference is one
    core's `ast.parse` over every tenth of the same files.
    """
    root = folder or Path(sysconfig.get_path("purelib"))
    files = sorted(path for path in root.rglob("*.py") if path.is_file())[::every]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        documents = scratch / "documents.arrow"
        rows = write_table(documents, DOCUMENTS, _batches(files, root))
        size = sum(path.stat().st_size for path in files)
        with _PeakMemory() as memory:
            begun, used = time.perf_counter(), sum(os.times()[:4])
            summary = extract(
                documents,
                nodes=scratch / "nodes.arrow",
                edges=scratch / "edges.arrow",
                processes=processes,
                store_root=scratch / "store",
            )
            seconds = time.perf_counter() - begun
            used = sum(os.times()[:4]) - used
        return {
            "nodes_per_s": round(summary["nodes"] / seconds),
            "nodes_per_cpu_s": round(summary["nodes"] / used),
            "seconds": round(seconds, 2),
            "processes": processes or os.cpu_count() or 1,
            "documents": rows,
            "source_mb": round(size / 1e6, 1),
            "functions": summary["by_type"]["Impl"],
            "nodes": summary["nodes"],
            "edges": summary["edges"],
            "peak_mb_all_processes": round(memory.total / 1e6),
            "peak_mb_main_process": round(memory.main / 1e6),
            "extract_mb_per_s": round(size / 1e6 / seconds, 2),
            "reference_ast_parse_mb_per_s": round(_ast_rate(files[::10]), 2),
        }


def _batches(files: list[Path], root: Path) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(files), _BATCH):
        rows = []
        for path in files[start : start + _BATCH]:
            decoded = decode(path.read_bytes(), coding_line=True)
            relative = path.relative_to(root).as_posix()
            if decoded is not None:
                rows.append(
                    {
                        "doc_id": digest("folder:bench", relative),
                        "source": "folder:bench",
                        "kind": "code",
                        "lang": "python",
                        "path": relative,
                        "licence": "unknown",
                        "content": decoded.text,
                        "answer": None,
                    }
                )
        yield pa.RecordBatch.from_pylist(rows, schema=DOCUMENTS)


def _ast_rate(files: list[Path]) -> float:
    """MB of source that `ast.parse` takes in a second; files that do not parse count too."""
    sources = [path.read_bytes() for path in files]
    begun = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source in sources:
            try:
                ast.parse(source)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    return sum(map(len, sources)) / 1e6 / (time.perf_counter() - begun)


def main() -> None:
    """Command line: print the figures as JSON."""
    parser = argparse.ArgumentParser(description=run.__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--processes", type=int, default=0)
    print(json.dumps(run(**vars(parser.parse_args())), indent=2))


if __name__ == "__main__":
    main()

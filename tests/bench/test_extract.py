"""The extraction benchmark on a small folder."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from tasks.bench.extract import run


def test_figures_of_a_small_folder():
    folder = Path(sysconfig.get_path("stdlib"), "json")
    found = run(folder=folder, processes=1)
    assert found["documents"] == len(list(folder.rglob("*.py")))
    assert found["functions"] > 20
    assert found["nodes"] > 2 * found["functions"]
    assert found["nodes_per_s"] > 0
    assert found["reference_ast_parse_mb_per_s"] > 0
    assert found["peak_mb_all_processes"] >= found["peak_mb_main_process"] > 0

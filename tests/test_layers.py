"""The work knows nothing of what operates it."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_no_task_imports_a_flow() -> None:
    """`dvc repro` needs neither Prefect nor a server."""
    files = sorted((ROOT / "tasks").rglob("*.py"))
    assert files
    assert not [path for path in files if _imports(path) & {"prefect", "flows"}]


def test_the_law_sees_imports() -> None:
    assert {"prefect", "flows"} <= _imports(ROOT / "flows/reproduction.py")

"""Each stage's deps in dvc.yaml cover the project's code that the stage imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
STAGES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))[
    "stages"
]


def _running(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but those that only a type checker sees."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        waiting.extend(ast.iter_child_nodes(node))


def _imported(path: Path) -> set[Path]:
    """Files of this project that a file imports, the packages on the way included."""
    names: set[str] = set()
    for node in _running(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    found = set()
    for name in names:
        parts = name.split(".")
        if parts[0] != "tasks":
            continue
        for end in range(1, len(parts) + 1):
            base = ROOT.joinpath(*parts[:end])
            for file in (base.with_suffix(".py"), base / "__init__.py"):
                if file.is_file():
                    found.add(file)
    return found


def _closure(start: Path) -> set[Path]:
    seen: set[Path] = set()
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting.extend(_imported(path))
    return seen


def _only_a_docstring(path: Path) -> bool:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return all(isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) for n in body)


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_deps_cover_imports(stage: str) -> None:
    """A change of code that a stage runs must re-run the stage."""
    package = STAGES[stage]["cmd"].split()[2].replace(".", "/")
    deps = [dep for dep in STAGES[stage]["deps"] if dep.startswith("tasks/")]
    missing = set()
    for path in _closure(ROOT / package / "__main__.py"):
        name = path.relative_to(ROOT).as_posix()
        covered = any(name == dep or name.startswith(f"{dep}/") for dep in deps)
        if not covered and not _only_a_docstring(path):
            missing.add(name)
    assert not missing, f"dvc.yaml: add to deps of {stage}: {sorted(missing)}"


def test_the_closure_sees_what_a_stage_runs() -> None:
    """Without this the law above could pass by seeing nothing."""
    names = {path.name for path in _closure(ROOT / "tasks/generate/__main__.py")}
    assert {"cell.py", "solver.py", "store.py", "knowledge.py"} <= names

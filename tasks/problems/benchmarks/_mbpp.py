"""What the MBPP benchmarks share: reading rows, and the stub form of a problem."""

from __future__ import annotations

import ast
import builtins
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tasks.core.errors import CodeGraftError
from tasks.problems.signature import def_line, find_function
from tasks.problems.types import Item

HUB = "google-research-datasets/mbpp"
PLUS_HUB = "evalplus/mbppplus"


def read_rows(path: str | None, *, hub: str | None, key: str) -> list[dict[str, Any]]:
    """Rows of a JSONL file (gzip by its suffix) or, where there is none, of the hub's dataset.

    `task_id` is made an integer and rows are sorted by it. Raises CodeGraftError naming the
    parameter `key` when neither source can be read.
    """
    if path and Path(path).is_file():
        rows = _read_jsonl(Path(path))
    else:
        rows = _read_hub(hub, tried=path, key=key)
    for row in rows:
        row["task_id"] = int(str(row["task_id"]).removeprefix("Mbpp/"))
    return sorted(rows, key=lambda row: int(row["task_id"]))


def _read_jsonl(path: Path) -> list[dict[str, Any]]:
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, EOFError, ValueError) as error:
        raise CodeGraftError(
            f"not a readable JSONL file: {error}", where=str(path), remedy="fetch it again"
        ) from error


def _read_hub(hub: str | None, *, tried: str | None, key: str) -> list[dict[str, Any]]:
    reason = "no hub dataset is named"
    if hub:
        from huggingface_hub import snapshot_download

        try:
            folder = Path(snapshot_download(hub, repo_type="dataset", allow_patterns="*.parquet"))
        except Exception as error:  # the client raises many kinds; any of them means: not there
            reason = f"dataset {hub!r} of the hub: {type(error).__name__}"
        else:
            # MBPP keeps its full and its sanitized form side by side; MBPP+ has one form.
            files = sorted(folder.glob("full/*.parquet")) or sorted(folder.rglob("*.parquet"))
            return [row for file in files for row in pq.read_table(file).to_pylist()]
    raise CodeGraftError(
        "the benchmark's data is not there",
        where=f"{key}: {tried or 'not set'}; {reason}",
        remedy=f"set {key} in params.yaml to the file (the data folder's INDEX.md lists what lies "
        "where), or run where the hub can be reached",
    )


def to_item(row: Mapping[str, Any]) -> Item:
    """A problem in stub form: def line of the reference, the text as docstring, never an assert.

    Classes of the reference that the tests construct are part of the interface and stand before
    the stub. Raises CodeGraftError for a row that cannot be understood.
    """
    task_id = f"Mbpp/{row['task_id']}"
    reference = _normal(row["code"])
    tests = "\n".join([_normal(row["test_setup_code"]), *map(_normal, row["test_list"])]).strip()
    try:
        name = _tested_function(reference, tests)
        signature = def_line(find_function(reference, name))
    except (SyntaxError, KeyError) as error:
        raise CodeGraftError(
            f"{task_id}: no function of the reference is called by the tests ({error})",
            remedy="correct or remove this row of the benchmark's file",
        ) from error
    classes, imports = _used_by_tests(reference, tests)
    text = row["text"].strip().replace("\\", "\\\\").replace('"""', "'''")
    stub = f'{signature}\n    """{text}\n    """\n'
    return Item(
        task_id=task_id,
        prompt="".join(f"{source}\n\n\n" for source in classes) + stub,
        entry_point=name,
        signature=signature,
        examples="",
        reference=reference,
        test="\n".join([*imports, tests]) + "\n",
        style="asserts",
    )


def _normal(code: str) -> str:
    lines = code.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def _tested_function(reference: str, tests: str) -> str:
    """The function of the reference that the tests call (first, if several)."""
    defined = {
        node.name
        for node in ast.parse(reference).body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    for node in ast.walk(ast.parse(tests)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in defined:
                return name
    raise KeyError("no call")


def _used_by_tests(reference: str, tests: str) -> tuple[list[str], list[str]]:
    """Sources of the reference's classes and imports whose names the tests use."""
    used = {node.id for node in ast.walk(ast.parse(tests)) if isinstance(node, ast.Name)}
    used -= set(dir(builtins))
    classes: list[str] = []
    imports: list[str] = []
    for node in ast.parse(reference).body:
        if isinstance(node, ast.ClassDef) and node.name in used:
            classes.append(ast.unparse(node))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            if names & used:
                imports.append(ast.unparse(node))
    return classes, imports

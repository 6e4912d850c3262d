"""The standard library of the Python that runs."""

from __future__ import annotations

import ast
import platform

import pytest

from tasks.ingest.sources.stdlib import Options, connect
from tasks.ingest.types import Document


@pytest.fixture(scope="module")
def library() -> dict[str, Document]:
    found = connect(Options()).items()
    return {item.path: item for item in found if isinstance(item, Document)}


def test_its_name_says_the_version():
    assert connect(Options()).name == f"stdlib:{platform.python_version()}"


def test_it_holds_the_library(library: dict[str, Document]):
    assert {"heapq.py", "json/decoder.py", "asyncio/events.py", "ast.py"} <= library.keys()
    assert library["heapq.py"].licence == "PSF-2.0"
    assert library["heapq.py"].lang == "python"
    ast.parse(library["heapq.py"].content)
    assert sum(len(item.content) for item in library.values()) > 5_000_000


@pytest.mark.parametrize(
    "part",
    [
        "test",
        "tests",
        "tkinter",
        "idlelib",
        "turtledemo",
        "site-packages",
        "_bundled",
        "lib-dynload",
    ],
)
def test_it_leaves_out(library: dict[str, Document], part: str):
    assert not [path for path in library if part in path.split("/")[:-1]]


def test_nothing_of_this_machine_is_in_it(library: dict[str, Document]):
    assert "turtle.py" not in library
    assert not [path for path in library if path.startswith("_sysconfigdata")]


def test_globs_narrow_it():
    narrowed = connect(Options(include=["/json/"], exclude=["tool.py"])).items()
    assert [item.path for item in narrowed] == [
        f"json/{name}.py" for name in ("__init__", "decoder", "encoder", "scanner")
    ]

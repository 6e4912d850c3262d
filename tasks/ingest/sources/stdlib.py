"""The running Python's standard library, without tests, GUI and vendored parts."""

from __future__ import annotations

import platform
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from tasks.core.strict import Strict
from tasks.ingest.files import documents
from tasks.ingest.globs import DEFAULT_MAX_BYTES, Globs, MaxBytes, Selection
from tasks.ingest.types import Document, Skipped, Source
from tasks.ingest.walk import read_files

_LICENCE = "PSF-2.0"
_EXCLUDED = [
    "test/", "tests/", "/idlelib/", "/tkinter/", "/turtledemo/", "/turtle.py",  # tests and GUI
    "/ensurepip/_bundled/", "_vendor/",  # vendored
    "/site-packages/", "/dist-packages/", "__pycache__/",  # not of the library
    "/config-*/", "/lib-dynload/", "/_sysconfigdata*", "/sitecustomize.py",  # of this build only
    "/__phello__/",
]  # fmt: skip


class Options(Strict):
    """`include` and `exclude` narrow what the fixed exclusions leave."""

    include: Globs = ["*.py"]
    exclude: Globs = []
    max_bytes: MaxBytes = DEFAULT_MAX_BYTES


def connect(options: Options) -> Source:
    """Source `stdlib:<version>`."""
    version = platform.python_version()
    root = Path(sysconfig.get_path("stdlib")).resolve()
    selection = Selection.of(options.include, _EXCLUDED + options.exclude)

    def items() -> Iterator[Document | Skipped]:
        files = read_files(root, selection, max_bytes=options.max_bytes)
        return documents(files, licence_of=lambda path: _LICENCE)

    return Source(f"stdlib:{version}", items, {"version": version})

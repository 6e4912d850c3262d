"""Licences of installed packages, for a folder that pip installs into."""

from __future__ import annotations

import csv
from pathlib import Path

from tasks.ingest import licences


def read_text(path: Path) -> str:
    """The first megabyte of a text file; empty if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return stream.read(1 << 20).decode("utf-8", "replace")
    except OSError:
        return ""


def recorded_licences(root: Path) -> dict[str, str]:
    """Path below `root` -> licence, for the files that a *.dist-info in `root` records.

    Empty for a folder that is no site-packages.
    """
    found: dict[str, str] = {}
    for info in sorted(root.glob("*.dist-info")):
        licence = licences.of_metadata(read_text(info / "METADATA"))
        record = info / "RECORD"
        if licence != licences.UNKNOWN and record.is_file():
            with record.open(encoding="utf-8", errors="replace", newline="") as stream:
                found.update((row[0], licence) for row in csv.reader(stream) if row)
    return found

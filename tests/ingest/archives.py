"""Archives for tests, hostile ones included."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any


def make_zip(path: Path, files: dict[str, bytes], *, links: dict[str, str] | None = None) -> Path:
    """A zip or wheel with files and symbolic links."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in files.items():
            package.writestr(name, data)
        for name, target in (links or {}).items():
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = 0o120777 << 16
            package.writestr(info, target)
    return path


def make_tar(
    path: Path, files: list[tuple[str, bytes]], *, odd: dict[str, bytes] | None = None
) -> Path:
    """A tar.* by its name, with files and entries of other types (tarfile's type codes)."""
    packing: Any = {"gz": "w:gz", "bz2": "w:bz2", "xz": "w:xz", "tar": "w"}[path.suffix[1:]]
    with tarfile.open(path, packing) as tar:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        for name, kind in (odd or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
    return path

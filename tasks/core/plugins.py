"""Plugins: one idea per file, found by the file's name.

The plugin `block-pkg` of the package `tasks.conditions` is the file `block-pkg.py` of
that package and exposes one agreed name. File and slug are spelled alike, so that dvc.yaml can
name the file of a matrix item; nothing else has to be touched to add one.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from tasks.core.errors import CodeGraftError


def available(package: str) -> list[str]:
    """Slugs of the plugins in a package, sorted."""
    module = importlib.import_module(package)
    return sorted(
        info.name for info in pkgutil.iter_modules(module.__path__) if not info.name.startswith("_")
    )


def load(package: str, slug: str, attribute: str) -> Any:
    """The attribute of the plugin's module.

    Raises CodeGraftError for an unknown slug, naming those that exist.
    """
    names = available(package)
    if slug not in names:
        raise CodeGraftError(
            f"unknown {package.rsplit('.', 1)[-1].rstrip('s')}: {slug!r}",
            where="params.yaml",
            remedy=f"use one of: {', '.join(names)}",
        )
    return getattr(importlib.import_module(f"{package}.{slug}"), attribute)

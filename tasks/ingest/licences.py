"""SPDX identifiers from licence texts, package metadata and file headers."""

from __future__ import annotations

import re
import tomllib
from email.parser import HeaderParser

UNKNOWN = "unknown"
LICENCE_NAME = r"(?i:licen[cs]e|copying|unlicense)([-.][^/]*)?"  # of a file, as an expression
LICENCE_FILE = re.compile(rf"^{LICENCE_NAME}$")

# Phrases that one licence has and the others do not; the first entry whose phrases all occur wins.
_TEXTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("AGPL-3.0", ("gnu affero general public license", "version 3")),
    ("LGPL-3.0", ("gnu lesser general public license", "version 3, 29 june 2007")),
    ("LGPL-2.1", ("gnu lesser general public license", "version 2.1")),
    ("GPL-3.0", ("gnu general public license", "version 3, 29 june 2007")),
    ("GPL-2.0", ("gnu general public license", "version 2, june 1991")),
    ("Apache-2.0", ("apache license", "version 2.0")),
    ("MPL-2.0", ("mozilla public license", "2.0")),
    ("PSF-2.0", ("python software foundation license version 2",)),
    ("Unlicense", ("this is free and unencumbered software released into the public domain",)),
    ("CC0-1.0", ("cc0 1.0 universal",)),
    ("CC-BY-SA-4.0", ("attribution-sharealike 4.0 international",)),
    ("CC-BY-4.0", ("attribution 4.0 international",)),
    ("ISC", ("permission to use, copy, modify, and/or distribute this software for any purpose",)),
    ("MIT", ("permission is hereby granted, free of charge", "without restriction")),
    ("BSD-3-Clause", ("redistributions of source code must retain", "neither the name")),
    ("BSD-2-Clause", ("redistributions of source code must retain",)),
)
_CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
    "GNU General Public License v2 (GPLv2)": "GPL-2.0-only",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
}
_HEADER = re.compile(r"SPDX-License-Identifier:[ \t]*([\w.+()-]+(?: (?:AND|OR|WITH) [\w.+()-]+)*)")
_SHORT = re.compile(r"^[\w.+() -]{1,60}$")


def of_text(text: str) -> str:
    """Identifier of the licence that a LICENSE file holds; `unknown` if none is recognised."""
    words = " ".join(text.lower().split())
    for name, phrases in _TEXTS:
        if all(phrase in words for phrase in phrases):
            return name
    return UNKNOWN


def of_header(text: str) -> str | None:
    """What an SPDX-License-Identifier line in the first 4,096 characters says."""
    found = _HEADER.search(text, 0, 4096)
    return found[1] if found else None


def of_metadata(text: str) -> str:
    """Licence from a METADATA or PKG-INFO file (core metadata 2.4).

    Order: License-Expression, an unambiguous licence classifier, License as a short line or as a
    text to recognise.
    """
    headers = HeaderParser().parsestr(text)
    if expression := str(headers.get("License-Expression", "")).strip():
        return expression
    classified = {
        _CLASSIFIERS[last]
        for value in headers.get_all("Classifier", [])
        if (last := str(value).rsplit("::", 1)[-1].strip()) in _CLASSIFIERS
    }
    if len(classified) == 1:
        return classified.pop()
    return _of_free_text(str(headers.get("License", "")))


def of_pyproject(text: str) -> str:
    """Licence from pyproject.toml's [project] table (PEP 639, or the older {text = ...})."""
    try:
        stated = tomllib.loads(text).get("project", {}).get("license", "")
    except (tomllib.TOMLDecodeError, AttributeError):
        return UNKNOWN
    if isinstance(stated, dict):
        stated = stated.get("text", "")
    return _of_free_text(stated) if isinstance(stated, str) else UNKNOWN


def _of_free_text(stated: str) -> str:
    stated = stated.strip()
    if not stated or stated.upper() == UNKNOWN.upper():
        return UNKNOWN
    return stated if _SHORT.match(stated) else of_text(stated)

"""Licences by text, metadata and header."""

from __future__ import annotations

import pytest

from tasks.ingest import licences

MIT = """Copyright 2020 X

Permission is hereby granted, free
of charge, to any person ... without
  restriction, including"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MIT, "MIT"),
        ("   Apache License\n   Version 2.0, January 2004", "Apache-2.0"),
        ("GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007", "GPL-3.0"),
        ("GNU LESSER GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007", "LGPL-3.0"),
        ("GNU AFFERO GENERAL PUBLIC LICENSE Version 3, 19 November 2007", "AGPL-3.0"),
        ("Redistributions of source code must retain ...", "BSD-2-Clause"),
        ("Redistributions of source code must retain ... Neither the name of", "BSD-3-Clause"),
        ("All rights reserved.", "unknown"),
    ],
)
def test_of_text(text, expected):
    assert licences.of_text(text) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("License-Expression: MIT OR Apache-2.0\nLicense: x", "MIT OR Apache-2.0"),
        ("License: whatever\nClassifier: License :: OSI Approved :: MIT License", "MIT"),
        (
            "License: BSD\nClassifier: License :: OSI Approved :: MIT License\n"
            "Classifier: License :: OSI Approved :: BSD License",
            "BSD",  # two classifiers say nothing
        ),
        ("License: UNKNOWN", "unknown"),
        ("License: " + MIT.replace("\n", "\n        "), "MIT"),
        ("Name: x", "unknown"),
    ],
)
def test_of_metadata(lines, expected):
    assert licences.of_metadata(f"Metadata-Version: 2.4\n{lines}\n\nLicense: GPL\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[project]\nlicense = "MIT"', "MIT"),
        ('[project]\nlicense = {text = "BSD-3-Clause"}', "BSD-3-Clause"),
        ('[project]\nlicense = {file = "LICENSE"}', "unknown"),
        ("[project]\n", "unknown"),
        ("not toml", "unknown"),
    ],
)
def test_of_pyproject(text, expected):
    assert licences.of_pyproject(text) == expected


def test_of_header():
    assert (
        licences.of_header("# x\n# SPDX-License-Identifier: MIT OR GPL-2.0+\n") == "MIT OR GPL-2.0+"
    )
    assert licences.of_header("/* SPDX-License-Identifier: MIT */") == "MIT"
    assert licences.of_header("x = 1\n" * 2000 + "# SPDX-License-Identifier: MIT") is None


@pytest.mark.parametrize("name", ["LICENSE", "LICENCE.txt", "COPYING", "license-MIT", "UNLICENSE"])
def test_licence_file_names(name):
    assert licences.LICENCE_FILE.match(name)


def test_other_names_are_no_licence_files():
    assert not licences.LICENCE_FILE.match("licenses.py")

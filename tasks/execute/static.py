"""Probes that only look at a program: A(c) and the undefined names of R(c) (SPEC 1.4)."""

from __future__ import annotations

import ast
import warnings

from pyflakes.checker import Checker
from pyflakes.messages import UndefinedName

# What parsing or walking a hostile text may raise, besides SyntaxError.
_TOO_MUCH = (ValueError, RecursionError, MemoryError)


def parse_error(code: str) -> str:
    """A(c): class name of the error that parsing raises, empty if the program parses."""
    try:
        _parse(code)
    except (SyntaxError, *_TOO_MUCH) as error:
        return type(error).__name__
    return ""


def undefined_names(code: str) -> list[str]:
    """Names that the program, which must parse, uses and never defines; sorted.

    Raises RecursionError if it is nested too deeply to be analysed.
    """
    found = Checker(_parse(code)).messages
    return sorted({str(m.message_args[0]) for m in found if isinstance(m, UndefinedName)})


def names_error(code: str) -> str:
    """Class name of the error that stands against the program's names, empty if there is none."""
    try:
        return "NameError" if undefined_names(code) else ""
    except (SyntaxError, *_TOO_MUCH) as error:
        return type(error).__name__


def _parse(code: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)

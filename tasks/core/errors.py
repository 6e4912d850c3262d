"""Errors that a user can act on."""

from __future__ import annotations

import sys
from collections.abc import Callable


class CodeGraftError(Exception):
    """Something the user can mend: says what is wrong, where, and what to do.

    Stages raise it before or instead of writing any output.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what, self.where, self.remedy = what, where, remedy
        lines = [what]
        if where:
            lines.append(f"  where: {where}")
        if remedy:
            lines.append(f"  remedy: {remedy}")
        super().__init__("\n".join(lines))


def run_stage(main: Callable[[], None]) -> None:
    """Run a stage's main; a CodeGraftError becomes a message and exit code 2, Ctrl-C code 130."""
    try:
        main()
    except CodeGraftError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except OSError as error:
        if error.errno not in (28, 122):  # ENOSPC, EDQUOT
            raise
        print(
            f"error: the disk is full\n  where: {error.filename or 'while writing'}\n"
            "  remedy: make space and run the same command again; finished work is kept",
            file=sys.stderr,
        )
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        print("stopped; run the same command again to continue", file=sys.stderr)
        raise SystemExit(130) from None

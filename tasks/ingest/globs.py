"""Which paths a source takes: patterns with the meaning they have in .gitignore."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pathspec import GitIgnoreSpec
from pydantic import AfterValidator, Field


def _checked(patterns: list[str]) -> list[str]:
    GitIgnoreSpec.from_lines(patterns)  # raises ValueError for a bad one, which pydantic reports
    return patterns


Globs = Annotated[list[str], AfterValidator(_checked)]
MaxBytes = Annotated[int, Field(ge=1)]
DEFAULT_MAX_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True)
class Selection:
    """Takes a path that an include pattern matches and no exclude pattern does.

    Patterns are those of .gitignore: `*.py` at any depth, `/setup.py` at the root only, `tests/`
    a folder and all below it, `!` takes back.
    """

    include: GitIgnoreSpec
    exclude: GitIgnoreSpec

    @classmethod
    def of(cls, include: list[str], exclude: list[str]) -> Selection:
        """Compile the patterns."""
        return cls(GitIgnoreSpec.from_lines(include), GitIgnoreSpec.from_lines(exclude))

    def takes(self, path: str) -> bool:
        """Whether the file at this path, relative with slashes, is taken."""
        return self.include.match_file(path) and not self.exclude.match_file(path)

    def enters(self, folder: str) -> bool:
        """Whether anything below this folder can be taken."""
        return not self.exclude.match_file(f"{folder}/")

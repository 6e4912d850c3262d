"""Changes of params.yaml given as `key.path=value`, checked before the file is touched."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from dvc.exceptions import DvcException
from dvc.utils.hydra import apply_overrides as rewrite

from tasks.core.errors import CodeGraftError
from tasks.core.files import atomic_path
from tasks.core.params import load_params


def apply_overrides(path: Path, overrides: Sequence[str]) -> None:
    """Change the file as `dvc exp run -S` does, comments kept; equal values change no byte.

    Raises CodeGraftError for a change that the schema of params.yaml refuses.
    """
    remedy = "give key.path=value with a key of params.yaml, such as conditions.block-pkg.k=3"
    with atomic_path(path) as temporary:
        changed = temporary.with_suffix(".yaml")
        try:
            shutil.copyfile(path, changed)
            rewrite(changed, list(overrides))
            load_params(changed)
            changed.replace(temporary)
        except DvcException as error:
            raise CodeGraftError(
                f"{error}: {error.__cause__ or ''}", where=" ".join(overrides), remedy=remedy
            ) from error
        except CodeGraftError as error:
            raise CodeGraftError(error.what, where=" ".join(overrides), remedy=remedy) from None
        finally:
            changed.unlink(missing_ok=True)

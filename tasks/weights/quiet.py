"""Keep the libraries' own bars and notes out of logs."""

from __future__ import annotations

import os
import sys

_NOTES = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_VERBOSITY": "error"}
_BARS = {"TQDM_DISABLE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}


def hush() -> None:
    """Silence transformers and the hub's client; on a terminal their bars stay.

    They read these variables when they are first imported, so this has to come before.
    """
    for name, value in (_NOTES if sys.stderr.isatty() else _NOTES | _BARS).items():
        os.environ.setdefault(name, value)

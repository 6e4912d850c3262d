"""Data inside HTML: as JSON that no parser can mistake for markup, or compressed."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def safe_json(value: Any) -> str:
    """JSON for a script element: without `<`, `>` and `&`, so nothing in it ends the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.translate(_ESCAPES)


def packed(value: Any) -> str:
    """JSON, compressed, in base64; the same value gives the same text."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()


def unpacked(text: str) -> Any:
    """What `packed` was given."""
    return json.loads(gzip.decompress(base64.b64decode(text)))

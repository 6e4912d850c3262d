"""Changes of params.yaml given as `key.path=value`, checked before the file is touched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from tasks.core.errors import CodeGraftError
from tasks.core.files import atomic_path
from tasks.core.params import load_params


def apply_overrides(path: Path, overrides: Sequence[str]) -> None:
    """Change values of params.yaml; all other characters of the file stay as they are.

    Raises CodeGraftError for a key that is not in the file and for a value that the schema of
    params.yaml refuses; the file is then unchanged.
    """
    text = path.read_text(encoding="utf-8")
    for override in overrides:
        text = changed(text, override)
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        try:
            load_params(temporary)
        except CodeGraftError as error:
            raise _refusal(" ".join(overrides), error.what) from None


def changed(text: str, override: str) -> str:
    """YAML text in which `key.path=value` holds; the value is YAML."""
    key, sign, value = override.partition("=")
    try:
        wanted = yaml.safe_load(value)
        node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise _refusal(override, f"not YAML: {error}") from None
    if not sign:
        raise _refusal(override, "a change has the form key.path=value")
    for part in key.split("."):
        entries = node.value if isinstance(node, yaml.MappingNode) else []
        found = [below for name, below in entries if name.value == part]
        if not found:
            known = ", ".join(name.value for name, _ in entries)
            raise _refusal(override, f"there is no `{part}`; known are: {known or 'none'}")
        node = found[0]
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        raise _refusal(override, f"`{key}` is a block of several lines; edit the file")
    flow = yaml.safe_dump(wanted, default_flow_style=True, width=10**6).strip()
    inline = flow.removesuffix("...").strip()
    start, end = node.start_mark, node.end_mark
    if start is None or end is None:
        raise _refusal(override, f"`{key}` has no place in the file; edit the file")
    return text[: start.index] + inline + text[end.index :]


def _refusal(override: str, what: str) -> CodeGraftError:
    remedy = "give a key of params.yaml and its value, such as conditions.block-pkg.k=3"
    return CodeGraftError(what, where=f"params.yaml, {override}", remedy=remedy)

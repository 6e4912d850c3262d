"""HTML from templates, with styles and scripts inside and no way to the network.

The page's content security policy allows the page's own scripts by their digests and nothing
else: no connection, no event handler in markup, no evaluation of text.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tasks.figures.palette import DARK, LIGHT, Palette, names

HERE = Path(__file__).parent
SCRIPTS = ("dom", "text", "state", "match", "controls", "listing", "candidate", "problem",
           "charts", "theme", "main")  # fmt: skip


def render(
    template: str, scripts: Sequence[str], *, folder: Path | None = None, **values: Any
) -> str:
    """A whole page; `scripts` are JavaScript texts in the order in which they run.

    The template is looked for in `folder`, then among this package's.
    """
    own = HERE / "templates"
    environment = Environment(
        loader=FileSystemLoader([folder, own] if folder else [own]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["minus"] = with_minus
    return environment.get_template(template).render(
        **values,
        style=Markup(stylesheet()),
        scripts=[Markup(script) for script in scripts],
        policy=policy(scripts),
    )


def with_minus(text: str) -> str:
    """Signed numbers with the minus sign of print in place of hyphens."""
    return text.replace("-", "\N{MINUS SIGN}")


def policy(scripts: Sequence[str]) -> str:
    """The content security policy for these scripts."""
    digests = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def stylesheet() -> str:
    """All styles, the palettes first."""
    parts = [_palettes(), *(_static(f"{name}.css") for name in ("base", "problems", "print"))]
    return "\n".join(parts)


def script(names: Sequence[str] = SCRIPTS) -> str:
    """Scripts of this package as one, in a scope of their own."""
    body = "\n".join(_static(f"{name}.js") for name in names)
    return f'"use strict";\n(() => {{\n{body}\n}})();\n'


def _static(name: str) -> str:
    return (HERE / "static" / name).read_text(encoding="utf-8")


def _palettes() -> str:
    light, dark = _declared(LIGHT), _declared(DARK)
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        "@media (prefers-color-scheme: dark) {\n"
        f"  :root:not([data-theme='light']) {{ color-scheme: dark; {dark} }}\n}}\n"
        f":root[data-theme='dark'] {{ color-scheme: dark; {dark} }}\n"
        "@media print {\n"
        "  :root, :root:not([data-theme='light']), :root[data-theme='dark'] "
        f"{{ color-scheme: light; {light} }}\n}}\n"
    )


def _declared(palette: Palette) -> str:
    colours: Mapping[str, str] = {name: getattr(palette, name) for name in names()}
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())

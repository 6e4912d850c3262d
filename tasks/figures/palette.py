"""Colours by what they mean, for light and dark paper."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Palette:
    """A colour for each role in a chart or page; any CSS colour.

    `system` is a condition, `baseline` the condition `none`, `selector` a selector, `reference`
    what is no system (oracle, random). `helped` and `hurt` differ for colour-blind readers too.
    """

    paper: str
    ink: str
    muted: str
    grid: str
    faint: str
    system: str
    baseline: str
    selector: str
    reference: str
    helped: str
    hurt: str


LIGHT = Palette(
    paper="#ffffff",
    ink="#1d1f23",
    muted="#5d636d",
    grid="#e4e6e9",
    faint="#cfd3d8",
    system="#33658f",
    baseline="#1d1f23",
    selector="#7a5195",
    reference="#8a919b",
    helped="#2c6fa8",
    hurt="#c05a1f",
)
DARK = Palette(
    paper="#16181c",
    ink="#e6e8eb",
    muted="#a0a7b1",
    grid="#2c3037",
    faint="#454b55",
    system="#7fb2dd",
    baseline="#e6e8eb",
    selector="#c39bdf",
    reference="#858d98",
    helped="#72b0e6",
    hurt="#ec9a62",
)


def names() -> list[str]:
    """The roles in order."""
    return [field.name for field in fields(Palette)]


def variables() -> Palette:
    """The roles as CSS variables, so that a page recolours its charts without drawing them anew."""
    return Palette(**{name: f"var(--{name})" for name in names()})

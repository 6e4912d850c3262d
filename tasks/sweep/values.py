"""Values of parameters as text, in the grammar of DVC's `--set-param` (Hydra's overrides)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import (
    ChoiceSweep,
    IntervalSweep,
    Override,
    OverrideType,
    Quote,
    QuotedString,
    RangeSweep,
)
from hydra.errors import HydraException

from tasks.core.errors import CodeGraftError

Value = Any  # what YAML holds: null, bool, int, float, str, list, dict
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
RANGE = re.compile(r"(?P<low>-?[0-9.eE+-]*?[0-9])\.\.(?P<high>-?[0-9.][0-9.eE+-]*)")
LITERALS = ("null", "true", "false", "nan", "inf")


@dataclass(frozen=True)
class Interval:
    """All numbers from `low` to `high`; whole numbers if both ends are whole."""

    low: int | float
    high: int | float

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"an empty range: {self.low}..{self.high}")


@dataclass(frozen=True)
class Axis:
    """One swept parameter: its dotted key, and its values or the range to draw from."""

    key: str
    values: tuple[Value, ...] | Interval


def parse_axis(text: str) -> Axis:
    """The axis of `key=v1,v2,…`, `key=range(…)` or `key=low..high`.

    Values read as DVC reads them: numbers, true, false, null, [lists], {maps}, strings with or
    without quotes. Raises CodeGraftError for anything else, and for a value that occurs twice.
    """
    try:
        parsed = OverridesParser.create().parse_override(text)
        if parsed.type != OverrideType.CHANGE or parsed.package is not None:
            raise _refusal(text, "a parameter is set with key=values")
        values = _values(parsed)
    except (HydraException, ValueError) as error:
        raise _refusal(text, str(error).splitlines()[0]) from None
    if isinstance(values, tuple):
        doubled = [v for place, v in enumerate(values) if _among(v, values[:place])]
        if doubled:
            raise _refusal(text, f"the value {spell(doubled[0])} occurs twice")
    return Axis(parsed.key_or_group, values)


def parse_value(text: str) -> Value:
    """One value, as DVC would read it after the equals sign."""
    values = parse_axis(f"x={text}").values
    if isinstance(values, Interval) or len(values) != 1:
        raise _refusal(text, "one value is expected here")
    return values[0]


def spell(value: Value) -> str:
    """The text that `parse_value` and DVC read back as `value`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{','.join(map(spell, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{spell(k)}:{spell(v)}' for k, v in value.items())}}}"
    if PLAIN.fullmatch(value) and value.lower() not in LITERALS:
        return str(value)
    return QuotedString(value, quote=Quote.single).with_quotes()


def _values(parsed: Override) -> tuple[Value, ...] | Interval:
    value = parsed.value()
    if isinstance(value, ChoiceSweep | RangeSweep):
        return tuple(_plain(item) for item in parsed.sweep_iterator())
    if isinstance(value, IntervalSweep):
        return Interval(value.start or 0, value.end or 0)
    if isinstance(value, str) and (found := RANGE.fullmatch(value)):
        return Interval(_number(found["low"]), _number(found["high"]))
    if parsed.is_sweep_override():
        raise ValueError(f"not supported here: {parsed.get_value_string()}")
    return (value,)


def _number(text: str) -> int | float:
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def _plain(item: Any) -> Value:
    """The value behind Hydra's notes on quotes; steps of a range without rounding errors."""
    if isinstance(item, QuotedString):
        return item.text
    if isinstance(item, list):
        return [_plain(part) for part in item]
    if isinstance(item, dict):
        return {_plain(key): _plain(part) for key, part in item.items()}
    return round(item, 12) if isinstance(item, float) else item


def _among(value: Value, others: tuple[Value, ...]) -> bool:
    return any(type(value) is type(other) and value == other for other in others)


def _refusal(text: str, why: str) -> CodeGraftError:
    return CodeGraftError(
        f"not a swept parameter: {why}",
        where=f"-S {text}",
        remedy="write -S key=value,value; for a range to draw from -S key=low..high",
    )

"""Points of a sweep: all of a grid, a random draw, or lines of a file."""

from __future__ import annotations

import csv
import itertools
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest_json
from tasks.sweep.values import Axis, Interval, Value, parse_axis, parse_value

ATTEMPTS = 1000  # draws in a row that gave nothing new before a range counts as exhausted


@dataclass(frozen=True)
class Point:
    """Values of swept parameters, as pairs of dotted key and value in the order of the axes."""

    settings: tuple[tuple[str, Value], ...]

    @property
    def identity(self) -> str:
        """Digest of the settings, which no two different points share."""
        return digest_json([[key, type(value).__name__, value] for key, value in self.settings])


def grid(axes: Sequence[Axis]) -> list[Point]:
    """Every combination of the axes' values; the last axis changes fastest."""
    lists = []
    for axis in axes:
        if isinstance(axis.values, Interval):
            raise CodeGraftError(
                "a grid needs values, not a range",
                where=f"-S {axis.key}={axis.values.low}..{axis.values.high}",
                remedy="list the values, or draw from the range with --sampler random --limit N",
            )
        lists.append([(axis.key, value) for value in axis.values])
    return [Point(settings) for settings in itertools.product(*lists)]


def draw(axes: Sequence[Axis], *, limit: int, seed: int) -> list[Point]:
    """`limit` different points, drawn with `seed`; fewer if there are no more.

    Lists of values are drawn without repetition from their grid; ranges uniformly.
    """
    generator = random.Random(seed)
    if not any(isinstance(axis.values, Interval) for axis in axes):
        points = grid(axes)
        return generator.sample(points, min(limit, len(points)))
    found: dict[str, Point] = {}
    missed = 0
    while len(found) < limit and missed < ATTEMPTS:
        point = Point(tuple((axis.key, _pick(axis.values, generator)) for axis in axes))
        missed = missed + 1 if point.identity in found else 0
        found.setdefault(point.identity, point)
    return list(found.values())


def _pick(values: tuple[Value, ...] | Interval, generator: random.Random) -> Value:
    if not isinstance(values, Interval):
        return generator.choice(values)
    low, high = values.low, values.high
    if isinstance(low, int) and isinstance(high, int):
        return generator.randint(low, high)
    drawn = generator.uniform(low, high)
    # Four digits are enough to tell points apart and keep names short.
    digits = 3 - math.floor(math.log10(high - low))
    return min(max(round(drawn, digits), low), high)


def read_points(path: Path) -> list[Point]:
    """Points of a JSON or YAML list of maps, JSON lines, or CSV with keys in its first line.

    Keys are dotted. A cell of a CSV is read like a value of -S; an empty one is left out.
    """
    try:
        rows = list(_rows(path))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise CodeGraftError(
            f"points cannot be read: {error}", where=str(path), remedy=FORMATS
        ) from None
    points = [Point(tuple(row.items())) for row in rows]
    seen: dict[str, int] = {}
    for place, point in enumerate(points, 1):
        first = seen.setdefault(Point(tuple(sorted(point.settings))).identity, place)
        if first != place:
            raise CodeGraftError(
                f"point {place} repeats point {first}", where=str(path), remedy="delete one"
            )
    return points


FORMATS = "give a .json or .yaml list of maps from dotted key to value, .jsonl, or .csv"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    rows: Any
    match path.suffix.lower():
        case ".csv":
            table = csv.DictReader(text.splitlines())
            rows = [{k: parse_value(v) for k, v in row.items() if v} for row in table]
        case ".jsonl":
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        case ".json" | ".yaml" | ".yml":
            rows = yaml.safe_load(text)
        case suffix:
            raise ValueError(f"unknown kind of file {suffix!r}")
    if not isinstance(rows, list) or not rows:
        raise ValueError("it holds no list of points")
    for place, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not row or not all(isinstance(key, str) for key in row):
            raise ValueError(f"point {place} is not a map from dotted key to value")
        yield row


def select_points(
    sampler: str, settings: Sequence[str], *, limit: int | None, seed: int, file: Path | None
) -> list[Point]:
    """The points of a sweep in the order in which they run.

    `sampler`: grid (all combinations), random (`limit` of them, or of ranges) or file. A `limit`
    keeps the first ones of a grid or a file. Raises CodeGraftError for what does not go together.
    """
    if sampler == "file":
        if file is None or settings:
            raise CodeGraftError(
                "the sampler `file` takes its points from a file alone",
                remedy="give --points FILE, and no -S",
            )
        return read_points(file)[:limit]
    if file is not None:
        raise CodeGraftError("--points needs --sampler file", where=str(file))
    axes = [parse_axis(text) for text in settings]
    keys = [axis.key for axis in axes]
    if doubled := {key for key in keys if keys.count(key) > 1}:
        raise CodeGraftError(
            f"set more than once: {', '.join(sorted(doubled))}",
            remedy="give each parameter one -S with all of its values",
        )
    if sampler == "grid":
        return grid(axes)[:limit]
    if limit is None and any(isinstance(axis.values, Interval) for axis in axes):
        raise CodeGraftError("a range has no end of points", remedy="say how many: --limit N")
    size = math.prod(len(a.values) for a in axes if not isinstance(a.values, Interval))
    return draw(axes, limit=size if limit is None else limit, seed=seed)

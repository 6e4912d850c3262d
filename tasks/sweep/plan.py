"""What a sweep is to do, checked against the schema of params.yaml before anything runs."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

from tasks.core.errors import CodeGraftError
from tasks.core.params import Params, Positive, load_params
from tasks.core.plugin_options import check_plugins
from tasks.core.strict import Strict, validated
from tasks.sweep.points import Point, select_points
from tasks.sweep.values import Value

BASELINE = "none"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
RESERVED = {
    "benchmark.run": "--dev and --benchmark",
    "benchmark.limit": "--dev-limit",
    "solvers": "--solvers",
}
Settings = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Job:
    """One experiment: a point on one benchmark. `settings` are all that differs from params.yaml.

    `point` holds the swept settings only, `limit` the number of problems or None for all.
    """

    point: Point
    benchmark: str
    limit: int | None
    model: str
    settings: Settings


@dataclass(frozen=True)
class Plan:
    """A checked sweep.

    `measured` are the conditions whose pass@1 counts; `solvers` are those and the baseline.
    """

    name: str
    keys: tuple[str, ...]
    points: tuple[Point, ...]
    dev: str
    dev_limit: int
    benchmark: str
    solvers: tuple[str, ...]
    measured: tuple[str, ...]
    raw: Mapping[str, Any]

    def dev_job(self, point: Point) -> Job:
        """The point on the development set."""
        return self._job(point, self.dev, self.dev_limit)

    def benchmark_job(self, point: Point) -> Job:
        """The point on all problems of the benchmark."""
        return self._job(point, self.benchmark, None)

    @property
    def default(self) -> Point:
        """The swept keys as params.yaml has them; those that it leaves out stay out."""
        found = [(key, lookup(self.raw, key)) for key in self.keys]
        return Point(tuple((k, _single(k, v)) for k, v in found if v is not Missing))

    def _job(self, point: Point, benchmark: str, limit: int | None) -> Job:
        chosen = dict(point.settings)
        model = chosen.get("models", self.raw["models"][0])
        settings = {
            **{key: [value] if key == "models" else value for key, value in chosen.items()},
            "benchmark.run": [benchmark],
            "benchmark.limit": limit,
            "solvers": list(self.solvers),
        }
        return Job(point, benchmark, limit, model, tuple(settings.items()))


class Request(Strict):
    """What a user asks for: the options of `python -m flows.sweep` by name."""

    settings: list[str] = []
    sampler: Literal["grid", "random", "file"] = "grid"
    limit: Positive | None = None
    seed: int = 0
    name: str | None = None
    dev: str = "mbpp-dev"
    dev_limit: Positive = 80
    benchmark: str = "humaneval"
    solvers: list[str] | None = None
    points: str | None = None


class Missing:
    """Stands for a key that params.yaml does not have."""


def lookup(raw: Mapping[str, Any], key: str) -> Any:
    """The value at a dotted key, or `Missing`."""
    value: Any = raw
    for part in key.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return Missing
        value = value[part]
    return value


def overlay(raw: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """A copy of the parameters with the settings put in, groups made where they are missing."""
    changed = copy.deepcopy(dict(raw))
    for key, value in settings:
        *parents, last = key.split(".")
        place: Any = changed
        for part in parents:
            if not isinstance(place.get(part), dict):
                place[part] = {}
            place = place[part]
        place[last] = copy.deepcopy(value)
    return changed


def make_plan(root: Path, request: Request) -> Plan:
    """Check every point on both benchmarks against the schema, its conditions and plugins.

    Raises CodeGraftError naming the point and each offending key.
    """
    points = select_points(
        request.sampler,
        request.settings,
        limit=request.limit,
        seed=request.seed,
        file=Path(request.points) if request.points else None,
    )
    load_params(root / "params.yaml")
    raw = yaml.safe_load((root / "params.yaml").read_text(encoding="utf-8"))
    keys = tuple(dict.fromkeys(key for point in points for key, _ in point.settings))
    _check_request(request, keys, raw)
    enabled, measured = _conditions(keys, request.solvers, raw["solvers"])
    plan = Plan(
        name=request.name or "-".join(key.rsplit(".", 1)[-1] for key in keys),
        keys=keys,
        points=tuple(points),
        dev=request.dev,
        dev_limit=request.dev_limit,
        benchmark=request.benchmark,
        solvers=enabled,
        measured=measured,
        raw=raw,
    )
    for point in plan.points:
        for job in (plan.dev_job(point), plan.benchmark_job(point)):
            _check_job(job, raw)
    return plan


def _check_job(job: Job, raw: Mapping[str, Any]) -> None:
    where = "point " + ", ".join(f"{key}={value}" for key, value in job.point.settings)
    try:
        check_plugins(validated(Params, overlay(raw, job.settings), where=where))
    except CodeGraftError as error:
        raise CodeGraftError(
            error.what,
            where=where,
            remedy="correct the -S of this key; params.yaml shows every valid one",
        ) from None


def _check_request(request: Request, keys: Sequence[str], raw: Mapping[str, Any]) -> None:
    if request.dev == request.benchmark:
        raise CodeGraftError(
            f"{request.dev} cannot be both the development set and the benchmark",
            remedy="choose on one and report on the other: the best of many points on a set says "
            "little about what it does elsewhere",
        )
    if request.name is not None and not NAME.fullmatch(request.name):
        raise CodeGraftError(
            "not a name for a sweep",
            where=f"--name {request.name}",
            remedy="use letters, digits, dots, underscores and hyphens",
        )
    if not keys:
        raise CodeGraftError("nothing to sweep", remedy="name parameters with -S key=value,value")
    for key in keys:
        if key in RESERVED:
            raise CodeGraftError(
                f"{key} is set by the sweep itself",
                where=f"-S {key}",
                remedy=f"use {RESERVED[key]}",
            )
    if "models" not in keys and len(raw["models"]) != 1:
        raise CodeGraftError(
            f"a point runs one model, and params.yaml names {len(raw['models'])}",
            where="params.yaml: models",
            remedy=f"add -S models={','.join(raw['models'])}, or one of them",
        )


def _conditions(
    keys: Sequence[str], solvers: Sequence[str] | None, enabled: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Conditions to run and, among them, those that are measured."""
    swept = [key.split(".")[1] for key in keys if key.startswith("conditions.") and "." in key]
    chosen = list(solvers) if solvers else [BASELINE, *swept] if swept else list(enabled)
    run = tuple(dict.fromkeys(chosen))
    if absent := [slug for slug in dict.fromkeys(swept) if slug not in run]:
        raise CodeGraftError(
            f"parameters of {absent} are swept, but it is not run",
            where="--solvers",
            remedy=f"add it: --solvers {','.join([*run, *absent])}",
        )
    measured = tuple(dict.fromkeys(swept)) or tuple(s for s in run if s != BASELINE) or run
    return run, measured


def _single(key: str, value: Value) -> Value:
    return value[0] if key == "models" else value

"""Every plugin named in params.yaml exists and accepts its options: checked before work starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tasks.core.plugins import available, load
from tasks.core.strict import validated

if TYPE_CHECKING:
    from tasks.core.params import Params

CONDITIONS = "tasks.conditions"
SOURCES = "tasks.ingest.sources"
BENCHMARKS = "tasks.problems.benchmarks"
SELECTORS = "tasks.select.selectors"
SANDBOXES = "tasks.sandbox.backends"
GENERATORS = "tasks.generate.backends"
EMBEDDERS = "tasks.embed.embedders"


def check_plugins(params: Params) -> None:
    """Raise CodeGraftError for an unknown plugin or an option that its plugin refuses.

    Otherwise a slip in a condition's options would show only after corpus, graph and vectors were
    built.
    """

    def check(package: str, slug: str, raw: dict[str, Any], where: str) -> None:
        validated(load(package, slug, "Options"), raw, where=f"params.yaml: {where}")

    for condition in params.solvers:
        raw = params.conditions[condition]
        check(CONDITIONS, condition, raw, f"conditions.{condition}")
    for place, source in enumerate(params.ingest.sources):
        options = {key: value for key, value in source.items() if key != "kind"}
        check(SOURCES, str(source.get("kind")), options, f"ingest.sources[{place}]")
    for slug in params.benchmark.run:
        check(BENCHMARKS, slug, params.benchmark.options(slug), f"benchmark.{slug}")
    models = params.weights
    for slug in params.select.selectors:
        check(SELECTORS, slug, dict(params.select.options.get(slug, {})), f"select.options.{slug}")
    for package, slugs in (
        (SANDBOXES, [params.execute.backend]),
        (GENERATORS, [models.generators[name].backend for name in params.models]),
        (EMBEDDERS, [models.embedders[params.embed.model].backend]),
    ):
        for slug in slugs:
            _require(package, slug)


def _require(package: str, slug: str) -> None:
    if slug not in available(package):
        load(package, slug, "make")  # raises, naming those that exist

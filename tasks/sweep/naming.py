"""Names of points: for people, for figures and for DVC."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.core.ids import digest_json
from tasks.sweep.plan import Job
from tasks.sweep.points import Point
from tasks.sweep.values import spell

SLUG_CHARS = 60


def short_keys(keys: Sequence[str]) -> dict[str, str]:
    """The shortest dotted ending of each key that no other key has."""
    short = {}
    for key in keys:
        parts = key.split(".")
        endings = [".".join(parts[-count:]) for count in range(1, len(parts) + 1)]
        short[key] = next(
            (
                ending
                for ending in endings
                if not any(k != key and (k == ending or k.endswith(f".{ending}")) for k in keys)
            ),
            key,
        )
    return short


def label(point: Point, keys: Sequence[str]) -> str:
    """`min_similarity=0.3, prune=keep`."""
    short = short_keys(keys)
    return ", ".join(f"{short[key]}={spell(value)}" for key, value in point.settings)


def experiment_name(sweep: str, job: Job) -> str:
    """Name of the experiment: readable, valid in Git, and different for different jobs.

    The values stand in the order of the swept keys, which `dvc exp show` has as columns.
    """
    values = "-".join(spell(value) for _, value in job.point.settings)
    readable = slug(f"{sweep}-{job.benchmark}-{values}")[:SLUG_CHARS].strip("-.")
    return f"{readable}-{digest_json([job.settings, job.benchmark])[:6]}"


def slug(text: str) -> str:
    """Letters, digits, dots, underscores and hyphens; nothing that Git forbids in a ref."""
    kept = re.sub(r"[^A-Za-z0-9._]+", "-", text)
    return re.sub(r"\.{2,}", ".", kept).strip("-.")

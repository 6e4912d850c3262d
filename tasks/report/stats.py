"""Statistics of paired comparisons between conditions.

Two kinds of interval are used, each where it is right. A share of problems solved once each is a
binomial proportion: its interval is Wilson's, which stays honest near 0 and 1, where a bootstrap
of 0 successes returns the empty interval [0, 0]. Means of anything else (differences between two
conditions, several samples a problem, an expected value) are bootstrapped over problems; a
difference is bootstrapped over the *pairs*, since both conditions saw the same problems (SPEC 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt
from scipy import stats

Floats = npt.NDArray[np.float64]
Interval = tuple[float, float]


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """Unbiased estimate of the chance that one of `k` samples passes (Chen et al. 2021, eq. 1).

    1 - C(samples - passed, k) / C(samples, k). Raises ValueError unless
    0 <= passed <= samples and 1 <= k <= samples.
    """
    if not 0 <= passed <= samples or not 1 <= k <= samples:
        raise ValueError(f"no pass@{k} of {passed} passed in {samples} samples")
    return 1.0 - comb(samples - passed, k) / comb(samples, k)


def wilson_interval(passed: int, total: int, *, confidence: float) -> Interval:
    """Wilson's score interval of a proportion of `total` >= 1 yes-or-no outcomes."""
    bounds = stats.binomtest(passed, total).proportion_ci(confidence, method="wilson")
    return float(bounds.low), float(bounds.high)


def bootstrap_interval(
    values: Floats, *, confidence: float, resamples: int, seed: int, bounds: Interval = (0.0, 1.0)
) -> Interval:
    """Percentile bootstrap interval of the mean of `values`, one value a problem.

    For a paired comparison `values` holds the differences. A single problem says nothing about
    others: the answer is then `bounds`, the range of the mean.
    """
    if len(values) < 2:
        return bounds
    result = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=resamples,
        batch=1000,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def mcnemar_exact(helped: int, hurt: int) -> float:
    """Two-sided exact McNemar p-value: the binomial test of the discordant pairs at 1/2.

    1.0 when no pair is discordant. With several samples a problem, where `helped` counts the
    problems whose share of passes rose, the same formula is the sign test.
    """
    if helped + hurt == 0:
        return 1.0
    return float(stats.binomtest(helped, helped + hurt, 0.5).pvalue)


@dataclass(frozen=True)
class Comparison:
    """One condition against another on the same problems.

    `difference` and `interval` are in shares of problems; `helped` and `hurt` count problems.
    """

    difference: float
    interval: Interval
    helped: int
    hurt: int
    mcnemar_p: float


def compare(
    values: Floats, baseline: Floats, *, confidence: float, resamples: int, seed: int
) -> Comparison:
    """Compare paired per-problem values in [0, 1], shape [problems] each, in the same order.

    Raises ValueError if the shapes differ.
    """
    if values.shape != baseline.shape:
        raise ValueError(f"not paired: {values.shape} against {baseline.shape}")
    differences = values - baseline
    helped, hurt = int(np.sum(differences > 0)), int(np.sum(differences < 0))
    interval = bootstrap_interval(
        differences, confidence=confidence, resamples=resamples, seed=seed, bounds=(-1.0, 1.0)
    )
    return Comparison(
        difference=float(np.mean(differences)),
        interval=interval,
        helped=helped,
        hurt=hurt,
        mcnemar_p=mcnemar_exact(helped, hurt),
    )

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.report.stats import (
    bootstrap_interval,
    compare,
    mcnemar_exact,
    pass_at_k,
    wilson_interval,
)

SETTINGS: dict[str, Any] = {"confidence": 0.95, "resamples": 2000, "seed": 0}
outcomes = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=30).map(np.array)


@given(st.integers(1, 8), st.data())
def test_pass_at_k_is_the_share_of_subsets_with_a_pass(samples, data):
    passed = data.draw(st.integers(0, samples))
    k = data.draw(st.integers(1, samples))
    rolls = [index < passed for index in range(samples)]
    subsets = list(itertools.combinations(rolls, k))
    expected = sum(any(subset) for subset in subsets) / len(subsets)
    assert pass_at_k(samples, passed, k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("samples", "passed", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 4), (3, 1, 0)])
def test_pass_at_k_refuses_the_impossible(samples, passed, k):
    with pytest.raises(ValueError, match="no pass@"):
        pass_at_k(samples, passed, k)


def test_wilson_interval_known_values():
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3
    for passed, total, low, high in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        bounds = wilson_interval(passed, total, confidence=0.95)
        assert bounds == pytest.approx((low, high), abs=5e-5)


def test_mcnemar_exact_known_values():
    # two-sided binomial tails: 2 * sum(C(n, i), i <= min) / 2**n
    assert mcnemar_exact(0, 0) == 1.0
    assert mcnemar_exact(0, 6) == pytest.approx(2 / 64)
    assert mcnemar_exact(9, 1) == pytest.approx(2 * (1 + 10) / 1024)
    assert mcnemar_exact(5, 5) == 1.0


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_a_symmetric_probability(helped, hurt):
    p = mcnemar_exact(helped, hurt)
    assert 0 < p <= 1
    assert p == pytest.approx(mcnemar_exact(hurt, helped))


@given(outcomes)
def test_bootstrap_interval_stays_within_the_values_and_repeats(values):
    low, high = bootstrap_interval(values, **SETTINGS)
    assert values.min() <= low <= high <= values.max()
    assert bootstrap_interval(values, **SETTINGS) == (low, high)


def test_bootstrap_interval_agrees_with_the_normal_one_on_many_problems():
    values = np.repeat([0.0, 1.0], [400, 600])
    low, high = bootstrap_interval(values, confidence=0.95, resamples=10000, seed=0)
    half = 1.96 * (0.6 * 0.4 / 1000) ** 0.5
    assert (low, high) == pytest.approx((0.6 - half, 0.6 + half), abs=0.002)


def test_one_problem_tells_nothing():
    assert bootstrap_interval(np.array([1.0]), **SETTINGS) == (0.0, 1.0)
    assert compare(np.array([1.0]), np.array([0.0]), **SETTINGS).interval == (-1.0, 1.0)


def test_compare_counts_pairs():
    result = compare(np.array([1.0, 1, 0, 1, 0]), np.array([1.0, 0, 1, 0, 0]), **SETTINGS)
    assert (result.helped, result.hurt, result.mcnemar_p) == (2, 1, 1.0)
    assert result.difference == pytest.approx(0.2)
    with pytest.raises(ValueError, match="not paired"):
        compare(np.zeros(2), np.zeros(3), **SETTINGS)


@given(outcomes)
def test_compare_with_itself_finds_nothing(values):
    result = compare(values, values, **SETTINGS)
    assert (result.difference, result.interval, result.helped, result.hurt) == (0.0, (0, 0), 0, 0)
    assert result.mcnemar_p == 1.0


@given(outcomes, st.integers(0, 2**32 - 1))
def test_compare_swaps_sides(values, seed):
    other = np.random.default_rng(seed).permutation(values)
    there, back = compare(values, other, **SETTINGS), compare(other, values, **SETTINGS)
    assert (there.helped, there.hurt) == (back.hurt, back.helped)
    assert there.difference == pytest.approx(-back.difference)
    assert there.interval == pytest.approx((-back.interval[1], -back.interval[0]), abs=1e-9)

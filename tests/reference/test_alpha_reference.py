"""The slow α-divergence and the slow root against worked numbers and other criteria."""

import math

import numpy as np
import pytest

from reference.alpha import (
    best_gain,
    carved_alpha,
    carving_value,
    divergence,
    gain,
    larger_root,
    log_velocity,
    smaller_root,
    split_divergence,
    steepest_alpha,
    velocity,
)
from reference.tree import Rows, impurity

# P(x) = (.3, .7), P(y = 1 | x) = (.1, .4)
EXAMPLE = np.array([[0.27, 0.03], [0.42, 0.28]])
SEPTIC = 1 - 213 / 1359
ASYSTOLE = 1 - 361 / 3590


@pytest.mark.parametrize(
    ("alpha", "value"),
    [(0, 0.167535), (0.5, 0.140866), (1, 0.124514), (2, 0.11), (3, 0.11), (4, 0.120333)],
)
def test_divergence_of_the_example_from_the_uniform_reference(alpha, value):
    assert split_divergence(EXAMPLE, alpha, "uniform") == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("alpha", "value"), [(0.5, 0.055495), (1, 0.050468), (2, 0.04418)])
def test_divergence_of_the_example_from_the_product(alpha, value):
    assert split_divergence(EXAMPLE, alpha) == pytest.approx(value, abs=1e-6)


def test_divergence_at_a_large_alpha_is_as_large_as_it_should_be():
    assert split_divergence(EXAMPLE, 64, "uniform") == pytest.approx(8.09e11, rel=1e-3)


@pytest.mark.parametrize("reference", ["product", "uniform"])
@pytest.mark.parametrize("limit", [0, 1])
def test_divergence_is_continuous_where_it_is_a_limit(limit, reference):
    at = split_divergence(EXAMPLE, limit, reference)
    for near in (limit - 1e-5, limit + 1e-5):
        assert split_divergence(EXAMPLE, near, reference) == pytest.approx(at, abs=1e-5)


@pytest.mark.parametrize("alpha", [-1.5, 0, 0.3, 1, 2, 7])
def test_divergence_is_never_negative_zero_for_equals_and_symmetric_about_one_half(alpha):
    rng = np.random.default_rng(1)
    for p, q in rng.dirichlet(np.ones(4), (50, 2)):
        assert divergence(p, p, alpha) == pytest.approx(0, abs=1e-12)
        assert divergence(p, q, alpha) > 0
        assert divergence(p, q, alpha) == pytest.approx(divergence(q, p, 1 - alpha))


def test_divergence_is_infinite_where_a_class_is_lacking_and_alpha_is_not_positive():
    pure = np.array([[5.0, 0.0], [2.0, 3.0]])
    assert split_divergence(pure, 0) == split_divergence(pure, -1) == math.inf
    assert math.isfinite(split_divergence(pure, 0.1))


def test_alpha_one_is_mutual_information_and_alpha_two_half_the_chi_square():
    expected = np.outer(EXAMPLE.sum(axis=1), EXAMPLE.sum(axis=0))
    information = (EXAMPLE * np.log(EXAMPLE / expected)).sum()
    chi_square = ((EXAMPLE - expected) ** 2 / expected).sum()
    assert split_divergence(EXAMPLE, 1) == pytest.approx(information)
    assert split_divergence(EXAMPLE, 2) == pytest.approx(chi_square / 2)


def test_alpha_two_of_two_classes_is_the_gini_gain_over_four_times_the_variance():
    pi = EXAMPLE[:, 1].sum()
    assert split_divergence(EXAMPLE, 2) == pytest.approx(
        purity_gain(EXAMPLE, "gini") / (4 * pi * (1 - pi))
    )


def purity_gain(masses, criterion):
    after = sum(impurity(branch, criterion) for branch in masses)
    return (impurity(masses.sum(axis=0), criterion) - after) / masses.sum()


@pytest.mark.parametrize("reference", ["product", "uniform"])
@pytest.mark.parametrize(("alpha", "criterion"), [(1, "information"), (2, "gini")])
def test_alpha_one_and_two_rank_splits_as_information_gain_and_gini(alpha, criterion, reference):
    rng = np.random.default_rng(2)
    disagreements = 0
    for _ in range(2000):
        totals = rng.integers(5, 60, 2)
        first, second = (
            np.array([low, totals - low], float)
            for low in (rng.integers(1, totals), rng.integers(1, totals))
        )
        ours = gain(first, alpha, reference) - gain(second, alpha, reference)
        theirs = purity_gain(first, criterion) - purity_gain(second, criterion)
        is_tie = min(abs(ours), abs(theirs)) < 1e-12
        disagreements += not is_tie and (ours > 0) != (theirs > 0)
    assert disagreements == 0


@pytest.mark.parametrize("alpha", [1.5, 2, 4, 16, 64])
def test_a_chain_ranks_as_the_uniform_reference(alpha):
    rng = np.random.default_rng(3)
    for _ in range(200):
        first, second = rng.integers(1, 40, (2, 2, 2)).astype(float)
        carving = carving_value(first, alpha) - carving_value(second, alpha)
        both = [split_divergence(masses, alpha, "uniform") for masses in (first, second)]
        assert abs(carving) < 1e-12 or (carving > 0) == (both[0] > both[1])


@pytest.mark.parametrize(
    ("alpha", "winner"), [(1, "C"), (2, "C"), (4, "C"), (8, "A"), (16, "A"), (64, "B")]
)
def test_a_larger_alpha_prefers_purer_and_smaller_parts(alpha, winner):
    # Of 100 rows 20 have the event; without and with it on both sides of each split.
    splits = {"A": [[48, 2], [32, 18]], "B": [[20, 0], [60, 20]], "C": [[79, 11], [1, 9]]}
    values = {
        name: split_divergence(np.array(masses, float), alpha, "uniform")
        for name, masses in splits.items()
    }
    assert max(values, key=values.get) == winner


def test_the_best_gain_is_scaled_by_the_known_mass_and_respects_the_least_mass():
    values = np.array([1.0, 2, 3, np.nan])
    rows = Rows([values], [0], np.array([0, 0, 1, 1]), 2, np.ones(4))
    parted = gain(np.array([[2.0, 0], [0, 1]]), 1)
    assert best_gain(rows, 1) == pytest.approx(0.75 * parted)
    other = gain(np.array([[1.0, 0], [1, 1]]), 1)
    assert best_gain(rows, 1, min_samples_leaf=2) == -math.inf
    assert other < parted


@pytest.mark.parametrize(
    ("w", "alpha", "fastest"),
    [
        (0.51, 3.470101, 0.061882),
        (0.6, 3.525770, 0.621863),
        (0.7, 3.758373, 1.269410),
        (0.8, 4.663082, 2.046298),
        (0.9, 9.491223, 3.879584),
        (0.95, 19.495726, 7.549554),
        (0.99, 99.499162, 36.973431),
    ],
)
def test_where_the_zoom_is_steepest(w, alpha, fastest):
    assert steepest_alpha(w) == pytest.approx(alpha, abs=1e-6)
    assert velocity(steepest_alpha(w), w) == pytest.approx(fastest, abs=1e-6)
    bound = 1 / (math.e * w * abs(math.log(w)))  # what it is without (1 - w)^(a - 1)
    assert velocity(steepest_alpha(w), w) <= bound * (1 + 1e-12)


def test_where_the_zoom_is_steepest_near_balance():
    assert steepest_alpha(0.5) == pytest.approx(3.469578, abs=1.5e-6)
    assert velocity(steepest_alpha(0.500001), 0.500001) == pytest.approx(6.187890e-6, abs=1e-11)


@pytest.mark.parametrize(
    ("speed", "w", "larger", "smaller"),
    [
        (0.1, 0.95, 142.589, 1.0346),
        (0.1, 0.9, 62.031, 1.0460),
        (0.1, 0.8, 25.903, 1.0718),
        (0.1, 0.7, 15.059, 1.1157),
        (0.1, 0.6, 9.953, 1.2360),
        (0.5, 0.9, 43.355299, 1.242356),
    ],
)
def test_there_are_two_roots_above_one(speed, w, larger, smaller):
    assert larger_root(speed, w) == pytest.approx(larger, abs=5e-4)
    assert smaller_root(speed, w) == pytest.approx(smaller, abs=5e-5)
    grid = np.linspace(1.001, 300, 40_000)
    is_faster = np.array([log_velocity(alpha, w) for alpha in grid]) > math.log(speed)
    assert np.count_nonzero(np.diff(is_faster)) == 2


@pytest.mark.parametrize(
    ("speed", "w", "root"),
    [
        (1, 0.7, 5.965),
        (0.1, SEPTIC, 35.436),
        (0.001, SEPTIC, 66.1),
        (0.01, SEPTIC, 51.1),
        (1, SEPTIC, 17.9),
        (2, SEPTIC, 11.0),
        (0.01, ASYSTOLE, 86.5),
        (0.1, ASYSTOLE, 61.6),
        (1, ASYSTOLE, 34.4),
        (0.5, 0.75, 12.066213),
    ],
)
def test_larger_roots_of_the_cohorts(speed, w, root):
    digits = len(str(root).split(".")[1])
    assert larger_root(speed, w) == pytest.approx(root, abs=0.51 * 10**-digits)


def test_the_velocities_at_which_the_papers_alpha_of_64_is_the_first():
    assert velocity(64, SEPTIC) == pytest.approx(0.001387, abs=1e-6)
    assert velocity(64, ASYSTOLE) == pytest.approx(0.0806, abs=5e-5)


def test_a_third_root_is_negative():
    assert velocity(-0.049546, 0.9) == pytest.approx(0.5, abs=1e-5)


def test_without_a_root_alpha_is_the_steepest_or_the_chain_stops():
    assert larger_root(1, 0.6) is None
    assert carved_alpha(1, 0.6) == pytest.approx(3.525770, abs=1e-6)
    assert carved_alpha(1, 0.6, "stop") is None
    assert carved_alpha(0.1, 0.5) == pytest.approx(3.469578, abs=1.5e-6)
    assert carved_alpha(0.1, 0.99) == 256.0

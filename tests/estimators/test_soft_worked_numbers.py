"""Numbers worked by hand or by other programs, through the classifiers for uncertain values."""

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood._core import added_errors
from clearwood.growing import Plan, Softness, SoftSearch, search_effort
from clearwood.noise import Normal, resolve_noise
from clearwood.table import read_labels, read_table
from shared_data import shared

TOY = np.array([[-2.0], [-2.0], [2.0], [2.0]])
NOISY_TOY = np.array([[-2.0], [0.2], [-0.2], [2.0]])
SIX, SIX_CLASSES = np.arange(1.0, 7.0)[:, None], [0, 0, 1, 0, 1, 1]
NEAR = 1.5e-6
"""Printed numbers have six decimals."""


@pytest.fixture(scope="module")
def ef():
    """Ejection fractions of 500 patients, clean and measured with noise."""
    return pd.read_csv(shared("fixtures", "ef_fixture.csv"))


def stump(X, y, **settings):
    """The one split that is found."""
    return cw.TreeClassifier(max_depth=1, **settings).fit(X, y).tree_


def soft_stump(X, y, sd, search=None, **settings):
    return stump(X, y, search_noise={"x0": Normal(sd)}, search=search, **settings)


@pytest.mark.parametrize(
    ("sd", "gain"), [(0.5, 0.999481), (1.0, 0.843385), (2.0, 0.368917), (4.0, 0.108522)]
)
def test_two_clusters_are_parted_in_the_middle(sd, gain):
    tree = soft_stump(TOY, [0, 0, 1, 1], sd, SoftSearch(window=12))
    assert tree.threshold[0] == pytest.approx(0.0, abs=1e-6)
    assert tree.gain[0] == pytest.approx(gain, abs=NEAR)


def test_hard_search_of_the_noisy_toy_takes_an_end():
    tree = stump(NOISY_TOY, [0, 0, 1, 1], cut_at="upper")
    assert (tree.threshold[0], tree.gain[0]) == (-0.2, pytest.approx(0.311278, abs=NEAR))


@pytest.mark.parametrize(("sd", "tau"), [(0.5, 1.27), (1.0, 1.13), (2.0, 0.0)])
def test_much_noise_is_needed_to_part_the_noisy_toy_in_the_middle(sd, tau):
    tree = soft_stump(
        NOISY_TOY, [0, 0, 1, 1], sd, SoftSearch(window=12, step=0.01), min_samples_leaf=0.5
    )
    assert abs(tree.threshold[0]) == pytest.approx(tau, abs=0.011)


def test_best_of_the_grid_over_six_points():
    tree = soft_stump(SIX, SIX_CLASSES, 0.5, SoftSearch(grid="paper"))
    assert tree.threshold[0] == pytest.approx(2.3, abs=1e-9)
    assert tree.gain[0] == pytest.approx(0.300181, abs=NEAR)


def test_penalty_leaves_six_points_whole_under_noise_but_not_without():
    assert soft_stump(SIX, SIX_CLASSES, 0.5, penalty=True).n_nodes == 1
    assert stump(SIX, SIX_CLASSES, penalty=True).gain[0] == pytest.approx(0.072160, abs=NEAR)


FINE = SoftSearch(window=8, step=0.05)


@pytest.mark.parametrize(
    ("column", "u", "search", "tau", "gain"),
    [
        ("ef", 0.1, FINE, 38.174944, 0.168622),
        ("ef", 0.05, None, 37.005067, 0.217145),
        ("ef", 0.02, None, 35.074770, 0.243757),
        ("ef", 0.0005, None, 35.08, 0.269156),
        ("ef_noisy", 0.1, FINE, 36.168499, 0.107546),
        ("ef_noisy", 0.05, None, 33.236261, 0.124346),
    ],
)
def test_soft_threshold_of_ejection_fractions(ef, column, u, search, tau, gain):
    tree = stump(ef[[column]], ef["y"], search_noise=u, search=search)
    assert tree.threshold[0] == pytest.approx(tau, abs=2e-6)
    assert tree.gain[0] == pytest.approx(gain, abs=NEAR)


@pytest.mark.parametrize(("column", "n_thresholds"), [("ef", 414), ("ef_noisy", 453)])
def test_soft_search_computes_few_of_the_gains_of_its_grid(ef, column, n_thresholds):
    table = read_table(ef[[column]])
    classes, codes = read_labels(ef["y"])
    softness = Softness(search_noise=resolve_noise(0.1, table), search=FINE)
    plan = Plan(min_samples_leaf=2, max_depth=1, softness=softness)
    candidates, evaluations = search_effort(table, classes, codes, None, plan)
    assert candidates == n_thresholds
    assert evaluations < n_thresholds / 4


@pytest.mark.parametrize(
    ("column", "cut_at", "tau", "gain"),
    [
        ("ef", "upper", 35.24, 0.269156),
        ("ef", "midpoint", 35.08, 0.269156),
        ("ef_noisy", "upper", 29.30, 0.139841),
    ],
)
def test_hard_threshold_of_ejection_fractions(ef, column, cut_at, tau, gain):
    tree = stump(ef[[column]], ef["y"], cut_at=cut_at)
    assert tree.threshold[0] == pytest.approx(tau, abs=0.002)
    assert tree.gain[0] == pytest.approx(gain, abs=NEAR)


def test_leaves_of_noisy_ejection_fractions_soften_under_propagation(ef):
    hard = stump(ef[["ef_noisy"]], ef["y"], cut_at="upper")
    np.testing.assert_allclose(hard.distribution[1:], [[0, 1], [0.981481, 0.018519]], atol=NEAR)
    soft = stump(ef[["ef_noisy"]], ef["y"], cut_at="upper", propagation_noise=0.1)
    expected = [[0.213486, 0.786514], [0.977007, 0.022993]]
    assert soft.threshold[0] == 29.30
    np.testing.assert_allclose(soft.distribution[1:], expected, atol=NEAR)


def test_soft_evaluation_of_single_patients(ef):
    model = cw.TreeClassifier(max_depth=1, cut_at="upper", evaluation_noise=0.1)
    model.fit(ef[["ef"]], ef["y"])
    measured = ef.set_index("patient").loc[[30, 143, 219, 252], ["ef_noisy"]]
    p = model.predict_proba(measured.set_axis(["ef"], axis=1))[:, 1]
    np.testing.assert_allclose(p, [0.265193, 0.293342, 0.505456, 0.845064], atol=NEAR)


@pytest.mark.parametrize(
    ("sd", "expected"), [(0.5, 0.999968), (1.0, 0.977250), (2.0, 0.841345), (4.0, 0.691462)]
)
def test_leaf_of_two_points_keeps_what_noise_leaves_in_it(sd, expected):
    tree = stump([[-2.0], [2.0]], [0, 1], propagation_noise={"x0": Normal(sd)})
    assert tree.threshold[0] == 0.0
    np.testing.assert_allclose(tree.distribution[1], [expected, 1 - expected], atol=NEAR)


@pytest.mark.parametrize(
    ("sd", "masses", "raw", "laplace"),
    [
        (0.0, [9, 1], 4.947413, 6.403543),
        (2.0, [8.356198, 1.643802], 6.354660, 7.532522),
        (4.0, [7.873002, 2.126998], 7.374221, 8.359440),
        (8.0, [6.922489, 3.077511], 9.308515, 9.942111),
    ],
)
def test_estimated_errors_rise_with_noise(sd, masses, raw, laplace):
    x = np.arange(1.0, 21.0)
    y = (x > 10).astype(int) ^ np.isin(x, [8, 14])
    tree = stump(x[:, None], y, propagation_noise={"x0": Normal(sd)} if sd else None)
    assert tree.threshold[0] == 10.5
    np.testing.assert_allclose(np.sort(tree.masses[1])[::-1], masses, atol=NEAR)
    assert errors_below(tree, False) == pytest.approx(raw, abs=NEAR)
    assert errors_below(tree, True) == pytest.approx(laplace, abs=NEAR)


def errors_below(tree, laplace):
    """Estimated errors of the leaves, by the exact limit at confidence 0.25."""
    total = 0.0
    for masses in tree.masses[1:]:
        n, k = masses.sum(), len(masses)
        wrong = n - masses.max()
        wrong = n * (wrong + k - 1) / (n + k) if laplace else wrong
        total += wrong + added_errors(n, wrong, 0.25, "exact")
    return total


def test_noise_prunes_the_split_that_is_kept_without():
    x = np.arange(1.0, 21.0)
    y = (x > 10).astype(int) ^ np.isin(x, [8, 14])
    leaves = [
        cw.SoftTreeClassifier(
            propagation_noise={"x0": Normal(sd)}, search_noise={}, max_depth=1
        ).fit(x[:, None], y).get_n_leaves()
        for sd in (2.0, 4.0, 8.0, 16.0, 64.0)
    ]  # fmt: skip
    assert leaves[0] == 2
    assert leaves[-1] == 1
    assert leaves == sorted(leaves, reverse=True)

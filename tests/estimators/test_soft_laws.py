"""Laws of trees that are grown under noise: limits, units, labels, mass."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_wine

import clearwood as cw
from clearwood.estimators.training import read_training
from clearwood.growing import SampledSearch, search_effort
from clearwood.noise import Normal, PerRow
from clearwood.noise.sampled import SamplePoints
from clearwood.tree.evaluation import Soft
from clearwood.tree.predict import asked
from estimators.classifiers import same_bits, same_shape

SEEDS = st.integers(0, 2**32 - 1)


def random_data(seed, n_rows=60, n_columns=3, missing=0.1):
    """Columns of different scales that say something about three classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(50, 10, (n_rows, n_columns)).round(1) * 2.0 ** np.arange(n_columns)
    y = (X[:, 0] > 45).astype(int) + (X[:, -1] + rng.normal(0, 20, n_rows) > 55 * 2**n_columns / 2)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def noise_of(X, factor):
    return {f"x{j}": Normal(factor * 2.0**j) for j in range(X.shape[1])}


def soft_tree(X, y, noise, **settings):
    settings = {"pruning": None, "max_depth": 6} | settings
    return cw.SoftTreeClassifier(noise=noise, **settings).fit(X, y).tree_


@given(SEEDS)
def test_no_noise_is_the_hard_tree_to_the_last_bit(seed):
    X, y = random_data(seed)
    hard = soft_tree(X, y, None)
    assert same_bits(soft_tree(X, y, 0.0), hard)
    assert same_bits(soft_tree(X, y, {}), hard)


def test_exact_rows_among_noisy_ones_are_exact():
    X, y = random_data(1, missing=0.0)
    table = np.column_stack([X[:, 0], np.zeros(len(X))])
    noise = {"x0": PerRow(Normal(3.0), "x1")}
    soft = cw.TreeClassifier(search_noise=noise, propagation_noise=noise, max_depth=4).fit(table, y)
    hard = cw.TreeClassifier(max_depth=4).fit(X[:, :1], y)
    np.testing.assert_allclose(soft.tree_.masses, hard.tree_.masses)
    np.testing.assert_allclose(soft.tree_.gain, hard.tree_.gain, atol=1e-12)


@given(SEEDS)
def test_hardly_any_noise_parts_the_rows_as_none_does(seed):
    X, y = random_data(seed)
    hard, soft = (
        cw.TreeClassifier(max_depth=1, search_noise=noise, propagation_noise=noise).fit(X, y).tree_
        for noise in (None, 1e-9)
    )
    assert soft.gain[0] == pytest.approx(hard.gain[0], abs=1e-9, nan_ok=True)


def test_hardly_any_noise_cuts_in_the_middle():
    x = np.arange(0, 20, 0.1)[:200]
    y = (x + np.random.default_rng(0).normal(0, 3, 200) > 10).astype(int)
    hard = cw.TreeClassifier(max_depth=1).fit(x[:, None], y).tree_
    for u in (1e-4, 1e-6):
        soft = cw.TreeClassifier(max_depth=1, search_noise=u).fit(x[:, None], y).tree_
        assert soft.threshold[0] == pytest.approx(hard.threshold[0], abs=2e-3)
        assert soft.gain[0] == pytest.approx(hard.gain[0], abs=1e-12)


@given(SEEDS, st.sampled_from([0.5, 5.0]), st.sampled_from(["independent", "joint"]))
def test_another_unit_gives_the_same_tree_in_that_unit(seed, factor, coupling):
    X, y = random_data(seed)
    settings = {"gate_coupling": coupling, "search": None}
    tree = soft_tree(X, y, noise_of(X, factor), **settings)
    mapped = soft_tree(4.0 * X, y, noise_of(X, 4.0 * factor), **settings)
    np.testing.assert_array_equal(mapped.column, tree.column)
    np.testing.assert_allclose(mapped.threshold, 4.0 * tree.threshold, rtol=1e-12)
    np.testing.assert_allclose(mapped.masses, tree.masses, atol=1e-9)


@given(SEEDS)
def test_another_zero_moves_the_cut_along(seed):
    X, y = random_data(seed)
    tree, mapped = (
        cw.TreeClassifier(max_depth=1, search_noise=noise_of(X, 5.0)).fit(X + shift, y).tree_
        for shift in (0.0, 1024.0)
    )
    assert mapped.gain[0] == pytest.approx(tree.gain[0], abs=1e-9, nan_ok=True)
    if mapped.column[0] == tree.column[0] >= 0:
        assert mapped.threshold[0] == pytest.approx(tree.threshold[0] + 1024.0, abs=1e-6)


@given(SEEDS, st.sampled_from([0.02, 0.1]))
def test_other_labels_change_nothing_but_the_labels(seed, u):
    X, y = random_data(seed)
    order = np.array([2, 0, 1])
    tree, renamed = soft_tree(X, y, u), soft_tree(X, order[y], u)
    np.testing.assert_array_equal(renamed.column, tree.column)
    np.testing.assert_allclose(renamed.threshold, tree.threshold, rtol=1e-9)
    known = [int(order[c]) for c in tree.classes]
    places = [renamed.classes.tolist().index(c) for c in known]
    np.testing.assert_allclose(renamed.masses[:, places], tree.masses, atol=1e-9)


@settings(max_examples=50)
@given(SEEDS, st.sampled_from([0.0, 5.0]), st.sampled_from(["independent", "joint"]))
def test_training_mass_of_leaves_is_what_soft_evaluation_sends_there(seed, sd, coupling):
    X, y = random_data(seed)
    noise = {name: model for name, model in noise_of(X, 3.0).items() if sd or name != "x0"}
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    model = cw.TreeClassifier(
        propagation_noise=noise, evaluation_noise=noise, gate_coupling=coupling,
        max_depth=5, min_samples_leaf=2,
    ).fit(X, y, sample_weight=weights)  # fmt: skip
    tree = model.tree_
    tree = tree.with_evaluation(Soft(tree.evaluation.noise, coupling, 1e-6)) if noise else tree
    sent = np.zeros_like(tree.masses)
    starts, leaves, shares = leaf_weights(tree, X)
    rows = np.repeat(np.arange(len(y)), np.diff(starts))
    np.add.at(sent, (leaves, np.searchsorted(tree.classes, y)[rows]), shares * weights[rows])
    np.testing.assert_allclose(sent[tree.is_leaf], tree.masses[tree.is_leaf], atol=1e-7)


def leaf_weights(tree, X):
    table, evaluation = asked(tree, X)
    return tree.predictor.leaf_weights(table, evaluation=evaluation)


@given(SEEDS, st.sampled_from([0.5, 2.0, 8.0]))
def test_branches_under_sampled_search_have_the_minimum_where_rows_are_not_divided(seed, half):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 15))
    X, y = rng.integers(0, 6, (n, 1)).astype(float), rng.integers(0, 2, n)
    y[:2] = [0, 1]
    noise = {"x0": SamplePoints(half, 20)}
    for cut_at in ("midpoint", "upper"):
        model = cw.TreeClassifier(search_noise=noise, min_samples_leaf=2, cut_at=cut_at)
        tree = model.fit(X, y).tree_
        masses = tree.masses.sum(axis=1)
        assert tree.n_nodes == 1 or masses.min() >= 2
        reached = np.bincount(tree.apply(X), minlength=tree.n_nodes)
        np.testing.assert_array_equal(reached[tree.is_leaf], masses[tree.is_leaf])


@pytest.mark.parametrize("shape", ["gaussian", "uniform"])
@pytest.mark.parametrize("bounds", ["BP", "LP", "GP", "ES"])
def test_bounds_of_udt_change_nothing(bounds, shape):
    X, y = load_wine(return_X_y=True)
    every, bounded = (
        cw.UDTClassifier(points=20, shape=shape, search=SampledSearch(chosen)).fit(X, y).tree_
        for chosen in ("none", bounds)
    )
    assert every.n_leaves > 3
    assert same_shape(every, bounded)


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_bounds_of_udt_spare_nine_of_ten_evaluations(load):
    X, y = load(return_X_y=True)
    tried = {bounds: effort(X, y, bounds)[1] for bounds in ("none", "BP", "LP", "GP", "ES")}
    assert tried["none"] >= 10 * tried["ES"]
    assert tried["none"] >= tried["BP"] >= tried["LP"] >= tried["GP"]


def effort(X, y, bounds):
    """Thresholds that growing a tree by UDT could have tried, and those it tried."""
    model = cw.UDTClassifier(max_depth=4, search=SampledSearch(bounds))
    training = read_training(X, y)
    softness = model._noise_choices().softness(training)
    plan = model._plan({}, softness)
    return search_effort(training.table, training.classes, training.codes, None, plan)


def test_many_points_of_udt_give_the_worked_gain():
    X, y = [[1.0], [2.0], [3.0], [5.0]], [0, 0, 1, 1]
    tree = cw.UDTClassifier(
        width=0.5, points=4000, pruning=None, max_depth=1, min_samples_leaf=1
    ).fit(X, y).tree_  # fmt: skip
    assert tree.threshold[0] == pytest.approx(2.5, abs=0.02)  # the gain is flat there
    assert tree.gain[0] == pytest.approx(0.629644, abs=1e-3)
    np.testing.assert_allclose(tree.masses[1], [1.857616, 0.142384], atol=0.02)

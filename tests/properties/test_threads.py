"""The number of threads changes nothing but the time; the tables are large enough to need them."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import clearwood as cw
from clearwood.growing import Plan, grow
from clearwood.table import read_table
from estimators.classifiers import CLASSIFIERS, name_of, same_bits

N_ROWS, N_COLUMNS = 24_000, 20  # above 2**18 cells a node's columns are shared out


@pytest.fixture(scope="module")
def rng():
    return np.random.default_rng(7)


@pytest.fixture(scope="module")
def X(rng):
    """Smooth columns, few-valued ones with many ties, and two to be read as levels."""
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    X[:, 5:10] = rng.integers(0, 12, size=(N_ROWS, 5))
    X[:, 18:] = rng.integers(0, 6, size=(N_ROWS, 2))
    return X


@pytest.fixture(scope="module")
def y(rng, X):
    y = (X[:, 0] > 0.3).astype(int) + (X[:, 18] > 3) + (X[:, 6] > 8)
    return np.where(rng.random(N_ROWS) < 0.1, rng.integers(0, 4, N_ROWS), y)


@pytest.fixture(scope="module")
def X_missing(rng, X):
    return np.where(rng.random(X.shape) < 0.02, np.nan, X)


@pytest.fixture(scope="module")
def weights(rng):
    return rng.uniform(0.5, 2.0, N_ROWS)


def assert_same_for_any_number_of_threads(model, X, y, weights=None):
    one = model.set_params(n_jobs=1).fit(X, y, weights).tree_
    assert one.n_leaves > 4
    for n_jobs in (2, 3):
        assert same_bits(one, model.set_params(n_jobs=n_jobs).fit(X, y, weights).tree_)


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)
def test_threads_change_no_bit(classifier, X, y):
    assert_same_for_any_number_of_threads(classifier(pruning=None), X, y)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)
def test_threads_change_no_bit_where_values_are_missing(
    classifier, X_missing, y, weights, weighted
):
    model = classifier(categorical_features=[18, 19], max_depth=8)
    assert_same_for_any_number_of_threads(model, X_missing, y, weights if weighted else None)


@pytest.mark.parametrize(
    "criterion", ["information_gain", "gini", cw.AlphaDivergence(1.5), cw.AlphaDivergence(64)]
)
def test_threads_change_no_bit_of_fractional_weights(criterion, X, y, weights):
    model = cw.TreeClassifier(criterion=criterion, max_depth=10)
    assert_same_for_any_number_of_threads(model, X, y, weights)


@pytest.mark.parametrize("missing", [False, True])
def test_threads_change_no_bit_of_a_tree_grown_best_first(missing, X, X_missing, y):
    model = cw.TreeClassifier(max_leaf_nodes=60, categorical_features=[18, 19])
    assert_same_for_any_number_of_threads(model, X_missing if missing else X, y)


@pytest.mark.parametrize("nominal", ["branches", "grouped"])
def test_threads_change_no_bit_of_the_original(nominal, X_missing, y):
    model = cw.C45Classifier(
        compatibility="c45", nominal=nominal, categorical_features=[18, 19], max_depth=8
    )
    assert_same_for_any_number_of_threads(model, X_missing, y)


def test_four_fits_at_once_are_four_fits_one_by_one(X_missing, y):
    models = [cw.TreeClassifier(max_depth=depth, n_jobs=2) for depth in (3, 5, 7, 9)]
    alone = [model.fit(X_missing, y).tree_ for model in models]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda model: model.fit(X_missing, y).tree_, models))
    assert all(map(same_bits, alone, together))


def test_four_threads_may_grow_from_one_table(X_missing, y):
    table, codes = read_table(X_missing), y.astype(np.int32)

    def grown(_):
        return grow(table, np.arange(4), codes, plan=Plan(max_depth=5))

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(grown, range(4))
    assert all(same_bits(first, other) for other in others)

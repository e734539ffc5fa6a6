"""Many fits in one call against one by one."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.metrics import accuracy_score, log_loss

import clearwood as cw
from clearwood.errors import ParameterError
from clearwood.estimators.fit_many import Fit, fit_many
from clearwood.noise import MeanFraction, Normal, PerRow
from clearwood.pruning import ErrorBased

X, Y = load_wine(return_X_y=True)
ROWS = np.arange(len(Y))
FOLDS = [(ROWS[k != ROWS % 4], ROWS[k == ROWS % 4]) for k in range(4)]

HOLES = X.copy()
HOLES[np.random.default_rng(3).random(X.shape) < 0.1] = np.nan


def fits(estimator):
    return [Fit(estimator, train, test) for train, test in FOLDS]


def same(a, b):
    return all(
        np.array_equal(a.arrays()[name], b.arrays()[name], equal_nan=True) for name in a.arrays()
    )


ESTIMATORS = {
    "hard": cw.TreeClassifier(),
    "gini at the upper value": cw.TreeClassifier(criterion="gini", cut_at="upper"),
    "best first": cw.TreeClassifier(max_leaf_nodes=5),
    "C4.5, pruned": cw.C45Classifier(),
    "C4.5 to the bit": cw.C45Classifier(compatibility="c45"),
    "soft search": cw.TreeClassifier(search_noise=0.1),
    "soft propagation": cw.TreeClassifier(propagation_noise=0.1, max_depth=4),
    "both, pruned": cw.SoftTreeClassifier(noise=0.1),
    "joint gates": cw.SoftTreeClassifier(noise=0.1, gate_coupling="joint"),
    "UDT": cw.UDTClassifier(points=20),
}


@pytest.mark.parametrize("values", [X, HOLES], ids=["complete", "with gaps"])
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_each_tree_is_the_one_that_its_rows_alone_give(name, weighted, values):
    weights = 1.0 + ROWS % 3 if weighted else None
    estimator = ESTIMATORS[name]
    many = fit_many(fits(estimator), values, Y, weights, keep="trees", n_jobs=2)
    for (train, _), tree in zip(FOLDS, many.trees, strict=True):
        part = None if weights is None else weights[train]
        alone = estimator.fit(values[train], Y[train], part).tree_
        assert tree.n_leaves > 2
        assert same(tree, alone)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_scores_are_those_of_the_fitted_classifier(name):
    from sklearn.base import clone

    estimator = clone(ESTIMATORS[name])
    if name == "soft search":
        estimator.set_params(evaluation_noise=0.1)
    many = fit_many(fits(estimator), HOLES, Y, keep="probabilities")
    for i, (train, test) in enumerate(FOLDS):
        model = clone(estimator).fit(HOLES[train], Y[train])
        probabilities = model.predict_proba(HOLES[test])
        assert many.n_leaves[i] == model.get_n_leaves()
        assert many.probabilities[i] == pytest.approx(probabilities, abs=1e-12)
        assert many.accuracy[i] == pytest.approx(
            accuracy_score(Y[test], model.predict(HOLES[test]))
        )
        assert many.log_loss[i] == pytest.approx(log_loss(Y[test], probabilities), abs=1e-9)


def test_levels_and_their_branches_are_those_of_the_whole_table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "ward": pd.Categorical(rng.choice(list("abc"), 90)),
        "age": rng.integers(20, 90, 90).astype(float),
    })  # fmt: skip
    y = (frame["ward"].cat.codes + (frame["age"] > 50) + rng.integers(0, 2, 90) > 1).to_numpy()
    train = np.arange(60)
    tree = fit_many([Fit(cw.C45Classifier(), train)], frame, y, keep="trees").trees[0]
    assert same(tree, cw.C45Classifier().fit(frame.iloc[:60], y[:60]).tree_)


def test_noise_that_stands_in_a_column_goes_with_its_rows():
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 6], "sd": 0.1 + (ROWS % 5) / 10})
    noise = {"a": PerRow(Normal(sd=0.1), "sd")}
    model = cw.SoftTreeClassifier(noise=noise, evaluation_noise=noise)
    jobs = [Fit(model, train, test) for train, test in FOLDS]
    many = fit_many(jobs, frame, Y, keep="probabilities")
    for (train, test), found in zip(FOLDS, many.probabilities, strict=True):
        alone = model.fit(frame.iloc[train], Y[train]).predict_proba(frame.iloc[test])
        assert found == pytest.approx(alone, abs=1e-12)


def test_threads_change_nothing():
    jobs = [job for u in (0.0, 0.05, 0.1) for job in fits(cw.SoftTreeClassifier(noise=u))] * 5
    one, three = (fit_many(jobs, X, Y, keep="probabilities", n_jobs=n) for n in (1, 3))
    assert all(np.array_equal(a, b) for a, b in zip(one.probabilities, three.probabilities))  # noqa: B905
    assert one.log_loss.tolist() == three.log_loss.tolist()


def test_a_row_named_twice_weighs_twice():
    rows = np.concatenate([ROWS, ROWS[::3]])
    many = fit_many([Fit(cw.CARTClassifier(pruning=None), rows)], X, Y, keep="trees")
    weights = np.bincount(rows, minlength=len(Y)).astype(float)
    assert same(many.trees[0], cw.CARTClassifier(pruning=None).fit(X, Y, weights).tree_)


def test_a_fit_that_is_not_tried_has_no_score():
    many = fit_many([Fit(cw.C45Classifier(), ROWS)], X, Y)
    assert np.isnan(many.accuracy).all()
    assert np.isnan(many.log_loss).all()
    assert many.trees == many.probabilities == []


def test_what_the_core_cannot_carry_out_is_refused():
    for model in (
        cw.CARTClassifier(),
        cw.C45Classifier(evaluation="ramps"),
        cw.C45Classifier(nominal="grouped"),
        cw.C45Classifier(class_weight="balanced"),
    ):
        with pytest.raises(ParameterError, match="fit the others one by one"):
            fit_many(fits(model), X, Y)


def test_estimators_that_read_the_table_differently_are_refused():
    others = [cw.C45Classifier(), cw.C45Classifier(categorical_features=[1])]
    with pytest.raises(ParameterError, match="must have the same categorical_features"):
        fit_many([job for model in others for job in fits(model)], X, Y)


@pytest.mark.parametrize("rows", [np.array([]), np.array([0, len(Y)]), np.array([-1, 2])])
def test_rows_that_are_not_there_are_refused(rows):
    with pytest.raises(ParameterError, match="rows must be"):
        fit_many([Fit(cw.C45Classifier(), rows)], X, Y)


def test_progress_is_told_after_some_fits():
    told = []
    fit_many(fits(cw.C45Classifier()) * 100, X, Y, done=told.append)
    assert told == [256, 400]


def test_no_fits_give_nothing():
    assert fit_many([], X, Y).n_leaves.size == 0


def test_pruned_trees_are_rebuilt_as_python_rebuilds_them():
    x, y = load_breast_cancer(return_X_y=True)
    x[np.random.default_rng(1).random(x.shape) < 0.05] = np.nan
    for raising in ("none", "heaviest", "best"):
        model = cw.TreeClassifier(pruning=ErrorBased(raising=raising, confidence=0.1))
        tree = fit_many([Fit(model, np.arange(len(y)))], x, y, keep="trees").trees[0]
        assert same(tree, model.fit(x, y).tree_)


def test_fits_of_a_small_part_warn_no_more_than_a_fit_does():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit_many([Fit(cw.TreeClassifier(), ROWS[:2])], X, Y)


def test_a_doubtful_noise_is_warned_of_once_for_all_fits():
    centred = X - X.mean(axis=0) + 1e-3
    model = cw.TreeClassifier(search_noise={"x0": MeanFraction(0.1)})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit_many(fits(model), centred, Y)
    assert len(caught) == 1
    assert "column 'x0' has mean" in str(caught[0].message)

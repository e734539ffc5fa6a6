"""Choosing parameters by cross-validation."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.errors import ParameterError
from clearwood.estimators.tuning import with_setting
from clearwood.noise import Exact, Normal, PerRow
from clearwood.pruning import ErrorBased

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :8]
CV = StratifiedKFold(5, shuffle=True, random_state=0)


def test_scores_are_those_of_fits_one_by_one():
    found = cw.tune(cw.SoftTreeClassifier(), X, Y, {"noise": [0.0, 0.1]}, cv=CV)
    for u, scores, leaves in zip((0.0, 0.1), found.fold_scores, found.fold_leaves, strict=True):
        for fold, (train, test) in enumerate(CV.split(X, Y)):
            model = cw.SoftTreeClassifier(noise=u).fit(X[train], Y[train])
            assert leaves[fold] == model.get_n_leaves()
            assert scores[fold] == pytest.approx(log_loss(Y[test], model.predict_proba(X[test])))


def test_the_best_setting_is_fitted_to_all_rows():
    grid = {"confidence": [0.01, 0.25, 0.5], "min_samples_leaf": [2, 10]}
    found = cw.tune(cw.C45Classifier(), X, Y, grid, cv=5, scoring="accuracy")
    assert len(found.settings) == 6
    assert found.scores[found.chosen] == found.scores.max()
    best = found.best_setting
    alone = cw.C45Classifier(
        pruning=ErrorBased(confidence=best["confidence"]),
        min_samples_leaf=best["min_samples_leaf"],
    ).fit(X, Y)
    assert found.best_estimator_.tree_.n_leaves == alone.tree_.n_leaves
    assert np.array_equal(found.best_estimator_.tree_.column, alone.tree_.column)


@pytest.mark.parametrize("scoring", ["log_loss", "accuracy"])
def test_one_standard_error_takes_the_smallest_tree_that_is_as_good(scoring):
    grid = {"max_leaf_nodes": [2, 3, 4, 6, 10, 20]}
    found = cw.tune(
        cw.TreeClassifier(), X, Y, grid, cv=CV, scoring=scoring, rule="one_standard_error"
    )
    loss = found.scores if scoring == "log_loss" else -found.scores
    best = loss.argmin()
    good = loss <= loss[best] + found.standard_errors[best]
    assert good[found.chosen]
    assert found.n_leaves[found.chosen] == found.n_leaves[good].min()
    assert found.n_leaves[found.chosen] <= found.n_leaves[best]


def test_a_standard_error_is_the_spread_over_folds_by_the_root_of_their_number():
    found = cw.tune(cw.TreeClassifier(), X, Y, {"max_depth": [2]}, cv=CV)
    assert found.standard_errors[0] == pytest.approx(found.fold_scores.std(ddof=1) / np.sqrt(5))


def test_other_classifiers_are_fitted_one_by_one():
    estimator = DecisionTreeClassifier(random_state=0)
    found = cw.tune(estimator, X, Y, {"max_depth": [1, 3]}, cv=CV)
    train, test = next(iter(CV.split(X, Y)))
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X[train], Y[train])
    expected = log_loss(Y[test], model.predict_proba(X[test]))
    assert found.fold_scores[1, 0] == pytest.approx(expected)
    assert found.fold_leaves[1, 0] == model.get_n_leaves()
    assert found.best_estimator_.get_depth() in (1, 3)


def test_our_classifiers_that_the_core_cannot_carry_out_are_fitted_one_by_one():
    found = cw.tune(cw.CARTClassifier(), X, Y, {"max_depth": [2, 4]}, cv=CV, scoring="accuracy")
    train, test = next(iter(CV.split(X, Y)))
    model = cw.CARTClassifier(max_depth=4).fit(X[train], Y[train])
    assert found.fold_scores[1, 0] == (model.predict(X[test]) == Y[test]).mean()


def test_rows_of_one_group_are_held_out_together():
    patients = np.arange(len(Y)) // 3
    found = cw.tune(cw.TreeClassifier(), X, Y, {"max_depth": [3]}, cv=4, groups=patients)
    assert found.fold_scores.shape == (1, 4)
    by_group = cw.tune(
        cw.TreeClassifier(), X, Y, {"max_depth": [3]}, cv=GroupKFold(4), groups=patients
    )
    train, test = next(iter(GroupKFold(4).split(X, Y, patients)))
    model = cw.TreeClassifier(max_depth=3).fit(X[train], Y[train])
    assert by_group.fold_scores[0, 0] == pytest.approx(
        log_loss(Y[test], model.predict_proba(X[test]))
    )


def test_more_folds_than_groups_are_refused():
    with pytest.raises(ParameterError, match="cv must be from 2 to the 3 groups, got 5"):
        cw.tune(cw.TreeClassifier(), X, Y, {"max_depth": [3]}, cv=5, groups=np.arange(len(Y)) % 3)


def test_threads_and_order_of_settings_change_no_score():
    grid = {"noise": [0.0, 0.05, 0.1]}
    one = cw.tune(cw.SoftTreeClassifier(), X, Y, grid, cv=3)
    two = cw.tune(cw.SoftTreeClassifier(), X, Y, {"noise": [0.1, 0.05, 0.0]}, cv=3, n_jobs=2)
    assert one.fold_scores.tolist() == two.fold_scores[::-1].tolist()


def test_a_multiplier_multiplies_all_declared_noise():
    model = cw.TreeClassifier(search_noise=0.1, evaluation_noise={"x0": Normal(sd=2.0, bias=-1.0)})
    doubled = with_setting(model, {"multiplier": 2.0})
    assert doubled.search_noise == 0.2
    assert doubled.propagation_noise is None
    assert doubled.evaluation_noise == {"x0": Normal(sd=4.0, bias=-2.0)}
    assert with_setting(model, {"multiplier": 0.0}).evaluation_noise == {"x0": Exact()}


def test_noise_is_that_of_search_and_propagation_where_an_estimator_has_no_own():
    model = with_setting(cw.TreeClassifier(), {"noise": 0.1})
    assert (model.search_noise, model.propagation_noise, model.evaluation_noise) == (0.1, 0.1, None)


@pytest.mark.parametrize(
    ("estimator", "grid", "message"),
    [
        (cw.TreeClassifier(), {"multiplier": [1.0]}, "multiplier needs noise to multiply"),
        (cw.TreeClassifier(), {"confidence": [0.1]}, "belongs to error-based pruning"),
        (cw.TreeClassifier(), {"depth": [1]}, "grid names 'depth', which TreeClassifier does not"),
        (cw.TreeClassifier(), {"max_depth": 3}, "must be a list of at least one value, got 3"),
        (cw.TreeClassifier(), [], "grid must name at least one parameter"),
        (
            cw.TreeClassifier(search_noise={"x0": PerRow(Normal(sd=1.0), "x1")}),
            {"multiplier": [2.0]},
            "has a size that no factor reaches",
        ),
    ],
)
def test_a_grid_that_cannot_be_carried_out_is_refused(estimator, grid, message):
    with pytest.raises(ParameterError, match=message):
        cw.tune(estimator, X, Y, grid)


def test_the_table_has_a_line_a_setting_and_a_star_at_the_chosen_one():
    found = cw.tune(cw.TreeClassifier(), X, Y, {"max_depth": [1, 2, 3]}, cv=3)
    head, *lines = str(found).splitlines()
    assert head.split() == ["max_depth", "log_loss", "±", "s.e.", "leaves"]
    assert [line.endswith("*") for line in lines] == [i == found.chosen for i in range(3)]

"""`prune`, `pruning_path` and the estimators' `pruning`: one menu, on anything with a tree."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import train_test_split

import clearwood as cw
from clearwood.errors import ParameterError, TableError
from clearwood.pruning import (
    CostComplexity,
    CriticalValue,
    ErrorBased,
    MinimumError,
    OptimalSize,
    PessimisticError,
    ReducedError,
    TreeSize,
)
from clearwood.pruning.menu import METHODS

X, Y = load_breast_cancer(return_X_y=True)
X_GROW, X_HELD, Y_GROW, Y_HELD = train_test_split(X, Y, test_size=0.4, random_state=0)
VALUES = [
    ErrorBased(),
    TreeSize(c=0.1),
    TreeSize(c=0.1, raising=True),
    CostComplexity(alpha=0.02),
    ReducedError(fraction=0.3, seed=1),
    PessimisticError(),
    MinimumError(),
    CriticalValue(value=0.8),
    OptimalSize(n_leaves=5),
]


@pytest.fixture(scope="module")
def grown():
    return cw.TreeClassifier().fit(X_GROW, Y_GROW)


@pytest.mark.parametrize("pruning", VALUES, ids=repr)
def test_an_estimator_prunes_as_prune_does(pruning, grown):
    model = cw.TreeClassifier(pruning=pruning).fit(X_GROW, Y_GROW)
    assert model.get_n_leaves() < grown.get_n_leaves()
    if not isinstance(pruning, ReducedError):
        assert cw.prune(grown, pruning, X_GROW, Y_GROW) == model.tree_


@pytest.mark.parametrize("method", ["tree_size", "pessimistic_error", "minimum_error"])
def test_training_weight_stands_for_the_training_rows(method, grown):
    assert cw.prune(grown, method) == cw.prune(grown, method, X_GROW, Y_GROW)


def test_parameters_stand_beside_a_name_or_in_a_value(grown):
    assert cw.prune(grown, "tree_size", c=0.2) == cw.prune(grown, TreeSize(c=0.2))
    assert cw.prune(grown, "optimal_size", n_leaves=4).n_leaves == 4


def test_a_tree_that_was_saved_and_loaded_is_pruned_alike(grown, tmp_path):
    grown.tree_.save(tmp_path / "model.json")
    loaded = cw.load(tmp_path / "model.json")
    for options in VALUES:
        if isinstance(options, ReducedError):
            expected = cw.prune(grown, options, X_HELD, Y_HELD)
            assert cw.prune(loaded, options, X_HELD, Y_HELD).n_nodes == expected.n_nodes
        else:
            expected = cw.prune(grown, options, X_GROW, Y_GROW)
            assert cw.prune(loaded, options, X_GROW, Y_GROW).n_nodes == expected.n_nodes


def test_entropy_of_the_criterion_is_the_impurity_where_the_tree_says_so():
    gini = cw.CARTClassifier(pruning=None).fit(X, Y)
    entropy = cw.TreeClassifier().fit(X, Y)
    for model, impurity in ((gini, "gini"), (entropy, "entropy")):
        assert cw.prune(model, CostComplexity(0.01)) == cw.prune(
            model, CostComplexity(0.01, impurity=impurity)
        )


def test_labels_of_a_model_file_may_have_become_texts(grown):
    texts = np.where(Y_HELD == 1, "1", "0")
    assert cw.prune(grown, "reduced_error", X_HELD, texts) == cw.prune(
        grown, "reduced_error", X_HELD, Y_HELD
    )


def test_reduced_error_pruning_keeps_its_rows_from_growing():
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    model = cw.TreeClassifier(pruning=ReducedError(fraction=0.25, seed=3)).fit(frame, Y)
    assert model.tree_.masses[0].sum() == len(Y) - round(212 * 0.25) - round(357 * 0.25)
    again = cw.TreeClassifier(pruning=ReducedError(fraction=0.25, seed=3)).fit(frame, Y)
    other = cw.TreeClassifier(pruning=ReducedError(fraction=0.25, seed=4)).fit(frame, Y)
    assert model.tree_ == again.tree_
    assert model.tree_ != other.tree_


def test_a_class_of_one_row_is_left_to_growing():
    X_iris, y_iris = load_iris(return_X_y=True)
    y_iris[0] = 9
    model = cw.TreeClassifier(pruning=ReducedError(fraction=0.5, seed=0)).fit(X_iris, y_iris)
    assert model.tree_.masses[0][3] == 1


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("pruned", {}, "pruning method must be 'error_based', .* got 'pruned'"),
        (3, {}, "pruning method must be .* got 3"),
        ("tree_size", {"alpha": 1}, "alpha is no parameter of tree_size; it has c, raising"),
        ("critical_value", {}, "has no default strength; give a value: CriticalValue"),
        ("critical_value", {"measure": "gain"}, "critical_value needs its value"),
        ("optimal_size", {}, "has no default strength; give a value: OptimalSize"),
        (TreeSize(), {"c": 1}, "c is set in the value TreeSize"),
        ("reduced_error", {}, "needs rows that the tree was not grown from: give X and y"),
        ("error_based", {}, "sends rows through the tree again: give X and y"),
        ("tree_size", {"raising": True}, "sends rows through the tree again: give X and y"),
        ("tree_size", {"X": X}, "X and y must be given together"),
    ],
)
def test_what_makes_no_sense_is_refused(method, options, message, grown):
    with pytest.raises(ParameterError, match=message):
        cw.prune(grown, method, **options)


def test_a_label_that_the_tree_does_not_know_is_named(grown):
    with pytest.raises(TableError, match="y holds 7, which is no class of the tree; it knows 0, 1"):
        cw.prune(grown, "reduced_error", X_HELD, np.full(len(Y_HELD), 7))
    with pytest.raises(TableError, match="X has 228 rows, but y has 3 labels"):
        cw.prune(grown, "reduced_error", X_HELD, Y_HELD[:3])


@pytest.mark.parametrize("name", METHODS)
def test_a_path_falls_in_size_and_its_points_are_its_trees(name, grown):
    path = cw.pruning_path(grown, name, X_HELD, Y_HELD, training=(X_GROW, Y_GROW))
    assert len(path.values) == len(path.n_leaves) == len(path.errors)
    assert path.n_leaves.max() <= grown.get_n_leaves()
    for step in (0, len(path.values) // 2, len(path.values) - 1):
        tree = path.tree(step)
        assert (tree.n_leaves, tree.n_nodes) == (path.n_leaves[step], path.n_nodes[step])
        wrong = (tree.predict(X_HELD) != Y_HELD).mean()
        assert path.errors[step] == pytest.approx(wrong)
        wrong = (tree.predict(X_GROW) != Y_GROW).mean()
        assert path.training_errors[step] == pytest.approx(wrong)


@pytest.mark.parametrize("name", ["cost_complexity", "critical_value", "optimal_size"])
def test_a_path_of_all_changes_goes_from_the_whole_tree_to_a_leaf(name, grown):
    path = cw.pruning_path(grown, name)
    assert path.n_leaves[0] == grown.get_n_leaves()
    assert path.n_leaves[-1] == 1
    assert (np.diff(path.n_leaves) <= 0).all()


def test_rows_choose_the_smallest_of_the_most_accurate_trees(grown):
    path = cw.pruning_path(grown, "cost_complexity", X_HELD, Y_HELD)
    best = path.errors == path.errors.min()
    assert best[path.chosen]
    assert path.n_leaves[path.chosen] == path.n_leaves[best].min()
    smaller = cw.pruning_path(grown, "cost_complexity", X_HELD, Y_HELD, rule="1-SE")
    assert smaller.n_leaves[smaller.chosen] <= path.n_leaves[path.chosen]
    assert path.tree() == path.tree(path.chosen)


def test_a_value_is_itself_the_choice(grown):
    path = cw.pruning_path(grown, TreeSize(c=0.123), X_HELD, Y_HELD)
    assert path.values[path.chosen] == 0.123
    assert path.tree() == cw.prune(grown, TreeSize(c=0.123))
    path = cw.pruning_path(grown, OptimalSize(n_leaves=6))
    assert path.tree().n_leaves == 6


def test_a_name_without_rows_is_the_default_or_no_choice(grown):
    path = cw.pruning_path(grown, "tree_size")
    assert path.values[path.chosen] == 0.5
    assert (path.errors == path.training_errors).all()
    path = cw.pruning_path(grown, "critical_value")
    assert path.chosen is None
    with pytest.raises(ParameterError, match="no tree of the critical_value path was chosen"):
        path.tree()


def test_reduced_error_pruning_has_a_path_of_two_trees(grown):
    path = cw.pruning_path(grown, "reduced_error", X_HELD, Y_HELD)
    assert path.parameter is None
    assert path.tree() == cw.prune(grown, "reduced_error", X_HELD, Y_HELD)
    assert path.n_leaves[0] == grown.get_n_leaves()


def test_a_long_path_is_thinned_out_from_its_large_end(grown):
    whole = cw.pruning_path(grown, "optimal_size")
    short = cw.pruning_path(grown, "optimal_size", max_steps=5)
    assert len(short.values) <= 5
    assert (short.n_leaves[0], short.n_leaves[-1]) == (whole.n_leaves[0], 1)

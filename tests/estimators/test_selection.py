"""Cross-validated choice of alpha."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold

import clearwood as cw
from clearwood.errors import ParameterError
from clearwood.estimators.selection import choose_alpha
from clearwood.pruning import CostComplexity

X, Y = load_breast_cancer(return_X_y=True)
CV = StratifiedKFold(5, shuffle=True, random_state=0)


def test_errors_are_those_of_fold_trees_pruned_at_the_geometric_means():
    found = choose_alpha(cw.CARTClassifier(), X, Y, CV)
    middle = len(found.alphas) // 2
    alpha = np.sqrt(found.alphas[middle] * found.alphas[middle + 1])
    wrong = 0
    for train, test in CV.split(X, Y):
        pruning = CostComplexity(alpha, risk="error")
        model = cw.CARTClassifier(pruning=pruning).fit(X[train], Y[train])
        wrong += (model.predict(X[test]) != Y[test]).sum()
    assert found.errors[middle] == pytest.approx(wrong / len(Y))


def test_one_standard_error_gives_a_tree_that_is_no_larger():
    least = choose_alpha(cw.CARTClassifier(), X, Y, CV, rule="0-SE")
    one = choose_alpha(cw.CARTClassifier(), X, Y, CV, rule="1-SE")
    assert least.errors[least.chosen] == least.errors.min()
    assert one.n_leaves[one.chosen] <= least.n_leaves[least.chosen]
    allowed = least.errors.min() + least.standard_errors[least.errors.argmin()]
    assert one.errors[one.chosen] <= allowed
    assert (one.errors[one.n_leaves < one.n_leaves[one.chosen]] > allowed).all()


@pytest.mark.parametrize("rule", ["0-SE", "1-SE"])
def test_the_alpha_prunes_to_the_chosen_tree(rule):
    found = choose_alpha(cw.CARTClassifier(), X, Y, CV, rule)
    model = cw.CARTClassifier(pruning=CostComplexity(found.alpha, risk="error")).fit(X, Y)
    assert model.get_n_leaves() == found.n_leaves[found.chosen]


def test_a_class_that_a_fold_lacks_counts_as_missed():
    y = Y.copy()
    y[:3] = 2
    found = choose_alpha(cw.CARTClassifier(), X, y, [(np.arange(3, len(y)), np.arange(3))])
    assert found.errors.tolist() == [1.0] * len(found.errors)


def test_an_unknown_rule_is_refused():
    with pytest.raises(ParameterError, match="rule must be one of 0-SE, 1-SE, got 'best'"):
        choose_alpha(cw.CARTClassifier(), X, Y, rule="best")

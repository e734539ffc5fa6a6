"""Choosing how far to prune by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing

from clearwood._typing import BoolArray, FloatArray, IntArray
from clearwood.estimators.tree_classifier import TreeClassifier
from clearwood.pruning.choice import RULES, Rule, choose, standard_error
from clearwood.pruning.cost_complexity import (
    RISKS,
    Risk,
    cost_complexity_path,
    replacement_at,
)
from clearwood.pruning.errors_below import errors_as_leaf, errors_ending, errors_left
from clearwood.pruning.option_checks import require_choice
from clearwood.pruning.rows import node_masses, read_rows


@dataclass(frozen=True, slots=True, eq=False)
class AlphaChoice:
    """The trees of a cost-complexity sequence with their cross-validated errors.

    Parameters
    ----------
    alpha : float
        That of the chosen tree: ``CostComplexity(alpha, risk)`` prunes to it.
    chosen : int
        Its position.
    alphas : ndarray of shape (n_trees,)
        Where each tree of the sequence begins; tree i is tried at the geometric mean of its
        alpha and the next.
    n_leaves : ndarray of shape (n_trees,)
        Leaves of each tree.
    errors : ndarray of shape (n_trees,)
        Cross-validated error rate.
    standard_errors : ndarray of shape (n_trees,)
        Of these rates, the binomial's.
    """

    alpha: float
    chosen: int
    alphas: FloatArray
    n_leaves: IntArray
    errors: FloatArray
    standard_errors: FloatArray


def choose_alpha(
    estimator: TreeClassifier,
    X: Any,
    y: Any,
    cv: Any = 10,
    rule: Rule = "1-SE",
    risk: Risk = "error",
) -> AlphaChoice:
    """The alpha of cost-complexity pruning by cross-validation (Breiman et al. 1984, chapter 3).

    Parameters
    ----------
    estimator : TreeClassifier
        How trees are grown; its `pruning` is not looked at, and it is not fitted.
    X, y
        As in its `fit`.
    cv : int, splitter or iterable, default=10
        As in scikit-learn: a number of stratified folds in the order of the rows, or e.g.
        ``StratifiedKFold(10, shuffle=True, random_state=0)``.
    rule : {"0-SE", "1-SE"}, default="1-SE"
        The smallest tree whose error rate is at most the least, or the least plus one standard
        error of it.
    risk : {"impurity", "error"}, default="error"
        See `CostComplexity`.

    Returns
    -------
    AlphaChoice

    Raises
    ------
    ParameterError
        Where `rule` or `risk` is none of these.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood.estimators import CARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> int(choose_alpha(CARTClassifier(), X, y).n_leaves.max())
    9
    """
    require_choice("rule", rule, RULES)
    require_choice("risk", risk, RISKS)
    unpruned = clone(estimator).set_params(pruning=None)
    tree = clone(unpruned).fit(X, y).tree_
    path = cost_complexity_path(tree, risk, unpruned._impurity)
    tried = np.append(np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf)
    folds = list(check_cv(cv, y, classifier=True).split(X, y))
    wrong = [_fold_errors(unpruned, X, y, train, test, tried, risk) for train, test in folds]
    n_tested = sum(len(test) for _, test in folds)
    errors: FloatArray = np.sum(wrong, axis=0) / n_tested
    chosen = choose(errors, path.n_leaves, n_tested, rule)
    return AlphaChoice(
        alpha=float(tried[chosen] if np.isfinite(tried[chosen]) else path.alphas[-1]),
        chosen=chosen,
        alphas=path.alphas,
        n_leaves=path.n_leaves,
        errors=errors,
        standard_errors=np.array([standard_error(error, n_tested) for error in errors]),
    )


def _fold_errors(
    unpruned: Any, X: Any, y: Any, train: IntArray, test: IntArray, tried: FloatArray, risk: Risk
) -> FloatArray:
    """Test errors of a fold's tree pruned at each alpha."""
    model = clone(unpruned).fit(_safe_indexing(X, train), _safe_indexing(y, train))
    tree = model.tree_
    labels = np.asarray(_safe_indexing(y, test))
    known: BoolArray = np.isin(labels, tree.classes)  # a class without training rows is missed
    if not known.any():
        return np.full(len(tried), float(len(test)))
    rows = read_rows(tree, _safe_indexing(X, test[known]), labels[known])
    masses = node_masses(tree, rows)
    as_leaf, ending = errors_as_leaf(tree, masses), errors_ending(tree, masses)
    path = cost_complexity_path(tree, risk, model._impurity)
    return np.array([
        errors_left(tree, replacement_at(tree, path, alpha), as_leaf, ending) + (~known).sum()
        for alpha in tried
    ])  # fmt: skip

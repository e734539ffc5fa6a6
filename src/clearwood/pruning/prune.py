"""`prune`: another pruning of any tree, fitted or loaded."""

from __future__ import annotations

from typing import Any

from clearwood.errors import ParameterError
from clearwood.pruning.menu import apply, options_of
from clearwood.pruning.option_checks import require_method
from clearwood.pruning.rows import read_rows
from clearwood.tree.as_tree import as_tree
from clearwood.tree.structure import Tree


def prune(
    model: Any, method: Any, X: Any = None, y: Any = None, sample_weight: Any = None, **options: Any
) -> Tree:
    """A tree cut back.

    Parameters
    ----------
    model : Tree or fitted estimator
        Anything with a ``tree_``, or a tree: grown, loaded, pruned before, or written by hand.
    method : str or value
        A name ("error_based", "tree_size", "cost_complexity", "reduced_error",
        "pessimistic_error", "minimum_error", "critical_value", "optimal_size"), or a value of
        `clearwood.pruning` that sets its parameters too, e.g. ``TreeSize(c=0.2)``.
    X : array or data frame of shape (n_rows, n_columns), optional
        The rows to prune with. Reduced-error pruning needs rows that the tree was not grown from;
        error-based pruning, and raising by tree size, the rows that it was grown from. The other
        methods use the training weight that the tree keeps in each node, unless rows are given;
        critical value pruning looks at no rows.
    y : array-like of shape (n_rows,), optional
        Their labels.
    sample_weight : array-like of shape (n_rows,), optional
        Their weights.
    **options
        Parameters of a method given by name, e.g. ``c=0.2``.

    Returns
    -------
    Tree
        A pruning of the tree: inner nodes have become leaves or, where a method raises branches,
        given way to a node below. Leaves keep the distribution that the node had in training.

    Raises
    ------
    ParameterError
        Unknown method or parameter, or rows that the method needs are missing.
    TableError
        The rows do not fit the tree.

    Examples
    --------
    >>> import clearwood as cw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> grown = cw.TreeClassifier().fit(X, y)
    >>> cw.prune(grown, "tree_size", c=0.5).n_leaves
    3
    """
    require_method("prune", method)
    tree = as_tree(model)
    chosen = options_of(method, **options)
    if (X is None) != (y is None):
        raise ParameterError("X and y must be given together, or neither of them")
    rows = None if X is None else read_rows(tree, X, y, sample_weight)
    return apply(tree, chosen, rows)

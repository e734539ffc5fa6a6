"""Pessimistic error pruning (Quinlan 1987, Simplifying decision trees).

Half an error is added to each leaf, the continuity correction of the binomial. With e errors of a
node as a leaf, R those of its L leaves and n rows, the node is cut where

    e + 1/2 <= R' + sqrt(R' (n - R') / n),    R' = R + L / 2.

From the root down, each subtree as it was grown; nothing below a cut is looked at. It is not
C4.5's error-based pruning. It holds for any number of branches and classes; parts of rows enter n,
e and R.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.pruning.errors_below import errors_as_leaf, subtree_errors, subtree_leaves
from clearwood.pruning.option_checks import require_number
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import Tree


@dataclass(frozen=True, slots=True)
class PessimisticError:
    """Pessimistic error pruning.

    Parameters
    ----------
    standard_errors : float, default=1
        Standard errors by which a subtree must be better than a leaf; Quinlan's is 1, more
        prunes more.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.
    """

    standard_errors: float = 1.0

    def __post_init__(self) -> None:
        require_number("standard_errors", self.standard_errors)


def pessimistic_error(tree: Tree, masses: FloatArray, options: PessimisticError) -> IntArray:
    """What stands in the place of each node after pessimistic error pruning.

    Parameters
    ----------
    tree : Tree
        Any tree.
    masses : ndarray of shape (n_nodes, n_classes)
        The rows that reach each node, as a rule ``tree.masses``.
    options : PessimisticError

    Returns
    -------
    ndarray of shape (n_nodes,)
    """
    weight = masses.sum(axis=1)
    expected = subtree_errors(tree, masses) + subtree_leaves(tree) / 2.0
    # R' exceeds n in nodes of a few rows: the radicand is 0 there.
    wrong = np.divide(expected, weight, out=np.ones_like(weight), where=weight > 0)
    error = np.sqrt(np.maximum(expected * (1.0 - wrong), 0.0))
    is_cut = errors_as_leaf(tree, masses) + 0.5 <= expected + options.standard_errors * error
    nodes = np.arange(tree.n_nodes, dtype=np.int32)
    replacement: IntArray = np.where(is_cut & ~tree.is_leaf, np.int32(LEAF), nodes)
    return replacement

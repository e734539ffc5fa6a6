"""Reduced-error pruning (Quinlan 1987, Simplifying decision trees).

Rows that the tree was not grown from judge it: from the leaves up, a subtree gives way to a leaf
that makes no more errors on them. The result is the smallest of the most accurate prunings on
these rows. Trees with several branches, several classes and parts of rows need nothing special.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.pruning.errors_below import TIE, errors_as_leaf, errors_ending
from clearwood.pruning.option_checks import require_flag, require_number, require_whole
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import Tree


@dataclass(frozen=True, slots=True)
class ReducedError:
    """Reduced-error pruning.

    Parameters
    ----------
    fraction : float or None, default=None
        Part of the rows of each class that an estimator keeps from growing, to prune with; between
        0 and 1. An estimator needs it; `prune`, which is given rows to prune with, does not.
    seed : int or None, default=None
        Decides which rows these are.
    strict : bool, default=False
        Cuts only where a leaf makes fewer errors; a subtree that no pruning row reaches then
        stays.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.
    """

    fraction: float | None = None
    seed: int | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        if self.fraction is not None:
            require_number("fraction", self.fraction, most=1.0, open=True)
        if self.seed is not None:
            require_whole("seed", self.seed, least=0)
        require_flag("strict", self.strict)


def reduced_error(tree: Tree, masses: FloatArray, options: ReducedError) -> IntArray:
    """What stands in the place of each node after reduced-error pruning.

    Parameters
    ----------
    tree : Tree
        Any tree; leaves keep the classes that they have.
    masses : ndarray of shape (n_nodes, n_classes)
        The pruning rows that reach each node.
    options : ReducedError

    Returns
    -------
    ndarray of shape (n_nodes,)
    """
    replacement = np.arange(tree.n_nodes, dtype=np.int32)
    as_leaf = errors_as_leaf(tree, masses).tolist()
    as_subtree = errors_ending(tree, masses).tolist()
    is_leaf, parent = tree.is_leaf.tolist(), tree.parent.tolist()
    for node in tree.bottom_up():
        leaf, subtree = as_leaf[node], as_subtree[node]
        no_worse = leaf < subtree * (1 - TIE) if options.strict else leaf * (1 - TIE) <= subtree
        if not is_leaf[node] and no_worse:
            replacement[node] = LEAF
            as_subtree[node] = leaf
        if node > 0:
            as_subtree[parent[node]] += as_subtree[node]
    return replacement

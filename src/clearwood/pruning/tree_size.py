"""Pruning by tree size (Mansour 1997, Pessimistic decision tree pruning based on tree size).

A subtree of k nodes that makes e errors on n rows is not trusted to be better than a leaf by less
than what the best of all trees of its size would gain by chance. It gives way to a leaf with l
errors where (section 3)

    l / n <= e / n + c sqrt((k ln d + ln 20) / n),

d being the number of columns. From the leaves up, so that k and e are those of the subtree as it
was pruned. The theory (theorem 2.3; c = 0.7 there) is for binary trees on binary columns and two
classes. As in the paper, k and d are also used where columns are numeric; nodes with several
branches, several classes and parts of rows are treated alike, without its guarantee.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.pruning.error_based import rebuild_by
from clearwood.pruning.errors_below import TIE, errors_as_leaf, errors_ending
from clearwood.pruning.option_checks import require_flag, require_no_witnesses, require_number
from clearwood.pruning.rows import PruningRows
from clearwood.table.core_table import core_table
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import Tree

THEORY_C = math.sqrt(0.5)
"""The constant of the Chernoff bound: 0.7, "as the theory recommends" (section 4)."""

LOG_20 = math.log(20.0)
"""ln(1 / delta) at delta = 0.05."""


@dataclass(frozen=True, slots=True)
class TreeSize:
    """Pruning by tree size.

    Parameters
    ----------
    c : float, default=0.5
        How far chance may carry a subtree; more prunes more. 0 cuts only what gains nothing.
    raising : bool, default=False
        Also lets the heaviest branch take its parent's place, with all of the parent's rows,
        where b / n plus its own penalty is not above e / n plus the subtree's. Needs those rows.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.
    """

    c: float = 0.5
    raising: bool = False

    def __post_init__(self) -> None:
        require_number("c", self.c)
        require_flag("raising", self.raising)


def tree_size(tree: Tree, masses: FloatArray, options: TreeSize) -> IntArray:
    """What stands in the place of each node after pruning by tree size, without raising.

    Parameters
    ----------
    tree : Tree
        Any tree.
    masses : ndarray of shape (n_nodes, n_classes)
        The rows that reach each node, as a rule ``tree.masses``.
    options : TreeSize

    Returns
    -------
    ndarray of shape (n_nodes,)
    """
    replacement = np.arange(tree.n_nodes, dtype=np.int32)
    log_d = log_columns(tree)
    weight = masses.sum(axis=1).tolist()
    as_leaf = errors_as_leaf(tree, masses).tolist()
    as_subtree = errors_ending(tree, masses).tolist()
    is_leaf, parent = tree.is_leaf.tolist(), tree.parent.tolist()
    size = [1] * tree.n_nodes
    for node in tree.bottom_up():
        by_chance = options.c * math.sqrt(weight[node] * (size[node] * log_d + LOG_20))
        if not is_leaf[node] and as_leaf[node] * (1 - TIE) <= as_subtree[node] + by_chance:
            replacement[node] = LEAF
            as_subtree[node], size[node] = as_leaf[node], 1
        if node > 0:
            as_subtree[parent[node]] += as_subtree[node]
            size[parent[node]] += size[node]
    return replacement


def tree_size_raising(tree: Tree, rows: PruningRows, options: TreeSize) -> Tree:
    """The tree pruned by tree size, the heaviest branch raised where that is no worse.

    Parameters
    ----------
    tree : Tree
        Any tree.
    rows : PruningRows
        As a rule those that it was grown from. Masses, distributions, labels and shares of the
        result are theirs; a node at which all of them are missing becomes a leaf.
    options : TreeSize

    Returns
    -------
    Tree

    Raises
    ------
    ParameterError
        Where `tree` has witnesses.
    """
    from clearwood import _core

    require_no_witnesses(tree, "raising a branch")
    result = _core.tree_size(
        tree.arrays(),
        core_table(rows.table),
        rows.codes,
        tree.n_classes,
        rows.weights,
        c=float(options.c),
        log_columns=log_columns(tree),
        raising="heaviest" if options.raising else "none",
    )
    return rebuild_by(tree, result)


def error_bound(tree: Tree, c: float = THEORY_C, delta: float = 0.05) -> float:
    """Upper bound of the true error rate of a whole tree, by its size alone.

    With probability 1 - `delta` no tree of k nodes on d binary columns has a true error rate
    above e / n + c sqrt((k ln d + ln(1 / delta)) / n), e the errors on its n training rows
    (theorem 2.3).

    Parameters
    ----------
    tree : Tree
        Its masses are the training weight.
    c : float, default=sqrt(1/2)
        The constant of the Chernoff bound.
    delta : float, default=0.05
        Chance that the bound does not hold.

    Returns
    -------
    float
        Error rate; above 1 it says nothing. NaN where the tree has no weight.

    Raises
    ------
    ParameterError
        Where `c` or `delta` is out of range.
    """
    require_number("c", c)
    require_number("delta", delta, most=1.0, open=True)
    weight = float(tree.masses[0].sum())
    if weight == 0:
        return math.nan
    errors = float(errors_ending(tree, tree.masses).sum())
    spread = (tree.n_nodes * log_columns(tree) - math.log(delta)) / weight
    return errors / weight + c * math.sqrt(spread)


def log_columns(tree: Tree) -> float:
    """ln d; a tree of one leaf may know no column at all."""
    return math.log(max(1, len(tree.features)))

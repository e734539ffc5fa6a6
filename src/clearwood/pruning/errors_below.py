"""Errors of each node as a leaf, errors of its subtree, and other sums over subtrees.

A node predicts, as a leaf, the most probable class of its distribution; of equals the first, as
`Tree.predict` does. Errors are weight of another class. A row with a missing value counts with the
parts of its weight that end in wrong leaves.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from clearwood._typing import AnyArray, BoolArray, FloatArray, IntArray
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import Tree

TIE = 1e-10
"""Sums of weights that differ by less, relatively, are equal but for rounding."""

_Number = TypeVar("_Number", int, float)


def errors_as_leaf(tree: Tree, masses: FloatArray) -> FloatArray:
    """Errors of each node as a leaf on the rows of `masses`; shape (n_nodes,)."""
    predicted = tree.distribution.argmax(axis=1)
    others = masses.copy()
    others[np.arange(tree.n_nodes), predicted] = 0.0  # a difference would leave rounding behind
    errors: FloatArray = others.sum(axis=1)
    return errors


def errors_ending(tree: Tree, masses: FloatArray) -> FloatArray:
    """Errors made by the weight that goes no further than each node; shape (n_nodes,).

    That is the errors of a leaf. An inner node keeps weight only where it has no share for rows
    with a missing value.
    """
    errors = errors_as_leaf(tree, masses)
    result = np.where(tree.is_leaf, errors, 0.0)
    for node in np.flatnonzero(~tree.is_leaf & (_total_shares(tree) == 0)).tolist():
        gone_on = masses[tree.children(node)].sum(axis=0)
        stays = np.maximum(masses[node] - gone_on, 0.0)
        result[node] = stays.sum() - stays[tree.distribution[node].argmax()]
    return result


def subtree_errors(tree: Tree, masses: FloatArray) -> FloatArray:
    """Errors of the whole subtree of each node on the rows of `masses`; shape (n_nodes,)."""
    return np.array(subtree_sums(tree, errors_ending(tree, masses).tolist()))


def subtree_leaves(tree: Tree) -> IntArray:
    """Leaves of the subtree of each node; 1 for a leaf. Shape (n_nodes,)."""
    return np.array(subtree_sums(tree, tree.is_leaf.astype(int).tolist()), np.int32)


def subtree_sums(tree: Tree, own: list[_Number]) -> list[_Number]:
    """For each node the sum of `own` over its subtree, itself included."""
    sums = list(own)
    parent = tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        sums[parent[node]] += sums[node]
    return sums


def leaves_left(tree: Tree, replacement: IntArray) -> BoolArray:
    """Which nodes are leaves of the pruned tree, where nodes are cut and none is raised."""
    cut = (replacement == LEAF) | tree.is_leaf
    is_leaf: BoolArray = cut & _is_left(tree, cut)
    return is_leaf


def nodes_left(tree: Tree, replacement: IntArray) -> BoolArray:
    """Which nodes belong to the pruned tree, where nodes are cut and none is raised."""
    return _is_left(tree, (replacement == LEAF) | tree.is_leaf)


def errors_left(tree: Tree, replacement: IntArray, as_leaf: AnyArray, ending: AnyArray) -> float:
    """Errors of the pruned tree, given those of `errors_as_leaf` and `errors_ending`."""
    cut = (replacement == LEAF) | tree.is_leaf
    left = _is_left(tree, cut)
    return float(as_leaf[cut & left].sum() + ending[~cut & left].sum())


def _is_left(tree: Tree, cut: BoolArray) -> BoolArray:
    """Which nodes have no cut node above them: subtrees are stretches in pre-order."""
    covers = np.zeros(tree.n_nodes + 1, np.int32)
    at = np.flatnonzero(cut)
    covers[at + 1] += 1
    np.subtract.at(covers, tree.subtree_end[at], 1)
    is_left: BoolArray = np.cumsum(covers[:-1]) == 0
    return is_left


def _total_shares(tree: Tree) -> FloatArray:
    branches = tree.parent[tree.child_ids] if tree.n_nodes > 1 else np.zeros(0, np.int32)
    return np.bincount(branches, tree.missing_share, tree.n_nodes).astype(np.float64)

"""Critical value pruning (Mingers 1987, Expert systems: rule induction with statistical data).

Each split keeps the value by which it was chosen. A subtree is cut where no split in it, its own
included, reached the critical value. Any measure, any number of branches and classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.errors import ParameterError
from clearwood.pruning.option_checks import require_choice, require_number
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import Tree

Measure = Literal["score", "gain"]
MEASURES: tuple[Measure, ...] = ("score", "gain")


@dataclass(frozen=True, slots=True)
class CriticalValue:
    """Critical value pruning.

    Parameters
    ----------
    value : float
        Splits below it count for nothing, in the unit of the measure.
    measure : {"score", "gain"}, default="score"
        What the split was chosen by (e.g. the gain ratio), or its impurity gain.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.
    """

    value: float
    measure: Measure = "score"

    def __post_init__(self) -> None:
        require_number("value", self.value, least=-np.inf)
        require_choice("measure", self.measure, MEASURES)


def critical_value(tree: Tree, masses: FloatArray, options: CriticalValue) -> IntArray:
    """What stands in the place of each node after critical value pruning.

    Parameters
    ----------
    tree : Tree
        A tree that keeps the measure of its splits.
    masses : ndarray of shape (n_nodes, n_classes)
        Not looked at.
    options : CriticalValue

    Returns
    -------
    ndarray of shape (n_nodes,)

    Raises
    ------
    ParameterError
        Where a split has no value, as in a tree written by hand.
    """
    is_cut = ~tree.is_leaf & (best_below(tree, options.measure) < options.value)
    nodes = np.arange(tree.n_nodes, dtype=np.int32)
    replacement: IntArray = np.where(is_cut, np.int32(LEAF), nodes)
    return replacement


def best_below(tree: Tree, measure: Measure) -> FloatArray:
    """The largest value of a split in the subtree of each node; -inf at a leaf."""
    values = tree.score if measure == "score" else tree.gain
    unknown = np.flatnonzero(~tree.is_leaf & np.isnan(values))
    if unknown.size:
        raise ParameterError(
            f"critical value pruning needs the {measure} of every split, but node {unknown[0]} "
            "has none; grow the tree with clearwood, or choose another method"
        )
    best = np.where(tree.is_leaf, -np.inf, values).tolist()
    parent = tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        best[parent[node]] = max(best[parent[node]], best[node])
    return np.array(best)

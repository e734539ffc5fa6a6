"""Fits C4.5's probabilistic thresholds to a finished tree."""

from __future__ import annotations

from typing import Literal

from clearwood._typing import FloatArray, IntArray
from clearwood.table.core_table import core_table
from clearwood.table.table import Table
from clearwood.tree.evaluation import Ramps
from clearwood.tree.structure import Tree


def fit_ramps(
    tree: Tree,
    table: Table,
    codes: IntArray,
    weights: FloatArray | None = None,
    compatibility: Literal["c45"] | None = None,
) -> Ramps:
    """How far each cut could move before the training errors rise by one standard error.

    Parameters
    ----------
    tree : Tree
        Grown and, where it is to be, pruned.
    table : Table
        Training values, n_rows rows.
    codes : ndarray of shape (n_rows,), int32
        Row i belongs to ``tree.classes[codes[i]]``.
    weights : ndarray of shape (n_rows,), float64, or None
        A row of weight 0 is left out; otherwise rows count by number.
    compatibility : {None, "c45"}
        "c45": in the single precision of release 8, for a tree grown so too.

    Returns
    -------
    Ramps
        At a cut that no row reaches both limits are the threshold. A row with a missing value
        counts no further than the node that asks for it.

    References
    ----------
    Quinlan, "C4.5: Programs for Machine Learning" (1993), chapter 8.
    """
    from clearwood import _core

    lower, upper = _core.fit_ramps(
        tree.arrays(), core_table(table), codes, weights, compatibility == "c45"
    )
    return Ramps(lower, upper, compatibility)

"""Grows a tree from a table by a plan."""

from __future__ import annotations

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.growing.plan import Plan
from clearwood.table.core_table import core_table
from clearwood.table.table import Table
from clearwood.tree.structure import Tree


def grow(
    table: Table,
    classes: AnyArray,
    codes: IntArray,
    weights: FloatArray | None = None,
    plan: Plan | None = None,
) -> Tree:
    """The grown tree, unpruned.

    Parameters
    ----------
    table : Table
        Measured values, n_rows rows.
    classes : ndarray of shape (n_classes,)
        Labels; their order decides ties.
    codes : ndarray of shape (n_rows,), int32
        Row i belongs to ``classes[codes[i]]``.
    weights : ndarray of shape (n_rows,), float64, or None
        Row weights; a row of weight 0 is left out. None weighs every row 1.
    plan : Plan or None
        None is the plan of plain defaults.

    Returns
    -------
    Tree
    """
    from clearwood import _core

    plan = plan or Plan()
    arrays = _core.grow(
        core_table(table), codes, len(classes), weights, **plan.for_core(table.n_columns)
    )
    return Tree.of_core(arrays, table.features, classes)

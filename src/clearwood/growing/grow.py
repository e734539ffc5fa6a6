"""Grows a tree from a table by a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.growing.plan import Plan
from clearwood.table.table import Table
from clearwood.tree.structure import Tree

if TYPE_CHECKING:
    from clearwood import _core


def core_table(table: Table) -> _core.Table:
    """The table as the core borrows it; it keeps the arrays alive."""
    from clearwood import _core

    if table.matrix is not None:
        return _core.Table.from_matrix(table.matrix)
    n_levels = [feature.n_levels if feature.is_nominal else 0 for feature in table.features]
    return _core.Table.from_columns(list(table.columns), n_levels)


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
    return Tree(**arrays, features=table.features, classes=classes)

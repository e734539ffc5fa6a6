"""Prediction of a tree on frames and arrays, through the core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clearwood._typing import AnyArray, FloatArray, IntArray

if TYPE_CHECKING:
    from clearwood._core import Predictor
    from clearwood._core import Table as CoreTable
    from clearwood.table.table import Table
    from clearwood.tree.structure import Tree


def predictor(tree: Tree) -> Predictor:
    """The core's predictor of `tree`; it keeps the tree's arrays and no others."""
    from clearwood import _core

    return _core.Predictor(tree.arrays(), len(tree.features))


def core_table(table: Table) -> CoreTable:
    """`table` as the core borrows it; it keeps the arrays alive."""
    from clearwood import _core

    if table.matrix is not None:
        return _core.Table.from_matrix(table.matrix)
    n_levels = [feature.n_levels if feature.is_nominal else 0 for feature in table.features]
    return _core.Table.from_columns(table.columns, n_levels)


def encoded(tree: Tree, X: Any) -> CoreTable:
    """`X`, a frame or array with the tree's columns, as the core borrows it."""
    from clearwood.table.frames import encode_table

    return core_table(encode_table(X, tree.features))


def predict_proba(tree: Tree, X: Any) -> FloatArray:
    """Class probabilities of each row; shape (n_rows, n_classes)."""
    return tree.predictor.predict_proba(encoded(tree, X))


def predict(tree: Tree, X: Any) -> AnyArray:
    """The most probable class of each row; of equals the first in `tree.classes`."""
    labels: AnyArray = tree.classes[predict_proba(tree, X).argmax(axis=1)]
    return labels


def apply(tree: Tree, X: Any) -> IntArray:
    """The leaf with the largest share of each row."""
    return tree.predictor.apply(encoded(tree, X))

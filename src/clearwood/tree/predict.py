"""Prediction of a tree on frames and arrays, through the core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from clearwood._typing import AnyArray, FloatArray, IntArray

if TYPE_CHECKING:
    from clearwood._core import Evaluation as CoreEvaluation
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


def core_evaluation(
    tree: Tree, table: Table, beside: Mapping[str, FloatArray] | None = None
) -> CoreEvaluation | None:
    """What the core does with the rows of `table`; None: a known value takes one branch.

    `beside` holds columns that say how large the noise of a row is and are none of the tree's.
    """
    return None if tree.evaluation is None else tree.evaluation.for_core(table, beside or {})


def asked(tree: Tree, X: Any) -> tuple[CoreTable, CoreEvaluation | None]:
    """`X`, a frame or array with the tree's columns, as the core borrows it; how to evaluate it."""
    from clearwood.table.frames import encode_table

    table = encode_table(X, tree.features)
    return core_table(table), core_evaluation(tree, table, columns_beside(tree, table, X))


def columns_beside(tree: Tree, table: Table, X: Any) -> dict[str, FloatArray]:
    """Columns of `X` that say how large the noise of a row is and are none of the tree's."""
    from clearwood.table.column import Feature
    from clearwood.table.frames import encode_table

    names = () if tree.evaluation is None else tree.evaluation.size_columns(table)
    if not names:
        return {}
    sizes = encode_table(X, tuple(Feature(name, "numeric") for name in names))
    return dict(zip(names, sizes.columns, strict=True))


def predict_proba(tree: Tree, X: Any) -> FloatArray:
    """Class probabilities of each row; shape (n_rows, n_classes)."""
    table, evaluation = asked(tree, X)
    return tree.predictor.predict_proba(table, evaluation=evaluation)


def predict(tree: Tree, X: Any) -> AnyArray:
    """The most probable class of each row; of equals the first in `tree.classes`."""
    labels: AnyArray = tree.classes[predict_proba(tree, X).argmax(axis=1)]
    return labels


def apply(tree: Tree, X: Any) -> IntArray:
    """The leaf with the largest share of each row."""
    table, evaluation = asked(tree, X)
    return tree.predictor.apply(table, evaluation=evaluation)

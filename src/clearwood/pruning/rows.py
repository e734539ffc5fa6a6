"""The rows a tree is pruned with, and the weight of each class that they bring to each node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import TableError
from clearwood.pruning.errors_below import subtree_sums
from clearwood.table.core_table import core_table
from clearwood.table.frames import encode_table
from clearwood.table.labels import read_labels, read_weights
from clearwood.table.table import Table
from clearwood.tree.structure import Tree


@dataclass(frozen=True, slots=True, eq=False)
class PruningRows:
    """A table in a tree's own codes.

    Parameters
    ----------
    table : Table
        With the tree's columns, n_rows of them.
    codes : ndarray of shape (n_rows,), int32
        Row i belongs to ``tree.classes[codes[i]]``.
    weights : ndarray of shape (n_rows,), float64, or None
        None weighs every row 1.
    """

    table: Table
    codes: IntArray
    weights: FloatArray | None = None

    @property
    def weight(self) -> float:
        """Total weight of the rows."""
        return float(self.table.n_rows if self.weights is None else self.weights.sum())


def read_rows(tree: Tree, X: Any, y: Any, sample_weight: Any = None) -> PruningRows:
    """Rows of a frame or array, checked against the columns and classes of `tree`.

    Raises
    ------
    TableError
        Rows, labels and weights do not fit together or the tree, or a label is none of its
        classes.
    """
    table = encode_table(X, tree.features)
    classes, codes = read_labels(y)
    if len(codes) != table.n_rows:
        raise TableError(f"X has {table.n_rows} rows, but y has {len(codes)} labels")
    of_tree = _codes_of(classes, tree)[codes]
    return PruningRows(table, of_tree, read_weights(sample_weight, table.n_rows))


def _codes_of(classes: AnyArray, tree: Tree) -> IntArray:
    """Class index in the tree of each label; labels of a loaded tree may have become texts."""
    by_value = {label: code for code, label in enumerate(tree.classes.tolist())}
    by_name = {name: code for code, name in enumerate(tree.class_names)}
    codes = [by_value.get(c, by_name.get(str(c), -1)) for c in classes.tolist()]
    if -1 in codes:
        unknown = classes[codes.index(-1)]
        raise TableError(
            f"y holds {unknown!s}, which is no class of the tree; it knows "
            f"{', '.join(tree.class_names)}"
        )
    return np.array(codes, np.int32)


def node_masses(tree: Tree, rows: PruningRows) -> FloatArray:
    """Weight of each class that comes to each node.

    Parameters
    ----------
    tree : Tree
        Any tree.
    rows : PruningRows
        A row with a missing value goes down each branch in proportion to `missing_share`.

    Returns
    -------
    ndarray of shape (n_nodes, n_classes)
    """
    indptr, leaves, shares = tree.predictor.leaf_weights(core_table(rows.table))
    n_leaves = np.diff(indptr)
    weight = shares if rows.weights is None else shares * np.repeat(rows.weights, n_leaves)
    place = leaves.astype(np.int64) * tree.n_classes + np.repeat(rows.codes, n_leaves)
    ending = np.bincount(place, weight, tree.n_nodes * tree.n_classes).astype(np.float64)
    return _summed(tree, ending.reshape(tree.n_nodes, tree.n_classes))


def _summed(tree: Tree, ending: FloatArray) -> FloatArray:
    """What ends below each node, added up from the leaves: sums of whole weights are exact."""
    return np.column_stack([subtree_sums(tree, column.tolist()) for column in ending.T])

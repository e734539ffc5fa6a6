"""Classification of rows, parts of which go down every branch (A.6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference.c45.data import MISSING, Array, Cases, Node, Options, outcomes
from reference.c45.growing import Grower


def add_class_sums(node: Node, row: list[Any], weight: Any, sums: Array) -> None:
    """Adds to `sums` the weight of each class for one row (NaN or a negative code: unknown)."""
    real = sums.dtype.type
    if node.is_leaf:
        if node.weight > 0:
            # Product and quotient are each rounded: an exact tie of crx (-g) hangs on it.
            sums += weight * np.asarray(node.counts, dtype=real) / real(node.weight)
        else:
            sums[node.label] += weight
        return
    outcome = int(outcomes(node, np.array([row[node.column]]))[0])
    if outcome != MISSING:
        add_class_sums(node.branches[outcome], row, weight, sums)
        return
    for branch in node.branches:
        share = weight * real(branch.weight) / real(node.weight)
        add_class_sums(branch, row, share, sums)


def labels_of(node: Node, cases: Cases, options: Options, rows: Array) -> Array:
    """The class of each of these rows of `cases`."""
    grower = Grower(cases, options)
    labels = np.empty(len(rows), dtype=np.int64)
    for i, row in enumerate(rows):
        sums = np.zeros(cases.n_classes, dtype=grower.real)
        values = [column[row] for column in grower.columns]
        add_class_sums(node, values, grower.real(1.0), sums)
        labels[i] = np.argmax(sums)
    return labels


def hard_errors(node: Node, cases: Cases, options: Options) -> int:
    """Misclassified rows of `cases`."""
    labels = labels_of(node, cases, options, np.arange(cases.n_rows))
    return int((labels != cases.classes).sum())

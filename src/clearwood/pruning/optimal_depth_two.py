"""The tree of depth two with the fewest training errors: what heavily pruned trees compare with.

Auer, Holte and Maass (1995), Theory and applications of agnostic PAC-learning with small decision
trees. Nothing is grown or pruned: every pair of conditions is searched, in time columns² x rows x
log(rows). Numeric columns are cut in two (their algorithm, T2, cuts the lower level into more
intervals), nominal columns have a branch for each level. Any number of classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from typing import Any, cast

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.pruning.rows import PruningRows, node_masses
from clearwood.table.column import Feature
from clearwood.table.core_table import core_table
from clearwood.table.table import Table
from clearwood.tree import by_hand
from clearwood.tree.structure import Tree

Condition = tuple[int, float, int]
"""Column (-1: a leaf), threshold (NaN: a branch for each level), branch of missing values (-1)."""


def optimal_depth_two(
    table: Table,
    classes: AnyArray,
    codes: IntArray,
    weights: FloatArray | None = None,
    *,
    n_threads: int = 1,
) -> Tree:
    """The tree of depth two, at most, with the fewest training errors.

    Parameters
    ----------
    table : Table
        Measured values, n_rows rows.
    classes : ndarray of shape (n_classes,)
        Labels.
    codes : ndarray of shape (n_rows,), int32
        Row i belongs to ``classes[codes[i]]``.
    weights : ndarray of shape (n_rows,), float64, or None
        Row weights; a row of weight 0 is left out. None weighs every row 1.
    n_threads : int, default=1
        Changes nothing but the time.

    Returns
    -------
    Tree
        Of equally good trees that with the fewest conditions, the first column, the lowest
        threshold. Values that were missing in training go to one branch of a condition, the one
        where they do least harm; where none was, later ones are shared out by weight.

    Raises
    ------
    ValueError
        Where rows, codes and weights do not fit together.
    """
    from clearwood import _core

    root, branches, _ = _core.optimal_depth_two(
        core_table(table), codes, len(classes), weights, n_threads
    )

    def build(leaves: Iterator[by_hand.Sketch]) -> Tree:
        below = [_sketch(condition, leaves, table.features) for condition in branches]
        sketch = _sketch(root, iter(below) if below else leaves, table.features)
        return by_hand.build(sketch, table.features, cast(Sequence[Any], classes))

    nothing = by_hand.leaf([0.0] * len(classes))
    shape = build(repeat(nothing))
    masses = node_masses(shape, PruningRows(table, codes, weights))
    used = None if weights is None else (weights > 0).astype(np.float64)
    n_rows = node_masses(shape, PruningRows(table, codes, used)).sum(axis=1)
    return build(
        by_hand.leaf(masses[node].tolist(), n_rows=round(n_rows[node]))
        for node in np.flatnonzero(shape.is_leaf).tolist()
    )


def _sketch(
    condition: Condition, branches: Iterator[by_hand.Sketch], features: tuple[Feature, ...]
) -> by_hand.Sketch:
    """The condition over the next of `branches`; the next of them where it is a leaf."""
    column, threshold, home = condition
    if column < 0:
        return next(branches)
    feature = features[column]
    n_branches = feature.n_levels if feature.is_nominal else 2
    below = list(islice(branches, n_branches))
    missing = None if home < 0 else [float(branch == home) for branch in range(n_branches)]
    if feature.is_nominal:
        labels = ((label,) for label in feature.levels)
        return by_hand.levels(feature.name, dict(zip(labels, below, strict=True)), missing=missing)
    ordinal = feature.kind == "ordinal"
    at = feature.levels[int(threshold)] if ordinal else threshold
    return by_hand.cut(feature.name, at, below[0], below[1], missing=missing)

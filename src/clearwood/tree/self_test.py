"""Rows that a saved tree carries with the probabilities it must give, checked when it is read."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import inf, isinf, nextafter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clearwood._typing import AnyArray, FloatArray
from clearwood.errors import TableError
from clearwood.tree.conditions import encoded
from clearwood.tree.rules import Interval, Restriction, restricted

if TYPE_CHECKING:
    from clearwood.table.column import Feature
    from clearwood.tree.structure import Tree

Row: TypeAlias = Mapping[str, Hashable]
"""Known values by column name; a column that is not in it is missing."""

_MOST_LEAVES = 10


def rows_for(tree: Tree) -> list[dict[str, Hashable]]:
    """Rows that reach different leaves, spread over the tree, and rows that cuts divide.

    Each knows only the columns of its path; values lie on the last threshold where it belongs to
    the leaf, so that a change from ``<=`` to ``<`` is seen. One row more has nothing known.
    """
    leaves = np.flatnonzero(tree.is_leaf)
    chosen = np.unique(np.linspace(0, len(leaves) - 1, _MOST_LEAVES).round().astype(int))
    rows: list[dict[str, Hashable]] = [{}]
    for row in (*(_row_of(tree, leaf) for leaf in leaves[chosen].tolist()), *_divided(tree)):
        if row is not None and row not in rows and _can_be_read(tree, row):
            rows.append(row)
    return rows


def _divided(tree: Tree) -> Iterator[dict[str, Hashable]]:
    """Rows of one value each, off the thresholds, that the tree's evaluation divides at cuts."""
    cuts = np.flatnonzero(~np.isnan(tree.threshold))
    if tree.evaluation is None or not cuts.size:
        return
    chosen = np.unique(np.linspace(0, len(cuts) - 1, _MOST_LEAVES).round().astype(int))
    for node in cuts[chosen].tolist():
        value = tree.evaluation.divided_value(tree, node)
        if value is not None:
            yield {tree.features[tree.column[node]].name: value}


def _can_be_read(tree: Tree, row: Row) -> bool:
    """Whether the tree's noise allows the values: some needs positive ones."""
    if tree.evaluation is None:
        return True
    try:
        probabilities(tree, [row])
    except TableError:
        return False
    return True


def probabilities(tree: Tree, rows: Sequence[Row]) -> FloatArray:
    """What the tree predicts for `rows`; shape (n_rows, n_classes).

    Columns beside the tree's, which say how large noise is, are missing.
    """
    from clearwood.table.table import Table
    from clearwood.tree.predict import core_evaluation, core_table

    columns = [_column(feature, rows) for feature in tree.features]
    if not columns:
        return np.repeat(tree.distribution[:1], len(rows), axis=0)
    table = Table(tree.features, columns, None, len(rows))
    sizes = () if tree.evaluation is None else tree.evaluation.size_columns(table)
    beside = dict.fromkeys(sizes, np.full(len(rows), np.nan))
    return tree.predictor.predict_proba(
        core_table(table), evaluation=core_evaluation(tree, table, beside)
    )


def _row_of(tree: Tree, leaf: int) -> dict[str, Hashable] | None:
    """A row of the columns on the way to `leaf`; None where no known values lead there."""
    way = [leaf]
    while way[-1] > 0:
        way.append(int(tree.parent[way[-1]]))
    left: dict[int, Restriction] = {}
    for node, child in zip(way[:0:-1], way[-2::-1], strict=True):
        branch = int(np.searchsorted(tree.children(node), child))
        column = int(tree.column[node])
        left[column] = restricted(tree, node, branch, left.get(column))
    values = {tree.features[column].name: _value_in(part) for column, part in left.items()}
    return None if None in values.values() else values


def _value_in(part: Restriction) -> Any:
    """A value that the restriction lets pass; None if there is none."""
    if not isinstance(part, Interval):
        return part.feature.levels[part.codes[0]] if part.codes else None
    if part.includes_upper:
        value = part.upper
    elif part.includes_lower:
        value = part.lower
    elif isinf(part.upper):
        value = nextafter(part.lower, inf)
    elif isinf(part.lower):
        value = nextafter(part.upper, -inf)
    else:
        value = part.lower / 2 + part.upper / 2
    return value if part.holds(value) and not isinf(value) else None


def _column(feature: Feature, rows: Sequence[Row]) -> AnyArray:
    """The values of one column as the core codes them."""
    codes = [encoded(feature, row.get(feature.name)) for row in rows]
    if feature.is_nominal:
        return np.array([-1 if code is None else code for code in codes], np.int32)
    return np.array([np.nan if code is None else code for code in codes], np.float64)

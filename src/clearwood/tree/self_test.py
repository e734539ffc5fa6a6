"""Rows that a saved tree carries with the probabilities it must give, checked when it is read."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import ceil, inf, isinf, nextafter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clearwood._typing import AnyArray, FloatArray
from clearwood.errors import TableError
from clearwood.tree.conditions import LevelsCondition, encoded
from clearwood.tree.rules import Interval, Restriction, restricted
from clearwood.tree.witnesses import Witness, Witnesses, witnesses_of

if TYPE_CHECKING:
    from clearwood.table.column import Feature
    from clearwood.tree.structure import Tree

Row: TypeAlias = Mapping[str, Hashable]
"""Known values by column name; a column that is not in it is missing."""

_MOST_LEAVES, _MOST_WITNESSES = 10, 12


def rows_for(tree: Tree) -> list[dict[str, Hashable]]:
    """Rows that reach different leaves, spread over the tree, and rows that cuts divide.

    Each knows only the columns of its path; values lie on the last threshold where it belongs to
    the leaf, so that a change from ``<=`` to ``<`` is seen. One row more has nothing known. Where
    conditions have witnesses, rows follow in which these speak against them.
    """
    leaves = _spread(np.flatnonzero(tree.is_leaf), _MOST_LEAVES)
    rows: list[dict[str, Hashable]] = [{}]
    for row in (*(_row_of(tree, leaf) for leaf in leaves), *_divided(tree)):
        if row is not None and row not in rows and _can_be_read(tree, row):
            rows.append(row)
    return rows


def _divided(tree: Tree) -> Iterator[dict[str, Hashable]]:
    """Rows of one value each, off the thresholds, that the tree's evaluation divides at cuts."""
    if tree.evaluation is None:
        return
    if isinstance(tree.evaluation, Witnesses):
        yield from _disputed(tree, tree.evaluation)
        return
    for node in _spread(np.flatnonzero(~np.isnan(tree.threshold)), _MOST_LEAVES):
        value = tree.evaluation.divided_value(tree, node)
        if value is not None:
            yield {tree.features[tree.column[node]].name: value}


def _disputed(tree: Tree, evaluation: Witnesses) -> Iterator[dict[str, Hashable]]:
    """Rows in which one witness speaks against its condition, alone, and in which all speak.

    Values lie on a witness's threshold or right below it.
    """
    node_of = np.repeat(np.arange(tree.n_nodes), np.diff(evaluation.start))
    for place in _spread(np.arange(len(node_of)), _MOST_WITNESSES):
        node = int(node_of[place])
        witness = witnesses_of(tree, node)[place - int(evaluation.start[node])]
        for branch in (0, 1):
            yield from _heard(tree, node, branch, [(witness, 1 - branch)])
            yield from _heard(tree, node, None, [(witness, branch)])
    for node in _spread(np.unique(node_of), _MOST_LEAVES):
        strongest, *others = witnesses_of(tree, node)
        said = [(strongest, 1), *((witness, 0) for witness in others)]
        for main in (0, 1, None):
            yield from _heard(tree, node, main, said)


def _heard(
    tree: Tree, node: int, branch: int | None, said: Sequence[tuple[Witness, int]]
) -> Iterator[dict[str, Hashable]]:
    """A row on its way to `branch` of `node` whose witnesses say so, if values allow that.

    Branch None leaves the value of the node itself missing.
    """
    left = _left(tree, node if branch is None else int(tree.children(node)[branch]))
    row = {part.feature.name: _value_in(part) for part in left}
    parts = {part.feature.name: part for part in left}
    for witness, speaks_for in said:
        name, value = witness.feature.name, _value_that(witness, speaks_for)
        if value is not None and (name not in parts or parts[name].holds(value)):
            row[name] = value
    if None not in row.values():
        yield row


def _value_that(witness: Witness, branch: int) -> Any:
    """A value at which the witness speaks for `branch`, as near to its threshold as can be."""
    condition, feature = witness.condition, witness.feature
    pattern = branch ^ witness.is_reversed
    if isinstance(condition, LevelsCondition):
        return next((feature.levels[code] for code in condition.codes(pattern)), None)
    if feature.kind == "numeric":
        value = condition.threshold if pattern else nextafter(condition.threshold, -inf)
        return None if isinf(value) else value
    code = ceil(condition.threshold) - (1 - pattern)
    return feature.levels[code] if 0 <= code < feature.n_levels else None


def _spread(places: AnyArray, most: int) -> list[int]:
    """At most so many of `places`, evenly spread, the first and the last among them."""
    if not places.size:
        return []
    chosen = np.unique(np.linspace(0, len(places) - 1, most).round().astype(int))
    found: list[int] = places[chosen].tolist()
    return found


def _can_be_read(tree: Tree, row: Row) -> bool:
    """Whether the tree's noise allows the values: some needs positive ones."""
    if tree.evaluation is None or isinstance(tree.evaluation, Witnesses):
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
    row = {part.feature.name: _value_in(part) for part in _left(tree, leaf)}
    return None if None in row.values() else row


def _left(tree: Tree, node: int) -> list[Restriction]:
    """What the conditions on the way to `node` leave of their columns."""
    way = [node]
    while way[-1] > 0:
        way.append(int(tree.parent[way[-1]]))
    left: dict[int, Restriction] = {}
    for above, child in zip(way[:0:-1], way[-2::-1], strict=True):
        branch = int(np.searchsorted(tree.children(above), child))
        column = int(tree.column[above])
        left[column] = restricted(tree, above, branch, left.get(column))
    return list(left.values())


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
    if not any(feature.name in row for row in rows):
        dtype = np.int32 if feature.is_nominal else np.float64
        return np.full(len(rows), -1 if feature.is_nominal else np.nan, dtype)
    codes = [encoded(feature, row.get(feature.name)) for row in rows]
    if feature.is_nominal:
        return np.array([-1 if code is None else code for code in codes], np.int32)
    return np.array([np.nan if code is None else code for code in codes], np.float64)

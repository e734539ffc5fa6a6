"""What conditions and their witnesses say of many rows at once, and where rows are disputed first.

A row is disputed where both branches of a node are asked: a witness contradicts the condition, or
the condition's value is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._typing import AnyArray, BoolArray, FloatArray
from clearwood.tree.structure import KIND_CUT
from clearwood.tree.witnesses import Witnesses

if TYPE_CHECKING:
    from clearwood.table.table import Table
    from clearwood.tree.structure import Tree

FIRST, SECOND, UNKNOWN = 0, 1, -1
"""The branch that is spoken for; unknown where the value is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Poll:
    """What a node and its witnesses say of rows, one entry a row.

    Parameters
    ----------
    rows : ndarray of int
        The rows, as places in the table.
    main : ndarray of int
        The branch of the node's condition; -1 where it is not known.
    for_first, n_known : ndarray of int
        Witnesses that speak for the first branch, and those that know a value.
    first_wins : ndarray of bool
        Whether the first branch counts where both answer and one has to win.
    first_share : ndarray of float
        With which the first branch counts where both answers are averaged.
    """

    rows: AnyArray
    main: AnyArray
    for_first: AnyArray
    n_known: AnyArray
    first_wins: BoolArray
    first_share: FloatArray

    @property
    def to_first(self) -> BoolArray:
        """Whether the first branch is asked."""
        only_second: BoolArray = (self.main == SECOND) & (self.for_first == 0)
        return ~only_second

    @property
    def to_second(self) -> BoolArray:
        """Whether the second branch is asked."""
        only_first: BoolArray = (self.main == FIRST) & (self.for_first == self.n_known)
        return ~only_first

    @property
    def is_disputed(self) -> BoolArray:
        """Whether both branches are asked."""
        return self.to_first & self.to_second

    def of(self, chosen: BoolArray) -> Poll:
        """The same of some of the rows."""
        return Poll(*(getattr(self, part.name)[chosen] for part in fields(self)))


def poll(tree: Tree, table: Table, node: int, rows: AnyArray) -> Poll:
    """What `node` of a tree with witnesses says of `rows` of a table with the tree's columns."""
    witnesses = tree.evaluation
    assert isinstance(witnesses, Witnesses)
    main = _main_opinion(tree, table, node, rows)
    places = range(witnesses.start[node], witnesses.start[node + 1])
    for_first, n_known = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
    for place in places:
        opinion = _opinion(witnesses, table, place, rows)
        for_first += opinion == FIRST
        n_known += opinion != UNKNOWN
    missing_share = float(tree.shares(node)[0])
    own = np.where(main == UNKNOWN, missing_share, main == FIRST)
    wins = _first_wins(witnesses, main, for_first, n_known, missing_share)
    return Poll(rows, main, for_first, n_known, wins, (for_first + own) / (n_known + 1))


def first_disputes(tree: Tree, table: Table) -> Iterator[tuple[int, Poll]]:
    """Each node with the rows that are disputed there and nowhere above, in pre-order.

    None in a tree whose evaluation is not `Witnesses`.
    """
    if not isinstance(tree.evaluation, Witnesses):
        return
    rows: dict[int, AnyArray] = {0: np.arange(table.n_rows)}
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        here = rows.pop(node)
        heard = poll(tree, table, node, here)
        disputed = heard.is_disputed
        first, second = tree.children(node).tolist()
        rows[first], rows[second] = here[~heard.to_second], here[~heard.to_first]
        if disputed.any():
            yield node, heard.of(disputed)


def disputed_rows(tree: Tree, X: Any) -> BoolArray:
    """Which rows of a frame or array are disputed at some node: no rule holds for them alone.

    Parameters
    ----------
    tree : Tree
        The tree; one without witnesses disputes nothing.
    X : frame or array
        The tree's columns, n_rows of them.

    Returns
    -------
    ndarray of bool, shape (n_rows,)
    """
    from clearwood.table.frames import encode_table

    table = encode_table(X, tree.features)
    disputed = np.zeros(table.n_rows, np.bool_)
    for _, heard in first_disputes(tree, table):
        disputed[heard.rows] = True
    return disputed


def _first_wins(
    witnesses: Witnesses,
    main: AnyArray,
    for_first: AnyArray,
    n_known: AnyArray,
    missing_share: float,
) -> BoolArray:
    main_votes = (main != UNKNOWN) & (witnesses.conflict != "paper")
    lead = 2 * (for_first + (main_votes & (main == FIRST))) - (n_known + main_votes)
    tie = np.where(main == UNKNOWN, missing_share >= 0.5, main_votes & (main == FIRST))
    wins: BoolArray = np.where(lead == 0, tie, lead > 0)
    return wins


def _main_opinion(tree: Tree, table: Table, node: int, rows: AnyArray) -> AnyArray:
    values = table.columns[tree.column[node]][rows]
    if tree.kind[node] == KIND_CUT:
        threshold = tree.threshold[node]
        below = values < threshold if tree.strict[node] else values <= threshold
        return np.where(np.isnan(values), UNKNOWN, np.where(below, FIRST, SECOND))
    levels = tree.levels(node)
    is_known = (values >= 0) & (values < len(levels))
    return np.where(is_known, levels[np.where(is_known, values, 0)], UNKNOWN)


def _opinion(witnesses: Witnesses, table: Table, place: int, rows: AnyArray) -> AnyArray:
    values = table.columns[witnesses.column[place]][rows]
    if witnesses.level[place] >= 0:
        is_missing, holds = values < 0, values == witnesses.level[place]
    else:
        is_missing, holds = np.isnan(values), values < witnesses.threshold[place]
    speaks = np.where(holds != bool(witnesses.is_reversed[place]), FIRST, SECOND)
    return np.where(is_missing, UNKNOWN, speaks)

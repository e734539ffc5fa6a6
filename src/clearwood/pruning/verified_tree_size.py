"""Pruning by tree size where witnesses send rows down both branches.

Such a row lies in both subtrees, so that their leaves' counts add up to more than the rows. Here
every row that a node is asked about counts once: n are these rows, l those that the node as a leaf
decides wrongly, e those that its subtree decides wrongly by the vote of its witnesses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clearwood._typing import AnyArray, BoolArray, FloatArray, IntArray
from clearwood.pruning.errors_below import TIE
from clearwood.pruning.rows import PruningRows
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import KIND_CUT, Tree
from clearwood.tree.witnesses import Witnesses

if TYPE_CHECKING:
    from clearwood.pruning.tree_size import TreeSize

FIRST, SECOND, UNKNOWN = 0, 1, -1


def verified_tree_size(
    tree: Tree, rows: PruningRows, options: TreeSize, log_columns: float
) -> IntArray:
    """What stands in the place of each node of a tree with witnesses.

    Parameters
    ----------
    tree : Tree
        Its evaluation is `Witnesses`.
    rows : PruningRows
        As a rule those that it was grown from.
    options : TreeSize
        Without raising.
    log_columns : float
        ln d.

    Returns
    -------
    ndarray of shape (n_nodes,)
    """
    asked = _Asked(tree, rows)
    weights = np.ones(rows.table.n_rows) if rows.weights is None else rows.weights
    replacement = np.arange(tree.n_nodes, dtype=np.int32)
    answers: dict[int, FloatArray] = {}
    size = np.ones(tree.n_nodes, np.int64)
    for node in tree.bottom_up():
        own = np.tile(tree.distribution[node], (len(asked.rows[node]), 1))
        if tree.is_leaf[node]:
            answers[node] = own
            continue
        first, second = tree.children(node).tolist()
        voted = asked.settled(node, answers.pop(first), answers.pop(second))
        weight = weights[asked.rows[node]]
        classes = rows.codes[asked.rows[node]]
        as_leaf = weight[own.argmax(axis=1) != classes].sum()
        as_subtree = weight[voted.argmax(axis=1) != classes].sum()
        size[node] += size[first] + size[second]
        spread = size[node] * log_columns + math.log(20.0)
        by_chance = options.c * math.sqrt(weight.sum() * spread)
        if as_leaf * (1 - TIE) <= as_subtree + by_chance:
            replacement[node], size[node] = LEAF, 1
            voted = own
        answers[node] = voted
    return replacement


@dataclass(frozen=True, slots=True)
class _Poll:
    """What a node says of the rows that it is asked about."""

    to_first: BoolArray
    to_second: BoolArray
    first_wins: BoolArray
    first_share: FloatArray


class _Asked:
    """The rows that each node is asked about, and how its branches' answers become one."""

    def __init__(self, tree: Tree, rows: PruningRows) -> None:
        self._tree, self._table = tree, rows.table
        assert isinstance(tree.evaluation, Witnesses)
        self._witnesses = tree.evaluation
        self.rows: dict[int, AnyArray] = {0: np.arange(rows.table.n_rows)}
        self._polls: dict[int, _Poll] = {}
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            poll = self._polls[node] = self._poll(node)
            for child, goes in zip(
                tree.children(node).tolist(), (poll.to_first, poll.to_second), strict=True
            ):
                self.rows[child] = self.rows[node][goes]

    def settled(self, node: int, first: FloatArray, second: FloatArray) -> FloatArray:
        """One answer a row, of those of both branches; see `Witnesses`."""
        poll = self._polls[node]
        shape = (len(self.rows[node]), self._tree.n_classes)
        of_first, of_second = np.zeros(shape), np.zeros(shape)
        of_first[poll.to_first], of_second[poll.to_second] = first, second
        share = poll.first_share.copy()
        if self._witnesses.conflict != "probability":
            differ = of_first.argmax(axis=1) != of_second.argmax(axis=1)
            share[differ] = poll.first_wins[differ]
        alone = ~(poll.to_first & poll.to_second)
        share[alone] = poll.to_first[alone]
        mixed: FloatArray = share[:, None] * of_first + (1 - share[:, None]) * of_second
        return mixed

    def _poll(self, node: int) -> _Poll:
        main = self._main_opinion(node)
        places = range(self._witnesses.start[node], self._witnesses.start[node + 1])
        opinions = np.array([self._opinion(node, place) for place in places], np.int8)
        opinions = opinions.reshape(len(places), len(main))
        for_first = (opinions == FIRST).sum(axis=0)
        n_votes = (opinions != UNKNOWN).sum(axis=0)
        only_first = (main == FIRST) & (for_first == n_votes)
        only_second = (main == SECOND) & (for_first == 0)
        missing_share = float(self._tree.shares(node)[0])
        own = np.where(main == UNKNOWN, missing_share, main == FIRST)
        return _Poll(
            ~only_second,
            ~only_first,
            self._first_wins(main, for_first, n_votes, missing_share),
            (for_first + own) / (n_votes + 1),
        )

    def _first_wins(
        self, main: AnyArray, for_first: AnyArray, n_votes: AnyArray, missing_share: float
    ) -> BoolArray:
        main_votes = (main != UNKNOWN) & (self._witnesses.conflict != "paper")
        lead = 2 * (for_first + (main_votes & (main == FIRST))) - (n_votes + main_votes)
        tie = np.where(main == UNKNOWN, missing_share >= 0.5, main_votes & (main == FIRST))
        wins: BoolArray = np.where(lead == 0, tie, lead > 0)
        return wins

    def _main_opinion(self, node: int) -> AnyArray:
        tree = self._tree
        values = self._table.columns[tree.column[node]][self.rows[node]]
        if tree.kind[node] == KIND_CUT:
            threshold = tree.threshold[node]
            below = values < threshold if tree.strict[node] else values <= threshold
            return np.where(np.isnan(values), UNKNOWN, np.where(below, FIRST, SECOND))
        levels = tree.levels(node)
        is_known = (values >= 0) & (values < len(levels))
        return np.where(is_known, levels[np.where(is_known, values, 0)], UNKNOWN)

    def _opinion(self, node: int, place: int) -> AnyArray:
        witnesses = self._witnesses
        values = self._table.columns[witnesses.column[place]][self.rows[node]]
        if witnesses.level[place] >= 0:
            is_missing, holds = values < 0, values == witnesses.level[place]
        else:
            is_missing, holds = np.isnan(values), values < witnesses.threshold[place]
        speaks = np.where(holds != bool(witnesses.is_reversed[place]), FIRST, SECOND)
        return np.where(is_missing, UNKNOWN, speaks)

"""Pruning by tree size where witnesses send rows down both branches.

Such a row lies in both subtrees, so that their leaves' counts add up to more than the rows. Here
every row that a node is asked about counts once: n are these rows, l those that the node as a leaf
decides wrongly, e those that its subtree decides wrongly by the vote of its witnesses.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.pruning.errors_below import TIE
from clearwood.pruning.rows import PruningRows
from clearwood.tree.polls import Poll, poll
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import Tree
from clearwood.tree.witnesses import Witnesses

if TYPE_CHECKING:
    from clearwood.pruning.tree_size import TreeSize


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


class _Asked:
    """The rows that each node is asked about, and how its branches' answers become one."""

    def __init__(self, tree: Tree, rows: PruningRows) -> None:
        assert isinstance(tree.evaluation, Witnesses)
        self._tree, self._conflict = tree, tree.evaluation.conflict
        self.rows: dict[int, AnyArray] = {0: np.arange(rows.table.n_rows)}
        self._polls: dict[int, Poll] = {}
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            heard = self._polls[node] = poll(tree, rows.table, node, self.rows[node])
            for child, goes in zip(
                tree.children(node).tolist(), (heard.to_first, heard.to_second), strict=True
            ):
                self.rows[child] = self.rows[node][goes]

    def settled(self, node: int, first: FloatArray, second: FloatArray) -> FloatArray:
        """One answer a row, of those of both branches; see `Witnesses`."""
        heard = self._polls[node]
        shape = (len(self.rows[node]), self._tree.n_classes)
        of_first, of_second = np.zeros(shape), np.zeros(shape)
        of_first[heard.to_first], of_second[heard.to_second] = first, second
        share = heard.first_share.copy()
        if self._conflict != "probability":
            differ = of_first.argmax(axis=1) != of_second.argmax(axis=1)
            share[differ] = heard.first_wins[differ]
        alone = ~heard.is_disputed
        share[alone] = heard.to_first[alone]
        mixed: FloatArray = share[:, None] * of_first + (1 - share[:, None]) * of_second
        return mixed

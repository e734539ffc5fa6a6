"""Nodes as small values to read: each is a tree and a number, no data of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from clearwood._typing import FloatArray
from clearwood.tree.conditions import Condition, condition_at
from clearwood.tree.wording import weight_text

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree


@dataclass(frozen=True, slots=True, repr=False)
class Node:
    """One node of a tree.

    Parameters
    ----------
    tree : Tree
        The tree it belongs to.
    id : int
        Its place in the tree's arrays.
    """

    tree: Tree
    id: int

    @property
    def is_leaf(self) -> bool:
        """Whether it tests nothing."""
        return bool(self.tree.is_leaf[self.id])

    @property
    def depth(self) -> int:
        """Conditions between the root and this node."""
        return int(self.tree.depth_of[self.id])

    @property
    def parent(self) -> Node | None:
        """The node above; None for the root."""
        parent = int(self.tree.parent[self.id])
        return None if parent < 0 else Node(self.tree, parent)

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes its branches lead to, in branch order."""
        return tuple(Node(self.tree, child) for child in self.tree.children(self.id).tolist())

    @property
    def condition(self) -> Condition | None:
        """What it tests, limited to the levels that can reach it; None at a leaf."""
        return None if self.is_leaf else condition_at(self.tree, self.id)

    @property
    def missing_share(self) -> FloatArray:
        """Part of a row with a missing value that goes down each branch."""
        return self.tree.shares(self.id)

    @property
    def masses(self) -> FloatArray:
        """Training weight of each class that reached it."""
        masses: FloatArray = self.tree.masses[self.id]
        return masses

    @property
    def weight(self) -> float:
        """Training weight that reached it, over all classes."""
        return float(self.masses.sum())

    @property
    def n_rows(self) -> int:
        """Training rows that reached it, whatever their weight."""
        return int(self.tree.n_rows[self.id])

    @property
    def distribution(self) -> FloatArray:
        """Class probabilities that it gives as a leaf."""
        distribution: FloatArray = self.tree.distribution[self.id]
        return distribution

    @property
    def label(self) -> Any:
        """Class that it gives as a leaf, as it was given in training."""
        return self.tree.classes[self.tree.label[self.id]]

    @property
    def score(self) -> float:
        """By which its split was chosen; NaN at a leaf."""
        return float(self.tree.score[self.id])

    @property
    def gain(self) -> float:
        """Impurity gain of its split; NaN at a leaf."""
        return float(self.tree.gain[self.id])

    def __repr__(self) -> str:
        what = "leaf" if self.is_leaf else "inner node"
        return f"<Node {self.id}: {what}, depth {self.depth}, n = {weight_text(self.weight)}>"


class _NodeSequence(Sequence[Node]):
    """Nodes with the given ids, made when asked for."""

    def __init__(self, tree: Tree, ids: Sequence[int]) -> None:
        self._tree = tree
        self._ids = ids

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Node]: ...
    def __getitem__(self, index: int | slice) -> Node | Sequence[Node]:
        if isinstance(index, slice):
            return _NodeSequence(self._tree, self._ids[index])
        return Node(self._tree, int(self._ids[index]))

    def __iter__(self) -> Iterator[Node]:
        return (Node(self._tree, int(node)) for node in self._ids)

    def __repr__(self) -> str:
        return f"<{len(self)} nodes of {self._tree!r}>"


class Nodes(_NodeSequence):
    """All nodes of a tree in pre-order: ``nodes[i].id == i``."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree, range(tree.n_nodes))


class Leaves(_NodeSequence):
    """The leaves of a tree in pre-order."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree, np.flatnonzero(tree.is_leaf).tolist())

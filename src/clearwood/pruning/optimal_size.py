"""OPT: for every number of leaves the pruning with the least errors (Bohanec and Bratko 1994).

From the leaves up, each node gets a table: the least errors of its subtree with exactly k leaves.
The table of an inner node combines those of its branches, two at a time,

    E[a + b] = min over a, b of E_1[a] + E_2[b],

and knows one leaf besides. What each branch got is noted, so that the tree of any size can be
built. Trees of the sequence are not nested in general; those of cost-complexity pruning by errors
are the ones on its lower convex hull. With several branches some sizes cannot be reached. Any
number of classes; parts of rows enter the errors.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import ParameterError
from clearwood.pruning.errors_below import TIE, errors_as_leaf, errors_ending
from clearwood.pruning.option_checks import require_number, require_whole
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import Tree

MOST_BYTES = 4 << 30
"""Notes of more bytes than this are refused; `max_leaves` bounds them."""

_CELLS = 1 << 20
"""Sums that are compared at once."""


@dataclass(frozen=True, slots=True)
class OptimalSize:
    """The tree of least errors within a size, or the smallest within an error rate.

    Parameters
    ----------
    n_leaves : int or None, default=None
        At most so many leaves; of equal errors the fewest.
    error_rate : float or None, default=None
        At most so much of the weight wrong, with the fewest leaves.

    Raises
    ------
    ParameterError
        Unless exactly one of them is given, and is in its range.
    """

    n_leaves: int | None = None
    error_rate: float | None = None

    def __post_init__(self) -> None:
        if (self.n_leaves is None) == (self.error_rate is None):
            raise ParameterError(
                "give n_leaves or error_rate, and not both, got "
                f"n_leaves={self.n_leaves!r}, error_rate={self.error_rate!r}"
            )
        if self.n_leaves is not None:
            require_whole("n_leaves", self.n_leaves, least=1)
        if self.error_rate is not None:
            require_number("error_rate", self.error_rate, most=1.0)


@dataclass(frozen=True, slots=True, eq=False)
class OptimalSizes:
    """The least errors for each number of leaves, and the trees that make them.

    Parameters
    ----------
    n_leaves : ndarray of shape (n_sizes,)
        Numbers of leaves that a pruning can have, rising.
    errors : ndarray of shape (n_sizes,)
        Least errors with exactly so many leaves, in weight.
    """

    n_leaves: IntArray
    errors: FloatArray
    _tree: Tree = field(repr=False)
    _notes: _Notes = field(repr=False)

    def replacement(self, n_leaves: int) -> IntArray:
        """What stands in the place of each node in the tree of exactly `n_leaves`.

        Raises
        ------
        ParameterError
            Where no pruning has that many leaves.
        """
        if n_leaves not in self.n_leaves:
            raise ParameterError(
                f"no pruning of this tree has {n_leaves!r} leaves; sizes are "
                f"{self.n_leaves[:5].tolist()}... up to {self.n_leaves[-1]}"
            )
        return self._notes.replacement(self._tree, int(n_leaves))


def optimal_size(tree: Tree, masses: FloatArray, options: OptimalSize) -> IntArray:
    """What stands in the place of each node in the tree of least errors within the limit.

    Parameters
    ----------
    tree : Tree
        Any tree.
    masses : ndarray of shape (n_nodes, n_classes)
        The rows that reach each node, as a rule ``tree.masses``.
    options : OptimalSize

    Returns
    -------
    ndarray of shape (n_nodes,)

    Raises
    ------
    ParameterError
        Where no pruning is as accurate as asked.
    """
    if options.n_leaves is not None:
        sizes = optimal_sizes(tree, masses, options.n_leaves)
        return sizes.replacement(int(sizes.n_leaves[sizes.errors.argmin()]))
    assert options.error_rate is not None
    allowed = options.error_rate * masses[0].sum() * (1 + TIE)
    max_leaves = 64
    while True:
        sizes = optimal_sizes(tree, masses, max_leaves)
        within = np.flatnonzero(sizes.errors <= allowed)
        if within.size:
            return sizes.replacement(int(sizes.n_leaves[within[0]]))
        if max_leaves >= tree.n_leaves:
            raise ParameterError(
                f"no pruning has an error rate of at most {options.error_rate!r}; the least is "
                f"{sizes.errors.min() / masses[0].sum():.4g}"
            )
        max_leaves *= 4


def optimal_sizes(tree: Tree, masses: FloatArray, max_leaves: int | None = None) -> OptimalSizes:
    """The least errors for every number of leaves.

    Parameters
    ----------
    tree : Tree
        Any tree of L leaves.
    masses : ndarray of shape (n_nodes, n_classes)
        The rows that reach each node.
    max_leaves : int or None, default=None
        Larger trees are left out. Time is in proportion to L ``min(L, max_leaves)``.

    Returns
    -------
    OptimalSizes

    Raises
    ------
    ParameterError
        Where the notes would take more than 4 GiB: give `max_leaves`.
    """
    most = tree.n_leaves if max_leaves is None else max_leaves
    as_leaf = errors_as_leaf(tree, masses).tolist()
    ending = errors_ending(tree, masses).tolist()
    starts, ids = tree.child_start.tolist(), tree.child_ids.tolist()
    notes = _Notes()
    tables: dict[int, FloatArray] = {}
    for node in tree.bottom_up():
        children = ids[starts[node] : starts[node + 1]]
        table = np.array([as_leaf[node]])
        if children:
            below = notes.combined(children, tables, most) + ending[node]
            table = notes.with_leaf(node, as_leaf[node], below, len(children), most)
        tables[node] = table
    reachable = np.flatnonzero(np.isfinite(tables[0]))
    return OptimalSizes((reachable + 1).astype(np.int32), tables[0][reachable], tree, notes)


class _Notes:
    """How many leaves each branch got; whatever follows from the sizes alone is not noted."""

    def __init__(self) -> None:
        self.got: dict[int, AnyArray] = {}  # by branch but the first: leaves - 1, by total
        self.lengths: dict[int, tuple[int, int]] = {}  # of the two tables that were combined
        self.stays_alone: set[int] = set()  # nodes of one branch that one leaf does not replace
        self.n_bytes = 0

    def combined(self, children: list[int], tables: dict[int, FloatArray], most: int) -> FloatArray:
        """Least errors of the branches together; entry i is for len(children) + i leaves."""
        total = tables.pop(children[0])
        for child in children[1:]:
            table = tables.pop(child)
            self.lengths[child] = len(total), len(table)
            n_cells = min(len(total) + len(table) - 1, max(most - len(children) + 1, 1))
            if len(total) == 1 or len(table) == 1:
                total = (total + table)[:n_cells]
            else:
                total, got = _min_plus(total, table, n_cells)
                self.note(child, got)
        return total

    def note(self, child: int, got: AnyArray) -> None:
        self.got[child] = got.astype(np.min_scalar_type(int(got.max())))
        self.n_bytes += self.got[child].nbytes
        if self.n_bytes > MOST_BYTES:
            raise ParameterError(
                "the prunings of every size of this tree take more than 4 GiB; give max_leaves, "
                "the largest size that you would look at"
            )

    def with_leaf(
        self, node: int, as_leaf: float, below: FloatArray, n_branches: int, most: int
    ) -> FloatArray:
        """The table of an inner node: one leaf in its place, or what its branches do."""
        if n_branches == 1:
            if below[0] < as_leaf:
                self.stays_alone.add(node)
            below[0] = min(below[0], as_leaf)
            return below
        return np.concatenate(([as_leaf], np.full(n_branches - 2, np.inf), below))[:most]

    def replacement(self, tree: Tree, n_leaves: int) -> IntArray:
        """Deals the leaves out from the root down."""
        starts, ids = tree.child_start.tolist(), tree.child_ids.tolist()
        replacement = np.arange(tree.n_nodes, dtype=np.int32)
        open_nodes = [(0, n_leaves)]
        while open_nodes:
            node, n = open_nodes.pop()
            children = ids[starts[node] : starts[node + 1]]
            if n == 1 and node not in self.stays_alone:
                replacement[node] = LEAF if children else node
                continue
            rest = n - len(children)  # beyond one leaf for each branch
            for child in reversed(children[1:]):
                more = self.more_for(child, rest)
                open_nodes.append((child, more + 1))
                rest -= more
            open_nodes.append((children[0], rest + 1))
        return replacement

    def more_for(self, child: int, rest: int) -> int:
        """Of `rest` leaves those that go to a branch, the others to the branches before it."""
        before, own = self.lengths[child]
        if own == 1:
            return 0
        return rest if before == 1 else int(self.got[child][rest])


def _min_plus(left: FloatArray, right: FloatArray, n_cells: int) -> tuple[FloatArray, AnyArray]:
    """``min over j of left[i - j] + right[j]`` for each i < n_cells, and the j of each."""
    if len(left) < len(right):
        least, of_left = _min_plus(right, left, n_cells)
        return least, np.arange(n_cells) - of_left
    padded = np.full(n_cells + len(right) - 1, np.inf)
    within = left[:n_cells]
    padded[len(right) - 1 : len(right) - 1 + len(within)] = within
    least, got = np.empty(n_cells), np.empty(n_cells, np.int64)
    step = max(1, _CELLS // len(right))
    windows = np.lib.stride_tricks.sliding_window_view(padded, len(right))
    backwards = right[::-1]
    for first in range(0, n_cells, step):
        sums = windows[first : first + step] + backwards
        place = sums.argmin(axis=1)
        least[first : first + step] = sums[np.arange(len(place)), place]
        got[first : first + step] = len(right) - 1 - place
    return least, got

"""Places the nodes of a tree side by side: tidy, symmetric, as narrow as the order allows.

Buchheim, Jünger, Leipert (2002), Improving Walker's algorithm to run in linear time, Graph Drawing,
LNCS 2528, 344-353: Reingold and Tilford's layout for any number of branches. Names of the arrays
are the paper's. Without recursion, since a tree may be thousands deep; each node brings a size of
its own, so the distance of two neighbours is half of each size and a gap.
"""

from __future__ import annotations

from collections.abc import Sequence


def centres(
    children: Sequence[Sequence[int]], sizes: Sequence[float], gap: float = 0.0
) -> list[float]:
    """Where the centre of each node lies across the direction of growth.

    Parameters
    ----------
    children : sequence of sequences of int
        The children of each node, in order; node 0 is the root, children come after parents.
    sizes : sequence of float
        Room that each node takes across the direction of growth.
    gap : float
        Room between neighbours of one level.

    Returns
    -------
    list of float
        No two nodes of one level are closer than their sizes and the gap ask for; the first edge
        of all lies at 0.
    """
    walk = _Walk(children, sizes, gap)
    for node in _children_first(children):
        walk.place(node)
    found = walk.prelim[:]
    above = [0.0] * len(children)
    for node, below in enumerate(children):
        found[node] += above[node]
        for child in below:
            above[child] = above[node] + walk.mod[node]
    first = min(at - size / 2 for at, size in zip(found, sizes, strict=True))
    return [at - first for at in found]


def _children_first(children: Sequence[Sequence[int]]) -> list[int]:
    """All nodes, each after its children and its left siblings' whole subtrees."""
    order, todo = [], [0]
    while todo:
        node = todo.pop()
        order.append(node)
        todo.extend(children[node])
    return order[::-1]


class _Walk:
    """The first walk of the paper, one node after another."""

    def __init__(
        self, children: Sequence[Sequence[int]], sizes: Sequence[float], gap: float
    ) -> None:
        n_nodes = len(children)
        self.children, self.sizes, self.gap = children, sizes, gap
        self.parent, self.number = [-1] * n_nodes, [0] * n_nodes
        for node, below in enumerate(children):
            for number, child in enumerate(below):
                self.parent[child], self.number[child] = node, number
        self.prelim, self.mod = [0.0] * n_nodes, [0.0] * n_nodes
        self.shift, self.change = [0.0] * n_nodes, [0.0] * n_nodes
        self.thread = [-1] * n_nodes
        self.ancestor = list(range(n_nodes))
        self.default_ancestor = [below[0] if below else -1 for below in children]

    def place(self, v: int) -> None:
        """Place `v` beside its left siblings; its children are placed."""
        left = self._left_sibling(v)
        below = self.children[v]
        middle = 0.0
        if below:
            self._execute_shifts(v)
            middle = (self.prelim[below[0]] + self.prelim[below[-1]]) / 2
        self.prelim[v] = middle if left < 0 else self.prelim[left] + self._distance(left, v)
        self.mod[v] = self.prelim[v] - middle if below else 0.0
        if left >= 0:
            self._apportion(v, left)

    def _left_sibling(self, v: int) -> int:
        return -1 if self.number[v] == 0 else self.children[self.parent[v]][self.number[v] - 1]

    def _distance(self, left: int, right: int) -> float:
        return (self.sizes[left] + self.sizes[right]) / 2 + self.gap

    def _next_left(self, v: int) -> int:
        return self.children[v][0] if self.children[v] else self.thread[v]

    def _next_right(self, v: int) -> int:
        return self.children[v][-1] if self.children[v] else self.thread[v]

    def _apportion(self, v: int, left: int) -> None:
        """Push the subtree of `v` right until it clears all subtrees of its left siblings.

        Four walkers go down the contours: inside left and right (the gap), outside left and right.
        """
        prelim, mod = self.prelim, self.mod
        in_right = out_right = v
        in_left, out_left = left, self.children[self.parent[v]][0]
        sums = [mod[in_right], mod[out_right], mod[in_left], mod[out_left]]
        while self._next_right(in_left) >= 0 and self._next_left(in_right) >= 0:
            in_left, in_right = self._next_right(in_left), self._next_left(in_right)
            out_left, out_right = self._next_left(out_left), self._next_right(out_right)
            self.ancestor[out_right] = v
            wanted = prelim[in_left] + sums[2] + self._distance(in_left, in_right)
            push = wanted - (prelim[in_right] + sums[0])
            if push > 0:
                self._move_subtree(self._ancestor_of(in_left, v), v, push)
                sums[0] += push
                sums[1] += push
            for at, walker in enumerate((in_right, out_right, in_left, out_left)):
                sums[at] += mod[walker]
        if self._next_right(in_left) >= 0 and self._next_right(out_right) < 0:
            self.thread[out_right] = self._next_right(in_left)
            mod[out_right] += sums[2] - sums[1]
        if self._next_left(in_right) >= 0 and self._next_left(out_left) < 0:
            self.thread[out_left] = self._next_left(in_right)
            mod[out_left] += sums[0] - sums[3]
            self.default_ancestor[self.parent[v]] = v

    def _ancestor_of(self, in_left: int, v: int) -> int:
        found = self.ancestor[in_left]
        parent = self.parent[v]
        return found if self.parent[found] == parent else self.default_ancestor[parent]

    def _move_subtree(self, left: int, right: int, push: float) -> None:
        """Move `right` and remember that the siblings between take their part of it."""
        part = push / (self.number[right] - self.number[left])
        self.change[right] -= part
        self.change[left] += part
        self.shift[right] += push
        self.prelim[right] += push
        self.mod[right] += push

    def _execute_shifts(self, v: int) -> None:
        shift = change = 0.0
        for child in reversed(self.children[v]):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change

"""Error-based pruning and the errors it adds (A.7, A.8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reference.c45.data import (
    MISSING,
    Array,
    Cases,
    Node,
    Options,
    class_weights,
    outcomes,
    running_total,
)
from reference.c45.growing import Grower

DEVIATES = (
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.00, 0.00),
)


def coefficient(confidence: float) -> float:
    """Square of the normal deviate, interpolated in release 8's table."""
    upper = next(k for k, (share, _) in enumerate(DEVIATES) if share >= confidence)
    if upper == 0:
        return DEVIATES[0][1] ** 2
    (share0, z0), (share1, z1) = DEVIATES[upper - 1], DEVIATES[upper]
    return (z0 + (z1 - z0) * (confidence - share0) / (share1 - share0)) ** 2


def added_errors(n: float, errors: float, confidence: float) -> float:
    """U(N, e): what the pessimist adds to `errors` among `n` rows (A.8)."""
    k = coefficient(confidence)
    if errors < 1e-6:
        return n * (1.0 - float(np.exp(np.log(confidence) / n)))
    if errors < 0.9999:
        without = n * (1.0 - float(np.exp(np.log(confidence) / n)))
        return without + errors * (added_errors(n, 1.0, confidence) - without)
    if errors + 0.5 >= n:
        return 0.67 * (n - errors)
    half = errors + 0.5
    root = np.sqrt(k * (half * (1.0 - half / n) + k / 4.0))
    return float(n * (half + k / 2.0 + root) / (n + k) - errors)


class Pruner:
    """Error-based pruning of a copy of the grown tree."""

    def __init__(self, cases: Cases, options: Options) -> None:
        self.cases, self.options = cases, options
        self.grower = Grower(cases, options)
        self.real = self.grower.real

    def prune(self, tree: Node) -> tuple[Node, float]:
        """The pruned tree and the errors estimated for it."""
        tree = copied(tree)
        rows = np.arange(self.cases.n_rows)
        estimate = self.estimate(tree, rows, np.ones(len(rows), dtype=self.real), update=True)
        if self.options.grouped:
            restrict_levels(tree, {}, self.cases.n_levels)
        return tree, float(estimate)

    def estimate(self, node: Node, rows: Array, weights: Array, update: bool) -> Any:
        real = self.real
        classes = self.cases.classes[rows]
        counts = class_weights(classes, weights, self.cases.n_classes, real)
        total = running_total(counts, real)
        label = node.label
        for other in range(len(counts)):
            if counts[other] > counts[label]:
                label = other
        errors = real(total - counts[label])
        as_leaf = real(errors + real(self.added(total, errors)))
        if update:
            node.weight, node.label, node.counts = float(total), label, counts
        if node.is_leaf:
            if update:
                node.errors = float(as_leaf)
            return as_leaf
        as_tree, heaviest = self.subtree(node, rows, weights, update)
        if not update:
            return as_tree
        raised = real(np.inf)
        if heaviest is not None:
            raised = self.estimate(node.branches[heaviest], rows, weights, update=False)
        self.decide(node, rows, weights, as_leaf, raised, as_tree, heaviest)
        return real(node.errors)

    def subtree(
        self, node: Node, rows: Array, weights: Array, update: bool
    ) -> tuple[Any, int | None]:
        """Summed estimates of the branches; the branch of the largest share, the last of equals."""
        real = self.real
        outcome = outcomes(node, self.grower.columns[node.column][rows])
        unknown = outcome == MISSING
        known = running_total(weights[~unknown], real)
        as_tree, heaviest, largest = real(0.0), None, real(0.0)
        for k in range(len(node.branches)):
            here = outcome == k
            if not here.any():
                continue
            share = real(running_total(weights[here], real) / known)
            if share >= largest:
                heaviest, largest = k, share
            child_rows = np.concatenate([rows[unknown], rows[here]])
            child_weights = np.concatenate([(weights[unknown] * share).astype(real), weights[here]])
            part = self.estimate(node.branches[k], child_rows, child_weights, update)
            as_tree = real(as_tree + part)
        return as_tree, heaviest

    def decide(
        self,
        node: Node,
        rows: Array,
        weights: Array,
        as_leaf: Any,
        raised: Any,
        as_tree: Any,
        heaviest: int | None,
    ) -> None:
        if as_leaf <= np.float64(raised) + 0.1 and as_leaf <= np.float64(as_tree) + 0.1:
            become(node, Node(node.label, node.weight, node.counts, float(as_leaf)))
        elif raised <= np.float64(as_tree) + 0.1 and heaviest is not None:
            branch = node.branches[heaviest]
            self.estimate(branch, rows, weights, update=True)
            become(node, branch)
        else:
            node.errors = float(as_tree)

    def added(self, n: Any, errors: Any) -> float:
        return added_errors(float(n), float(errors), self.options.confidence) if n > 0 else 0.0


def copied(node: Node) -> Node:
    return replace(node, branches=[copied(branch) for branch in node.branches])


def become(node: Node, other: Node) -> None:
    """`node` takes over what `other` is."""
    for name in Node.__dataclass_fields__:
        setattr(node, name, getattr(other, name))


def restrict_levels(node: Node, possible: dict[int, set[int]], n_levels: list[int]) -> None:
    """Drops the last branch of a grouping node where no level that can reach it is left (A.3.6)."""
    if node.is_leaf:
        return
    if not node.is_grouped:
        for branch in node.branches:
            restrict_levels(branch, possible, n_levels)
        return
    left = possible.get(node.column, set(range(n_levels[node.column])))
    last = [level for level in node.groups[-1] if level in left]
    if last:
        node.groups = [*node.groups[:-1], last]
    else:
        node.groups, node.branches = node.groups[:-1], node.branches[:-1]
    for group, branch in zip(node.groups, node.branches, strict=True):
        restrict_levels(branch, {**possible, node.column: set(group)}, n_levels)

"""Error-based pruning of rows that noise divides, by the letter: every estimate sends all rows.

One call that calls itself (Quinlan 1993, C4.5: Programs for Machine Learning, chapter 4), with the
weight of a row divided at a cut by the probability that its true value is not above the threshold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr
from scipy.stats import beta

TIE = 1e-10
"""Numbers that differ by less, relatively, are equal but for the order of a sum."""


@dataclass(frozen=True)
class Rules:
    """How to prune, and the normal noise: one standard deviation a column, 0 exact."""

    sd: tuple[float, ...]
    joint: bool = False
    eta: float = 0.0
    confidence: float = 0.25
    laplace: bool = False
    slack: float = 0.1
    raising: str = "heaviest"


@dataclass
class Node:
    """A node that changes while it is pruned; `id` is its number in the grown tree."""

    id: int
    label: int
    column: int = -1
    threshold: float = math.nan
    strict: bool = False
    level_branch: tuple[int, ...] = ()
    branches: list[Node] = field(default_factory=list)
    masses: np.ndarray | None = None
    estimate: float = 0.0

    @property
    def is_cut(self):
        return not math.isnan(self.threshold)

    def become(self, other):
        self.__dict__.update(other.__dict__)


def node_of(tree, number=0):
    """The tree as linked nodes."""
    levels = tree.level_branch[tree.level_start[number] : tree.level_start[number + 1]]
    children = tree.child_ids[tree.child_start[number] : tree.child_start[number + 1]]
    return Node(
        number,
        int(tree.label[number]),
        int(tree.column[number]),
        float(tree.threshold[number]),
        bool(tree.strict[number]),
        tuple(levels),
        [node_of(tree, int(child)) for child in children],
    )


class Pruner:
    """`columns` hold numbers (NaN missing) or level codes (-1 missing)."""

    def __init__(self, columns, classes, n_classes, rules):
        self.columns, self.classes, self.n_classes = columns, classes, n_classes
        self.rules = rules

    def estimate(self, node, weights, box, update):
        """Estimated errors below `node` of rows of these weights; prunes it where `update`."""
        masses = np.bincount(self.classes, weights, self.n_classes)
        label = node.label
        for other in range(self.n_classes):
            label = other if masses[other] > masses[label] else label
        as_leaf = self.errors(masses.sum(), masses.sum() - masses[label])
        if update:
            node.masses, node.label, node.estimate = masses, label, as_leaf
        parts = self.divided(node, weights, box) if node.branches else []
        if not parts:
            if update:
                node.branches = []
            return as_leaf
        as_subtree = 0.0
        for k, _, part in parts:
            as_subtree += self.estimate(node.branches[k], part, self.narrowed(node, box, k), update)
        if update:
            self.decide(node, weights, box, parts, as_leaf, as_subtree)
        return node.estimate if update else as_subtree

    def decide(self, node, weights, box, parts, as_leaf, as_subtree):
        as_raised, raised = math.inf, None
        for k in self.to_raise(parts):
            tried = self.estimate(node.branches[k], weights, box, update=False)
            if tried <= as_raised * (1 + TIE):
                as_raised, raised = tried, node.branches[k]
        slack = self.rules.slack + TIE * as_leaf
        if as_leaf <= min(as_raised, as_subtree) + slack:
            node.branches = []
        elif as_raised <= as_subtree + slack:
            self.estimate(raised, weights, box, update=True)
            node.become(raised)
        else:
            node.estimate = as_subtree

    def to_raise(self, parts):
        if self.rules.raising == "none":
            return []
        if self.rules.raising == "best":
            return [k for k, _, _ in parts]
        most = max(known for _, known, _ in parts)
        return [max(k for k, known, _ in parts if known >= most * (1 - TIE))]

    def divided(self, node, weights, box):
        """Branches with known weight: number, that weight, and their part of every row."""
        shares = self.shares(node, box)
        is_known = ~np.isnan(shares[0])
        known = [(share * weights)[is_known].sum() for share in shares]
        if sum(known) == 0:
            return []
        return [
            (k, known[k], weights * np.where(is_known, share, known[k] / sum(known)))
            for k, share in enumerate(shares)
            if known[k] > 0
        ]

    def shares(self, node, box):
        """Of each branch, by row; NaN where the value is missing."""
        values = self.columns[node.column]
        if not node.is_cut:
            branch = [
                node.level_branch[v] if 0 <= v < len(node.level_branch) else -1 for v in values
            ]
            return [
                np.array([math.nan if b < 0 else float(b == k) for b in branch])
                for k in range(len(node.branches))
            ]
        first = np.array([self.gate(node, value, box) for value in values])
        return [first, 1.0 - first]

    def gate(self, node, value, box):
        sd, eta = self.rules.sd[node.column], self.rules.eta
        if math.isnan(value):
            return math.nan
        if sd == 0:
            return float(value < node.threshold if node.strict else value <= node.threshold)
        share = ndtr((node.threshold - value) / sd)
        if self.rules.joint:
            lower, upper = box.get(node.column, (-math.inf, math.inf))
            start, end = ndtr((lower - value) / sd), ndtr((upper - value) / sd)
            middle = ndtr((np.clip(node.threshold, lower, upper) - value) / sd)
            share = (middle - start) / (end - start)
        return 0.0 if share < eta else 1.0 if share > 1 - eta else share

    def narrowed(self, node, box, branch):
        if not node.is_cut:
            return box
        lower, upper = box.get(node.column, (-math.inf, math.inf))
        inside = (
            (lower, min(upper, node.threshold))
            if branch == 0
            else (max(lower, node.threshold), upper)
        )
        return box | {node.column: inside}

    def errors(self, n, e):
        """n times the exact upper limit of the error rate."""
        if self.rules.laplace:
            e = n * (e + self.n_classes - 1) / (n + self.n_classes)
        if e <= 0:
            return n * (1 - self.rules.confidence ** (1 / n))
        if e >= n:
            return n
        return float(n * beta.isf(self.rules.confidence, e + 1, n - e))


def prune(tree, columns, classes, weights, rules):
    """The pruned tree as nodes; a leaf has no branches."""
    root = node_of(tree)
    pruner = Pruner(columns, classes, len(tree.classes), rules)
    pruner.estimate(root, np.asarray(weights, dtype=np.float64), {}, update=True)
    return root

"""Soft evaluation and ramps the slow and obvious way: one row, one node, one gate at a time.

Sources: algorithms.md B.2, B.4 and C (Nunes et al., arXiv 1907.11325); c45.md A.9 (C4.5 release 8).
"""

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from reference import predict as hard

CUT = 1
EVERYWHERE = (-math.inf, math.inf)


@dataclass(frozen=True)
class Error:
    """Where the true value may lie: F((axis(t) - axis(x) - shift) / scale)."""

    cdf: str
    scale: float
    shift: float = 0.0
    axis: str = "identity"

    def below(self, threshold, measured):
        """P(true <= threshold | measured)."""
        if self.axis == "log":
            if threshold <= 0:
                return 0.0
            threshold, measured = math.log(threshold), math.log(measured)
        if math.isinf(threshold):
            return float(threshold > 0)
        z = (threshold - measured - self.shift) / self.scale
        if self.cdf == "normal":
            return NormalDist().cdf(z)
        return min(max((z + 1) / 2, 0.0), 1.0)


@dataclass(frozen=True)
class Soft:
    """Soft evaluation: the error of each column (None: exact), how gates are coupled, eta."""

    errors: tuple
    coupling: str = "independent"
    eta: float = 0.0

    def first_share(self, tree, node, value, box):
        """Share of the first branch of a cut, for a known value; None where it is read as exact."""
        error = self.errors[tree["column"][node]]
        if error is None or error.scale == 0:
            return None
        threshold = tree["threshold"][node]
        share = error.below(threshold, value)
        if self.coupling == "joint":
            lower, upper = box.get(tree["column"][node], EVERYWHERE)
            start, end = error.below(lower, value), error.below(upper, value)
            if threshold >= upper:
                share = 1.0
            elif end <= start:
                share = float(threshold > lower and value + error.shift <= threshold)
            else:
                share = min(max((share - start) / (end - start), 0.0), 1.0)
        return 0.0 if share < self.eta else 1.0 if share > 1 - self.eta else share


@dataclass(frozen=True)
class Ramps:
    """Probabilistic thresholds with d = 0."""

    lower: np.ndarray
    upper: np.ndarray

    def first_share(self, tree, node, value, box):
        lower, cut, upper = self.lower[node], tree["threshold"][node], self.upper[node]
        if np.isnan(lower):
            return None
        if value <= lower:
            return 1.0
        if value <= cut:
            return 1 - 0.5 * (value - lower) / (cut - lower)
        if value < upper:
            return 0.5 - 0.5 * (value - cut) / (upper - cut)
        return 0.0


def shares(tree, node, row, evaluation, box):
    """Share of the row's weight for each branch of the node."""
    value = row[tree["column"][node]]
    if tree["kind"][node] == CUT and not np.isnan(value):
        first = evaluation.first_share(tree, node, value, box)
        if first is not None:
            return np.array([first, 1 - first])
    return hard.shares(tree, node, row)


def narrowed(tree, node, branch, box):
    """The box of the branch: by column, the interval that the cuts of the path leave."""
    if tree["kind"][node] != CUT:
        return box
    column, threshold = int(tree["column"][node]), tree["threshold"][node]
    lower, upper = box.get(column, EVERYWHERE)
    sides = ((lower, min(upper, threshold)), (max(lower, threshold), upper))
    return {**box, column: sides[branch]}


def leaf_weights(tree, row, evaluation, node=0, weight=1.0, box=None):
    """Share of the row in each node where it ends."""
    box = box or {}
    parts = weight * shares(tree, node, row, evaluation, box)
    if not np.any(parts > 0):
        return {node: weight}
    found = {}
    for branch in np.flatnonzero(parts > 0):
        child = int(tree["child_ids"][tree["child_start"][node] + branch])
        below = narrowed(tree, node, branch, box)
        found |= leaf_weights(tree, row, evaluation, child, float(parts[branch]), below)
    return found


def predict_proba(tree, row, evaluation):
    """Class probabilities of the row."""
    weights = leaf_weights(tree, row, evaluation)
    total = sum(weights.values())
    return sum(share / total * tree["distribution"][leaf] for leaf, share in weights.items())


def label_of(tree, row, root):
    """The class that a subtree gives a row; of equals the first."""
    return int(np.argmax(predict_from(tree, row, root)))


def predict_from(tree, row, node, weight=1.0):
    """Class weights that a row collects below a node, read as exact."""
    parts = weight * hard.shares(tree, node, row)
    if not np.any(parts > 0):
        return weight * tree["distribution"][node]
    children = tree["child_ids"][tree["child_start"][node] : tree["child_start"][node + 1]]
    return sum(predict_from(tree, row, int(c), w) for c, w in zip(children, parts, strict=True))


def fit_ramps(tree, rows, classes):
    """Lower and upper limit of each node, NaN where it is no cut (c45.md A.9, steps 1 to 8)."""
    lower, upper = np.where(tree["kind"] == CUT, tree["threshold"], np.nan)[None].repeat(2, axis=0)
    everyone = list(zip(rows, classes, strict=True))

    def visit(node, cases):
        children = tree["child_ids"][tree["child_start"][node] : tree["child_start"][node + 1]]
        if len(children) == 0 or not cases:
            return
        branches = [hard.branch_of(tree, node, row[tree["column"][node]]) for row, _ in cases]
        if tree["kind"][node] == CUT:
            known = [case for case, b in zip(cases, branches, strict=True) if b is not None]
            if known:
                lower[node], upper[node] = limits(tree, node, known)
        for k, child in enumerate(children):
            visit(int(child), [case for case, b in zip(cases, branches, strict=True) if b == k])

    visit(0, everyone)
    return lower, upper


def limits(tree, node, known):
    """Outermost values at which the errors are one standard error above those of the cut."""
    column, cut = tree["column"][node], tree["threshold"][node]
    first, second = (int(c) for c in tree["child_ids"][tree["child_start"][node] :][:2])
    wrong = [
        (row[column], label_of(tree, row, first) != y, label_of(tree, row, second) != y)
        for row, y in known
    ]
    base = sum(l if v <= cut else r for v, l, r in wrong)  # noqa: E741
    n = len(wrong)
    limit = base + math.sqrt((base + 0.5) * (n - base + 0.5) / (n + 1))
    values = sorted({v for v, _, _ in wrong})
    errors = {t: sum(l if v <= t else r for v, l, r in wrong) for t in values}  # noqa: E741
    lower, upper = min(cut, values[0]), max(cut, values[-1])
    before, beyond = [], []
    for a, b in pairwise(values):
        if errors[a] > limit >= errors[b] and b <= cut:
            before.append(b - (b - a) * (limit - errors[b]) / (errors[a] - errors[b]))
        elif errors[a] <= limit < errors[b] and b > cut:
            beyond.append(a + (b - a) * (limit - errors[a]) / (errors[b] - errors[a]))
    return before[0] if before else lower, max(beyond[-1], cut) if beyond else upper

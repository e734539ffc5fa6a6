"""The best split of a node by trying every one, and a walk that holds a grown tree to it.

Gains are compared, never splits: several splits may gain the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clearwood.growing import AlphaDivergence
from clearwood.metrics import alpha_divergence

Array = NDArray[Any]
MISSING = -1

ROUNDING = 1e-9
"""What sums of parts of rows may lack of the minimum that they would reach exactly."""


@dataclass(frozen=True)
class Rows:
    """Weighted rows: numbers where `n_levels` is 0 (NaN missing), else codes (-1 missing)."""

    columns: list[Array]
    n_levels: list[int]
    classes: Array
    n_classes: int
    weights: Array

    def part(self, kept: Array, weights: Array) -> Rows:
        columns = [column[kept] for column in self.columns]
        return Rows(columns, self.n_levels, self.classes[kept], self.n_classes, weights)

    def masses(self, kept: Array) -> Array:
        return np.bincount(self.classes[kept], self.weights[kept], self.n_classes)


@dataclass(frozen=True)
class Rule:
    """What makes a split good, and which splits may be made."""

    criterion: str | AlphaDivergence = "information_gain"
    nominal: str = "branches"
    min_samples_leaf: float = 1.0


def impurity(masses: Array, criterion: str) -> float:
    """Entropy in bits, or the Gini index, times the mass; or pairs of different classes."""
    total = masses.sum()
    if total == 0:
        return 0.0
    if criterion == "discernibility":
        return float(total**2 - (masses**2).sum()) / 2
    shares = masses[masses > 0] / total
    if criterion == "gini":
        return float(total * (1.0 - (shares**2).sum()))
    return float(-total * (shares * np.log2(shares)).sum())


def gain(rows: Rows, branch: Array, rule: Rule) -> float:
    """Impurity that the branches take off, by the mass of all rows; -inf if it may not be made."""
    branches = [rows.masses(branch == k) for k in range(branch.max(initial=0) + 1)]
    least = rule.min_samples_leaf * (1.0 - ROUNDING)
    heavy = [b for b in branches if b.sum() > 0 and b.sum() >= least]
    if len(heavy) < 2:
        return -np.inf
    if isinstance(rule.criterion, AlphaDivergence):
        how = (rule.criterion.alpha, rule.criterion.reference)
        known_masses = np.array(branches)
        unsplit = alpha_divergence([known_masses.sum(axis=0)], *how)
        more = alpha_divergence(known_masses, *how) - unsplit
        return float(more * known_masses.sum() / rows.weights.sum())
    known = impurity(rows.masses(branch != MISSING), rule.criterion)
    after = sum(impurity(masses, rule.criterion) for masses in branches)
    result = float((known - after) / rows.weights.sum())
    if rule.criterion != "discernibility":
        return result
    return result * float(rows.weights[branch != MISSING].sum() / rows.weights.sum())


def candidates(values: Array, n_levels: int, nominal: str) -> Iterator[Array]:
    """The branch of each row under every split of a column."""
    if n_levels == 0:
        distinct = np.unique(values[~np.isnan(values)])
        for middle in (distinct[1:] + distinct[:-1]) / 2:
            yield np.where(np.isnan(values), MISSING, (values > middle).astype(int))
        return
    if nominal == "branches":
        yield values.astype(int)
        return
    present = np.unique(values[values != MISSING])
    if nominal == "one_vs_rest":
        maps: Iterator[tuple[int, ...]] = (tuple((present != one).astype(int)) for one in present)
    else:
        maps = product((0, 1), repeat=len(present))
    for sides in maps:
        side = np.full(n_levels, MISSING)
        side[present] = sides
        yield np.where(values == MISSING, MISSING, side[values])


def best_gain(rows: Rows, rule: Rule) -> float:
    """The largest gain that any split of any column makes."""
    return max(
        (
            gain(rows, branch, rule)
            for values, n_levels in zip(rows.columns, rows.n_levels, strict=True)
            for branch in candidates(values, n_levels, rule.nominal)
        ),
        default=-np.inf,
    )


def branch_of(tree: Any, node: int, values: Array) -> Array:
    """The branch of each value at an inner node of a `Tree`."""
    if not np.isnan(tree.threshold[node]):
        return np.where(np.isnan(values), MISSING, (values > tree.threshold[node]).astype(int))
    level_branch = tree.level_branch[tree.level_start[node] : tree.level_start[node + 1]]
    return np.where(values == MISSING, MISSING, level_branch[values])


def sent(tree: Any, rows: Rows, node: int = 0) -> Iterator[tuple[int, Rows]]:
    """Every node with the rows that reach it; missing ones go to each branch by its known mass."""
    yield node, rows
    children = tree.child_ids[tree.child_start[node] : tree.child_start[node + 1]]
    if len(children) == 0:
        return
    branch = branch_of(tree, node, rows.columns[tree.column[node]])
    known = rows.weights[branch != MISSING].sum()
    for k, child in enumerate(children):
        share = rows.weights[branch == k].sum() / known
        weights = np.where(branch == MISSING, rows.weights * share, rows.weights)
        kept = ((branch == k) | (branch == MISSING)) & (share > 0)
        yield from sent(tree, rows.part(kept, weights[kept]), int(child))

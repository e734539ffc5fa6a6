"""C4.5 release 8 as slowly and plainly as it can be said, in single or double precision.

An independent second version against which the fast one is held, and the place to look up which
rule breaks when they part. Rules: growing A.1 to A.5, classification A.6, error-based pruning
A.7 and A.8 of the behavioural specification of C4.5 release 8.

Every quantity that the original stores in single precision passes through `real`; in double
precision the same code runs with `real = numpy.float64`. Running sums are `cumsum` or `add.at`,
which add strictly one after another, as the original does; `sum` would add in pairs.

What decides in single precision, each found by leaving it out: with all of it every tree of the
oracles that does not itself hang on the floating-point mode comes out the same.

- The running sum inside I() is rounded at each addition (else glass and soybean differ).
- The base information of a nominal column has one rounding, that of a cut has two (soybean).
- In a branch the rows with unknown value are summed before the known ones (heart_cleveland,
  soybean); the order of the rows within the two parts is that of the file and does not matter.
- Weights of unknown rows are divided back after each branch and drift (soybean, -m 1 -g).
- Pruning keeps a node's class among equally heavy ones; the lowest would be wrong (crx and
  heart_cleveland, -m 1 -g).
- In classification each product and quotient of weights is rounded (crx, -g: one exact tie).
- Gaps are held against 1e-5 in double precision, on values rounded to single (glass).

The other roundings (of gain, ratio, average, penalty, known weight, unknown fraction, of the upper
side of a cut by subtraction) are kept because the original has them; no oracle tells them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

EPS = 0.001
MISSING = -1
UNKNOWN_NUMBER = -999.0  # the original's mark of an unknown number, also when it is a real value
NO_AVERAGE = 1e6

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


@dataclass(frozen=True)
class Cases:
    """Training rows: numbers (NaN unknown) where `n_levels` is 0, else level codes (-1 unknown)."""

    columns: list[Array]
    n_levels: list[int]
    classes: Array
    n_classes: int

    @property
    def n_rows(self) -> int:
        return len(self.classes)


@dataclass(frozen=True)
class Options:
    """The original's switches -m, -c (a share, not percent), -g, -s, and its -s defect."""

    minimum: int = 2
    confidence: float = 0.25
    gain_only: bool = False
    grouped: bool = False
    leaking_minimum: bool = False
    single: bool = True


@dataclass
class Node:
    """A node; `groups` are the level codes of each branch of a nominal split."""

    label: int
    weight: float
    counts: Array
    errors: float
    column: int = -1
    threshold: float | None = None
    groups: list[list[int]] = field(default_factory=list)
    is_grouped: bool = False
    branches: list[Node] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        return not self.branches

    @property
    def size(self) -> int:
        """All nodes, empty leaves included."""
        return 1 + sum(branch.size for branch in self.branches)


@dataclass(frozen=True)
class Split:
    """A column's best split; the gain of a cut is penalised, `info` is the split information."""

    column: int
    gain: Any
    info: Any
    threshold: float | None = None
    groups: list[list[int]] = field(default_factory=list)
    is_grouped: bool = False


def n_log_n(n: Any) -> Array:
    """n log2 n in double precision, 0 where n <= 0."""
    n = np.asarray(n, dtype=np.float64)
    positive = n > 0
    return np.where(positive, n * np.log2(np.where(positive, n, 1.0)), 0.0)


def information(parts: Array, real: Any) -> Any:
    """I(v1 ... vk) = T log2 T - sum v log2 v over the last axis, rounded at every addition."""
    parts = np.asarray(parts)
    spent = np.zeros(parts.shape[:-1], dtype=real)
    total = np.zeros(parts.shape[:-1], dtype=real)
    for k in range(parts.shape[-1]):
        spent = (spent.astype(np.float64) + n_log_n(parts[..., k])).astype(real)
        total = (total + parts[..., k]).astype(real)
    return (n_log_n(total) - spent).astype(real)


def running_total(weights: Array, real: Any) -> Any:
    """Sum of the weights, one after another."""
    return np.cumsum(weights, dtype=real)[-1] if len(weights) else real(0.0)


def class_weights(classes: Array, weights: Array, n_classes: int, real: Any) -> Array:
    counts = np.zeros(n_classes, dtype=real)
    np.add.at(counts, classes, weights)
    return counts


def split_gain(branches: Array, base: Any, unknown: Any, known: Any, real: Any) -> Any:
    """Information gained by branches, given by their class weights (..., branches, classes)."""
    after = np.zeros(branches.shape[:-2], dtype=real)
    for k in range(branches.shape[-2]):
        after = (after + information(branches[..., k, :], real)).astype(real)
    share = real(1.0 - np.float64(unknown))
    return (share * (base - (after / known).astype(real)).astype(real)).astype(real)


def enough(branch_weights: Array, minimum: int) -> Array:
    """Whether at least two branches weigh `minimum`."""
    result: Array = (branch_weights >= minimum).sum(axis=-1) >= 2
    return result


class Grower:
    """Grows one tree; a class because release 8's leaking minimum is state of the whole run."""

    def __init__(self, cases: Cases, options: Options) -> None:
        self.cases = cases
        self.options = options
        self.real = np.float32 if options.single else np.float64
        self.minimum = options.minimum
        self.weights = np.ones(cases.n_rows, dtype=self.real)
        self.columns = [
            known_numbers(column, self.real) if n == 0 else column
            for column, n in zip(cases.columns, cases.n_levels, strict=True)
        ]
        many = [n >= 0.3 * cases.n_rows for n in cases.n_levels]
        ignored = options.grouped or all(many)
        self.many_valued = [False] * len(many) if ignored else many

    def grow(self) -> Node:
        return self.form(np.arange(self.cases.n_rows), frozenset())

    def form(self, rows: Array, tested: frozenset[int]) -> Node:
        """Grows the subtree of the rows at their present weights (A.5)."""
        weights = self.weights[rows]
        total = running_total(weights, self.real)
        counts = class_weights(self.cases.classes[rows], weights, self.cases.n_classes, self.real)
        label = int(np.argmax(counts))
        as_leaf = Node(label, float(total), counts, float(self.real(total - counts[label])))
        if counts[label] == total or total < 2 * self.minimum:
            return as_leaf
        split = self.choose(rows, weights, tested)
        if split is None:
            return as_leaf
        if not split.is_grouped and split.threshold is None:
            tested = tested | {split.column}
        node = replace(
            as_leaf,
            column=split.column,
            threshold=split.threshold,
            groups=split.groups,
            is_grouped=split.is_grouped,
            branches=self.branches(split, as_leaf, rows, tested),
        )
        errors = self.real(0.0)
        for branch in node.branches:
            errors = self.real(errors + self.real(branch.errors))
        if errors >= np.float64(as_leaf.errors) - EPS:  # collapse: no training error saved
            return as_leaf
        node.errors = float(errors)
        return node

    def branches(
        self, split: Split, parent: Node, rows: Array, tested: frozenset[int]
    ) -> list[Node]:
        """Grows the branches one after another; unknown rows visit each at a part of their weight.

        The original multiplies those weights in place and divides them back after the branch. In
        single precision they come back changed in the last bit, and the next branches see that:
        without it one trustworthy tree of the oracles (soybean, -m 1 -g) gets another class in a
        leaf of two equally heavy ones.
        """
        outcome = outcomes(split, self.columns[split.column][rows])
        unknown = rows[outcome == MISSING]
        known = self.real(self.total(rows) - self.total(unknown))
        result = []
        for k in range(n_outcomes(split)):
            here = rows[outcome == k]
            if len(here) == 0:
                empty = np.zeros(self.cases.n_classes, dtype=self.real)
                result.append(Node(parent.label, 0.0, empty, 0.0))
                continue
            share = self.real(self.total(here) / known)
            self.weights[unknown] *= share
            result.append(self.form(np.concatenate([unknown, here]), tested))
            self.weights[unknown] /= share
        return result

    def total(self, rows: Array) -> Any:
        return running_total(self.weights[rows], self.real)

    # -- choosing a column (A.4) ------------------------------------------------------------

    def choose(self, rows: Array, weights: Array, tested: frozenset[int]) -> Split | None:
        splits = self.available(rows, weights, tested)
        average = self.average_gain(splits)
        best, best_value = None, -EPS
        for split in splits:
            value = self.worth(split.info, split.gain, average)
            if value > best_value:
                best, best_value = split, value
        return best

    def available(self, rows: Array, weights: Array, tested: frozenset[int]) -> list[Split]:
        found = []
        for column, n_levels in enumerate(self.cases.n_levels):
            if n_levels == 0:
                split = self.best_cut(column, rows, weights)
            elif self.options.grouped and n_levels > 2:
                split = self.best_groups(column, rows, weights)
            elif column in tested:
                continue
            else:
                split = self.all_levels(column, rows, weights)
            if split is not None and split.gain > -EPS:
                found.append(split)
        return found

    def average_gain(self, splits: list[Split]) -> Any:
        total, n = self.real(0.0), 0
        for split in splits:
            if not self.many_valued[split.column]:
                total, n = self.real(total + split.gain), n + 1
        return self.real(total / n) if n else self.real(NO_AVERAGE)

    def worth(self, info: Any, gain: Any, average: Any) -> Any:
        """Value by which splits are compared: gain ratio of a gain above average, or the gain."""
        if self.options.gain_only:
            return gain if info > 0 and gain > -EPS else -EPS
        if gain >= np.float64(average) - EPS and info > EPS:
            return self.real(gain / info)
        return -EPS

    # -- cuts (A.1) -------------------------------------------------------------------------

    def best_cut(self, column: int, rows: Array, weights: Array) -> Split | None:
        real, n_classes = self.real, self.cases.n_classes
        total = running_total(weights, real)
        values = self.columns[column][rows]
        seen = np.flatnonzero(~np.isnan(values))
        order = seen[np.argsort(values[seen], kind="stable")]
        values, weights = values[order], weights[order]
        known = running_total(weights, real)
        if known < 2 * self.minimum:
            return None
        one_hot = np.zeros((len(order), n_classes), dtype=real)
        one_hot[np.arange(len(order)), self.cases.classes[rows[order]]] = weights
        low = np.cumsum(one_hot, axis=0, dtype=real)
        counts = low[-1]
        high = np.cumsum(np.vstack([counts[None], -one_hot]), axis=0, dtype=real)[1:]
        below = np.cumsum(weights, dtype=real)
        at = self.candidates(values, below, known)
        if len(at) == 0:
            return None
        unknown = real(1.0 - np.float64(known) / np.float64(total))
        base = real(information(counts, real) / known)
        sides = np.stack([low[at], high[at]], axis=1)
        gain = split_gain(sides, base, unknown, known, real)
        side_weights = np.stack([below[at], (known - below[at]).astype(real)], axis=1)
        gain = np.where(enough(side_weights, self.minimum), gain, real(-EPS))
        penalty = real(np.log2(len(at)) / np.float64(total))
        gain = (gain - penalty).astype(real)
        best = int(np.argmax(gain))  # first, that is lowest, among equals
        if not gain[best] > 0:
            return None
        parts = np.array([real(total - known), *side_weights[best]], dtype=real)
        info = real(information(parts, real) / total)
        return Split(column, gain[best], info, self.observed(column, values, at[best]))

    def candidates(self, values: Array, below: Array, known: Any) -> Array:
        """Positions after which a cut is tried."""
        smallest = self.real(0.1 * np.float64(known) / self.cases.n_classes)
        if smallest <= self.minimum:
            smallest = self.real(self.minimum)
        elif smallest > 25:
            smallest = self.real(25)
        gap = values[:-1].astype(np.float64) < values[1:].astype(np.float64) - 0.00001
        below = below[:-1]
        result: Array = np.flatnonzero(gap & (below >= smallest) & (below <= known - smallest))
        return result

    def observed(self, column: int, values: Array, position: int) -> float:
        """Largest training value, at any node, that does not exceed the midpoint."""
        middle = self.real((np.float64(values[position]) + np.float64(values[position + 1])) / 2)
        all_values = self.columns[column]
        return float(np.max(all_values[all_values <= middle]))

    # -- levels (A.2) -----------------------------------------------------------------------

    def level_table(self, column: int, rows: Array, weights: Array) -> Array:
        """Class weights of the unknown rows (row 0) and of each level (rows 1, 2, ...)."""
        table = np.zeros((self.cases.n_levels[column] + 1, self.cases.n_classes), dtype=self.real)
        np.add.at(table, (self.columns[column][rows] + 1, self.cases.classes[rows]), weights)
        return table

    def level_terms(self, table: Array, total: Any) -> tuple[Any, Any, Any, Array]:
        """Known weight, unknown fraction, base information and weight of each row of the table."""
        real = self.real
        sizes = np.cumsum(table, axis=1, dtype=real)[:, -1]
        known = real(total - sizes[0])
        unknown = real(np.float64(sizes[0]) / np.float64(total))
        counts = np.cumsum(table[1:], axis=0, dtype=real)[-1]
        if known <= 0:
            return known, unknown, real(0.0), sizes
        # One rounding only, unlike the base information of a cut.
        base = real((n_log_n(known) - n_log_n(counts).cumsum()[-1]) / np.float64(known))
        return known, unknown, base, sizes

    def all_levels(self, column: int, rows: Array, weights: Array) -> Split | None:
        real = self.real
        total = running_total(weights, real)
        table = self.level_table(column, rows, weights)
        known, unknown, base, sizes = self.level_terms(table, total)
        if known <= 0:
            return None
        gain = split_gain(table[1:], base, unknown, known, real)
        if not enough(sizes[1:], self.minimum):
            gain = real(-EPS)
        info = real(information(sizes, real) / total)
        return Split(column, gain, info, None, [[v] for v in range(len(table) - 1)])

    # -- groups of levels (A.3) -------------------------------------------------------------

    def best_groups(self, column: int, rows: Array, weights: Array) -> Split | None:
        table = self.level_table(column, rows, weights)
        total = running_total(weights, self.real)
        known, unknown, base, _ = self.level_terms(table, total)
        if known < EPS:
            if self.options.leaking_minimum:
                self.minimum = 1
            return None
        search = GroupSearch(self, table, total, known, unknown, base)
        if not search.climb():
            return None
        gain = search.gain_of(search.tables, self.minimum)
        groups = [sorted(group) for group in search.groups]
        if search.unrepresented:
            groups.append(search.unrepresented)
        return Split(column, gain, search.info, None, groups, is_grouped=True)


class GroupSearch:
    """Hill climbing over groups of the levels of one column at one node."""

    def __init__(
        self, grower: Grower, table: Array, total: Any, known: Any, unknown: Any, base: Any
    ) -> None:
        self.grower, self.real = grower, grower.real
        self.total, self.known, self.unknown, self.base = total, known, unknown, base
        self.missing = running_total(table[0], self.real)
        sizes = np.cumsum(table[1:], axis=1, dtype=self.real)[:, -1]
        self.info, self.gain = self.info_of(table[1:]), self.gain_of(table[1:], 1)
        self.groups = [[v] for v in range(len(sizes)) if sizes[v] > 0.5]
        self.tables = [table[1 + v] for (v,) in self.groups]
        self.unrepresented = [v for v in range(len(sizes)) if not sizes[v] > 0.5]

    def gain_of(self, tables: Any, minimum: int) -> Any:
        stacked = np.asarray(tables, dtype=self.real).reshape(-1, self.grower.cases.n_classes)
        if not enough(self.sizes_of(stacked), minimum):
            return self.real(-EPS)
        return split_gain(stacked, self.base, self.unknown, self.known, self.real)

    def info_of(self, tables: Any) -> Any:
        parts = np.concatenate([[self.missing], self.sizes_of(tables)]).astype(self.real)
        return self.real(information(parts, self.real) / self.total)

    def sizes_of(self, tables: Any) -> Array:
        stacked = np.asarray(tables, dtype=self.real).reshape(-1, self.grower.cases.n_classes)
        sizes: Array = np.cumsum(stacked, axis=1, dtype=self.real)[:, -1]
        return sizes

    def worth(self, info: Any, gain: Any) -> Any:
        return self.grower.worth(info, gain, self.real(EPS))

    def merge(self, i: int, j: int) -> None:
        """Group j joins group i; the last group takes the free place, which decides later ties."""
        self.groups[i] = self.groups[i] + self.groups[j]
        self.tables = self.merged(i, j)
        self.groups[j] = self.groups[-1]
        del self.groups[-1]

    def merged(self, i: int, j: int) -> list[Array]:
        tables = list(self.tables)
        tables[i] = (tables[i] + tables[j]).astype(self.real)
        tables[j] = tables[-1]
        del tables[-1]
        return tables

    def merge_pure(self) -> bool:
        """Joins groups that hold one and the same class."""
        merged = False
        i = 0
        while i < len(self.groups):
            label = self.pure_class(i)
            j = i + 1
            while label is not None and j < len(self.groups):
                if self.pure_class(j) == label:
                    self.merge(i, j)
                    merged = True
                else:
                    j += 1
            i += 1
        return merged

    def pure_class(self, i: int) -> int | None:
        size, label = self.sizes_of(self.tables[i])[0], int(np.argmax(self.tables[i]))
        return label if self.tables[i][label] >= size - 0.1 else None

    def climb(self) -> bool:
        """Merges while it pays; whether the grouping found is worth anything."""
        if self.merge_pure():
            self.info, self.gain = self.info_of(self.tables), self.gain_of(self.tables, 1)
        value = self.worth(self.info, self.gain)
        least_gain = self.real(self.gain / 2)
        while len(self.groups) > 2:
            sizes = self.sizes_of(self.tables)
            n_big = int((sizes >= self.grower.minimum).sum())
            barred = int(np.argmax(sizes)) if n_big < 3 else -1
            best = self.best_pair(barred, least_gain, n_big)
            free = not self.grower.options.gain_only and n_big >= 2
            if free and (best is None or best[2] < np.float64(value) + 1e-5):
                break
            if best is None:
                break
            i, j, value, self.gain, self.info = best
            self.merge(i, j)
        return bool(value > 0)

    def best_pair(
        self, barred: int, least_gain: Any, n_big: int
    ) -> tuple[int, int, Any, Any, Any] | None:
        best, best_value, best_gain = None, self.real(0.0), self.real(-EPS)
        forced = self.grower.options.gain_only or n_big < 2
        for i in range(len(self.groups)):
            for j in range(i + 1, len(self.groups)):
                if barred in (i, j):
                    continue
                tables = self.merged(i, j)
                gain, info = self.gain_of(tables, 1), self.info_of(tables)
                value = self.worth(info, gain)
                lifts = gain >= least_gain and best_gain < least_gain
                if lifts or value >= best_value or (best is None and forced):
                    best, best_value, best_gain = (i, j, value, gain, info), value, gain
        return best


def known_numbers(column: Array, real: Any) -> Array:
    values = column.astype(real)
    values[values == UNKNOWN_NUMBER] = np.nan
    return values


def n_outcomes(split: Split | Node) -> int:
    return 2 if split.threshold is not None else len(split.groups)


def outcomes(split: Split | Node, values: Array) -> Array:
    """Branch of each value; MISSING where it is unknown or in no group."""
    if split.threshold is not None:
        return np.where(np.isnan(values), MISSING, np.where(values <= split.threshold, 0, 1))
    result = np.full(len(values), MISSING)
    for k, group in enumerate(split.groups):
        result[np.isin(values, group)] = k
    return result


# -- pruning (A.7, A.8) ---------------------------------------------------------------------


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


# -- classification (A.6) -------------------------------------------------------------------


def add_class_sums(node: Node, row: list[Any], weight: Any, sums: Array) -> None:
    """Adds to `sums` the weight of each class for one row (NaN or a negative code: unknown)."""
    real = sums.dtype.type
    if node.is_leaf:
        if node.weight > 0:
            # Product and quotient are each rounded: an exact tie of crx (-g) hangs on it.
            sums += weight * np.asarray(node.counts, dtype=real) / real(node.weight)
        else:
            sums[node.label] += weight
        return
    outcome = int(outcomes(node, np.array([row[node.column]]))[0])
    if outcome != MISSING:
        add_class_sums(node.branches[outcome], row, weight, sums)
        return
    for branch in node.branches:
        share = weight * real(branch.weight) / real(node.weight)
        add_class_sums(branch, row, share, sums)


def hard_errors(node: Node, cases: Cases, options: Options) -> int:
    """Misclassified rows of `cases`."""
    grower = Grower(cases, options)
    wrong = 0
    for row in range(cases.n_rows):
        sums = np.zeros(cases.n_classes, dtype=grower.real)
        values = [column[row] for column in grower.columns]
        add_class_sums(node, values, grower.real(1.0), sums)
        wrong += int(np.argmax(sums) != cases.classes[row])
    return wrong


def grow_c45(cases: Cases, options: Options) -> tuple[Node, Node, float]:
    """Grown tree, pruned tree and the pruned tree's estimated errors."""
    grown = Grower(cases, options).grow()
    pruned, estimate = Pruner(cases, options).prune(grown)
    return grown, pruned, estimate

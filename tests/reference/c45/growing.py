"""Growing: cuts, levels, the choice of a column, unknown values, collapse (A.1, A.2, A.4, A.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reference.c45.data import (
    EPS,
    MISSING,
    Array,
    Cases,
    Node,
    Options,
    Split,
    class_weights,
    enough,
    information,
    known_numbers,
    n_log_n,
    n_outcomes,
    outcomes,
    running_total,
    split_gain,
)
from reference.c45.groups import GroupSearch

NO_AVERAGE = 1e6


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

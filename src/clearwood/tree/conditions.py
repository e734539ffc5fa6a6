"""What an inner node tests, as values that know their words.

A condition speaks the reader's language: it takes values as the table has them (numbers, level
labels) and names only the levels that can still reach its node. Codes stay in the arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clearwood._typing import BoolArray, IntArray
from clearwood.errors import ParameterError
from clearwood.tree.structure import KIND_CUT, KIND_LEAF, NO_BRANCH
from clearwood.tree.wording import (
    level_set_text,
    level_text,
    name_text,
    number_text,
    short_number_text,
    unit_text,
)

if TYPE_CHECKING:
    from clearwood.table.column import Feature
    from clearwood.tree.structure import Tree

PossibleLevels: TypeAlias = Mapping[int, BoolArray]
"""By column: which of its levels can reach a node. A column not in it: all of them."""


@dataclass(frozen=True, slots=True)
class CutCondition:
    """A cut: is the value at most (or, where `strict`, below) the threshold?

    Parameters
    ----------
    feature : Feature
        The tested column, numeric or ordinal.
    threshold : float
        In the column's unit; between two level codes on an ordinal column.
    strict : bool
        The first branch takes ``value < threshold`` instead of ``value <= threshold``.
    possible : tuple of int, optional
        Of an ordinal column: the level codes that can reach the node, in order; None: all.
    """

    feature: Feature
    threshold: float
    strict: bool
    possible: tuple[int, ...] | None = None

    @property
    def n_branches(self) -> int:
        """Always 2."""
        return 2

    def branch_of(self, value: Any) -> int | None:
        """Branch of a number or an ordinal level's label; None where it is missing or unknown."""
        number = encoded(self.feature, value)
        if number is None:
            return None
        return 0 if self._is_first(number) else 1

    def text(self, branch: int) -> str:
        """What holds for the values that take `branch`, e.g. ``ef <= 35 %``."""
        name = name_text(self.feature.name)
        if self.feature.kind == "ordinal":
            return f"{name} in {level_set_text(self.feature, self.codes(branch))}"
        return f"{name} {self.sign(branch)} {number_text(self.threshold)}" + unit_text(
            self.feature.unit
        )

    def sign(self, branch: int) -> str:
        """The comparison of `branch`: ``<=`` and ``>``, or ``<`` and ``>=`` where strict."""
        return (("<=", ">"), ("<", ">="))[self.strict][branch]

    def codes(self, branch: int) -> tuple[int, ...]:
        """Of an ordinal column: the possible level codes that take `branch`."""
        possible = _codes(self.feature) if self.possible is None else self.possible
        return tuple(code for code in possible if self._is_first(code) == (branch == 0))

    def _is_first(self, number: float) -> bool:
        return number < self.threshold if self.strict else number <= self.threshold


@dataclass(frozen=True, slots=True)
class LevelsCondition:
    """A map from the levels of a nominal column to branches.

    Parameters
    ----------
    feature : Feature
        The tested column.
    level_branch : tuple of int
        Branch of each level code; -1, and a code beyond the end, is treated as missing.
    n_branches : int
        Number of branches; some may have no level.
    possible : tuple of int, optional
        The level codes that can reach the node, in order; None: all.
    """

    feature: Feature
    level_branch: tuple[int, ...]
    n_branches: int
    possible: tuple[int, ...] | None = None

    def branch_of(self, value: Any) -> int | None:
        """Branch of a level's label; None where it is missing, unknown or has no branch."""
        code = encoded(self.feature, value)
        return None if code is None else self._branch(int(code))

    def text(self, branch: int) -> str:
        """What holds for the levels that take `branch`, e.g. ``thal in {"fixed", "normal"}``."""
        levels = level_set_text(self.feature, self.codes(branch))
        return f"{name_text(self.feature.name)} in {levels}"

    def codes(self, branch: int) -> tuple[int, ...]:
        """The possible level codes that take `branch`."""
        possible = _codes(self.feature) if self.possible is None else self.possible
        return tuple(code for code in possible if self._branch(code) == branch)

    def _branch(self, code: int) -> int | None:
        branch = self.level_branch[code] if code < len(self.level_branch) else NO_BRANCH
        return None if branch == NO_BRANCH else branch


Condition: TypeAlias = CutCondition | LevelsCondition


def condition_at(tree: Tree, node: int, possible: PossibleLevels | None = None) -> Condition:
    """The condition of an inner node; its levels limited to `possible`, or by its own path."""
    if tree.kind[node] == KIND_LEAF:
        raise ParameterError(f"node {node} is a leaf: it tests nothing")
    column = int(tree.column[node])
    known = (possible_levels(tree, node) if possible is None else possible).get(column)
    codes = None if known is None else tuple(np.flatnonzero(known).tolist())
    feature = tree.features[column]
    if tree.kind[node] == KIND_CUT:
        return CutCondition(feature, float(tree.threshold[node]), bool(tree.strict[node]), codes)
    return LevelsCondition(
        feature, tuple(tree.levels(node).tolist()), len(tree.children(node)), codes
    )


def branch_of_codes(tree: Tree, node: int) -> IntArray:
    """Branch of each level code of the column with levels that `node` tests; -1: as missing."""
    codes = np.arange(len(tree.features[tree.column[node]].levels))
    if tree.kind[node] == KIND_CUT:
        threshold = tree.threshold[node]
        first = codes < threshold if tree.strict[node] else codes <= threshold
        return np.where(first, 0, 1).astype(np.int32)
    branches = np.full(len(codes), NO_BRANCH, np.int32)
    branches[: len(tree.levels(node))] = tree.levels(node)
    return branches


def has_levels(tree: Tree, node: int) -> bool:
    """Whether `node` tests an ordinal or nominal column."""
    column = int(tree.column[node])
    return column >= 0 and tree.features[column].kind != "numeric"


def narrowed(tree: Tree, node: int, branch: int, possible: PossibleLevels) -> PossibleLevels:
    """`possible` below `branch` of `node`, given `possible` at the node."""
    from clearwood.tree.witnesses import has_witnesses

    if not has_levels(tree, node) or has_witnesses(tree, node):
        return possible
    column = int(tree.column[node])
    branches = branch_of_codes(tree, node)
    passes = branches == branch
    if tree.shares(node)[branch] > 0:  # a level without a branch goes wherever the missing go
        passes |= branches == NO_BRANCH
    return {**possible, column: possible[column] & passes if column in possible else passes}


def possible_levels(tree: Tree, node: int) -> PossibleLevels:
    """Which levels of each column tested above `node` can reach it."""
    possible: PossibleLevels = {}
    while node > 0:
        parent = int(tree.parent[node])
        if has_levels(tree, parent):
            branch = int(np.searchsorted(tree.children(parent), node))
            possible = narrowed(tree, parent, branch, possible)
        node = parent
    return possible


def encoded(feature: Feature, value: Any) -> float | None:
    """`value` as the core sees it: the number, or the level's code; None: missing or unknown."""
    if is_missing(value):
        return None
    if feature.kind == "numeric":
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ParameterError(
                f"column {feature.name!r} is numeric, got {value!r}; give a number or None"
            ) from None
    label = value.item() if isinstance(value, np.generic) else value
    return float(feature.levels.index(label)) if label in feature.levels else None


def is_missing(value: Any) -> bool:
    """Whether `value` is None, NaN, or the missing value of a frame."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and isnan(value)


def value_text(condition: Condition, value: Any, *, exact: bool = False) -> str:
    """A measured value in words, with its unit; ``missing`` where there is none.

    Unless `exact`, a number has no more digits than show its side of the threshold, six at least.
    """
    feature = condition.feature
    if is_missing(value):
        return "missing"
    if feature.kind != "numeric":
        return level_text(value) + unit_text(feature.unit)
    threshold = condition.threshold if isinstance(condition, CutCondition) else None
    text = number_text(value) if exact else short_number_text(value, threshold)
    return text + unit_text(feature.unit)


def _codes(feature: Feature) -> range:
    return range(len(feature.levels))

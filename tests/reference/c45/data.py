"""Rows, options, nodes and the arithmetic that all of C4.5 is made of (A.0)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

EPS = 0.001
MISSING = -1
UNKNOWN_NUMBER = -999.0  # the original's mark of an unknown number, also when it is a real value


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

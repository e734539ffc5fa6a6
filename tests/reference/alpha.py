"""α-divergence of a split from its definition, and the α that carving asks for, by bisection.

Park and Ghosh (2012), Ensembles of α-trees for imbalanced classification problems: reference
P(X)P(Y). Park, Ho and Ghosh (2016), ACDC: α-carving decision chain for risk stratification:
reference P(X)U(Y|X) with U = 1/K.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

from reference.tree import MISSING, Array, Rows, candidates

NEAR = 1e-8
"""Closer to 0 or 1 than this, α is taken for it."""

ALPHA_MAX = 256.0
"""No α of a chain is larger."""


def divergence(actual: Sequence[float], reference: Sequence[float], alpha: float) -> float:
    """D_α(P || Q) in nats; infinite where α <= 0 and P lacks what Q has."""
    cells = [(p, q) for p, q in zip(actual, reference, strict=True) if q > 0]
    if abs(alpha - 1) < NEAR:
        return math.fsum(p * math.log(p / q) for p, q in cells if p > 0)
    if alpha <= NEAR and any(p == 0 for p, _ in cells):
        return math.inf
    if abs(alpha) < NEAR:
        return math.fsum(q * math.log(q / p) for p, q in cells)
    powers = math.fsum(p**alpha * q ** (1 - alpha) for p, q in cells)
    return (1 - powers) / (alpha * (1 - alpha))


def split_divergence(masses: Array, alpha: float, reference: str = "product") -> float:
    """Divergence of P(X, Y) from its reference; `masses` (branches, classes).

    The reference is ``"product"``, P(X)P(Y), or ``"uniform"``, P(X)/K.
    """
    joint = masses / masses.sum()
    of_branch, of_class = joint.sum(axis=1), joint.sum(axis=0)
    if reference == "uniform":
        of_class = np.full(masses.shape[1], 1 / masses.shape[1])
    cells = list(product(range(masses.shape[0]), range(masses.shape[1])))
    actual = [float(joint[x, y]) for x, y in cells]
    return divergence(actual, [float(of_branch[x] * of_class[y]) for x, y in cells], alpha)


def gain(masses: Array, alpha: float, reference: str = "product") -> float:
    """What the split adds to the divergence of the undivided node."""
    whole = masses.sum(axis=0, keepdims=True)
    return split_divergence(masses, alpha, reference) - split_divergence(whole, alpha, reference)


def gains(
    rows: Rows, alpha: float, reference: str, nominal: str, min_samples_leaf: float
) -> Iterator[float]:
    """The gain of every split that may be made, times the known part of the mass."""
    for values, n_levels in zip(rows.columns, rows.n_levels, strict=True):
        for branch in candidates(values, n_levels, nominal):
            masses = np.array([rows.masses(branch == k) for k in range(branch.max() + 1)])
            masses = masses[masses.sum(axis=1) > 0]
            if (masses.sum(axis=1) >= min_samples_leaf).sum() >= 2:
                known = rows.weights[branch != MISSING].sum() / rows.weights.sum()
                yield known * gain(masses, alpha, reference)


def best_gain(
    rows: Rows,
    alpha: float,
    reference: str = "product",
    nominal: str = "branches",
    min_samples_leaf: float = 1.0,
) -> float:
    """The largest gain that any split of any column makes; -inf where there is none."""
    return max(gains(rows, alpha, reference, nominal, min_samples_leaf), default=-math.inf)


def zoom(p: float, alpha: float) -> float:
    """A(p, α) = p^α + (1 - p)^α, the α-zooming factor."""
    return float(p**alpha + (1 - p) ** alpha)


def carving_value(masses: Array, alpha: float) -> float:
    """What a chain maximises where α > 1: the mean zooming factor of the branches, by their mass.

    `masses` (branches, 2). Ranks as the uniform reference does.
    """
    of_branch = masses.sum(axis=1)
    factors = [zoom(float(m[1] / n), alpha) for m, n in zip(masses, of_branch, strict=True)]
    return float(
        sum(n * factor for n, factor in zip(of_branch, factors, strict=True)) / sum(of_branch)
    )


def velocity(alpha: float, w: float) -> float:
    """f(α) = dA/dw at the larger class share w (section 2.3)."""
    return float(alpha * (w ** (alpha - 1) - (1 - w) ** (alpha - 1)))


def log_velocity(alpha: float, w: float) -> float:
    """log f, which does not underflow; w above 1/2."""
    s = math.log(w / (1 - w))
    return math.log(alpha) + (alpha - 1) * math.log(w) + math.log(-math.expm1(-(alpha - 1) * s))


def slope(alpha: float, w: float) -> float:
    """d log f / dα, which falls in α."""
    s = math.log(w / (1 - w))
    exponent = (alpha - 1) * s
    inner = 1 / (alpha - 1) if s == 0 else 0.0 if exponent > 700 else s / math.expm1(exponent)
    return 1 / alpha + math.log(w) + inner


def crossing(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function crosses 0, from `low` on; `high` is doubled until it is beyond."""
    while falling(high) > 0:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low


def steepest_alpha(w: float) -> float:
    """a*(w), where f is largest."""
    return crossing(lambda alpha: slope(alpha, w), 1 + 1e-9, 4.0)


def larger_root(speed: float, w: float) -> float | None:
    """The larger of the two α with f(α) = `speed`; None where f is below it everywhere."""
    if speed == 0:
        return math.inf
    if w == 0.5:
        return None  # f is 0
    top = steepest_alpha(w)
    if log_velocity(top, w) < math.log(speed):
        return None
    return crossing(lambda alpha: log_velocity(alpha, w) - math.log(speed), top, 2 * top)


def smaller_root(speed: float, w: float) -> float:
    """The other one, which the chain does not take; there must be one."""

    def missing(alpha: float) -> float:
        return math.log(speed) - log_velocity(alpha, w)

    return crossing(missing, 1 + 1e-12, steepest_alpha(w))


def carved_alpha(speed: float, w: float, on_no_root: str = "clamp") -> float | None:
    """α of a step, at most ALPHA_MAX; without a root a*(w), or None if the chain should stop."""
    root = larger_root(speed, w)
    if root is None:
        return None if on_no_root == "stop" else min(steepest_alpha(w), ALPHA_MAX)
    return min(root, ALPHA_MAX)

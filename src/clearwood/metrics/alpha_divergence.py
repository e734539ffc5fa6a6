"""Alpha-divergence of a split: how far the branches' class shares are from a reference.

Park and Ghosh, Ensembles of alpha-trees for imbalanced classification problems, IEEE TKDE 26
(2012); Park and Ho, alpha-carving decision chains, section 2.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Literal

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError

SAME_ALPHA = 1e-8
"""This near to 0 or 1 the limits are taken."""


def alpha_divergence(
    masses: Any, alpha: float, reference: Literal["product", "uniform"] = "product"
) -> float:
    """D of a split, by the class masses of its branches.

    Parameters
    ----------
    masses : array-like of shape (n_branches, n_classes)
        Training weight of each class in each branch, none negative.
    alpha : float
        1 gives nats (with the product reference: mutual information of branch and class), 2 half
        of chi-squared per unit of weight.
    reference : {"product", "uniform"}, default="product"
        What the class shares of a branch are held against: those of all branches together, or
        the same share for every class.

    Returns
    -------
    float
        At least 0. Infinite where alpha is 0 or below and a branch lacks a class that the
        reference has, and where D exceeds the largest float.

    Raises
    ------
    ParameterError
        `masses` is no such table or has no weight; alpha is not finite; unknown reference.

    Notes
    -----
    ``D = (1 - sum_x P(x) sum_y P(y|x)**alpha * Q(y)**(1 - alpha)) / (alpha * (1 - alpha))``. A
    tree that splits by `AlphaDivergence` stores D of the split less D of the unsplit node, which
    is 0 with the product reference.

    Examples
    --------
    >>> round(alpha_divergence([[27, 3], [42, 28]], alpha=1), 6)
    0.050468
    """
    table = _masses(masses)
    if not isinstance(alpha, Real) or isinstance(alpha, bool) or not math.isfinite(alpha):
        raise ParameterError(f"alpha must be a finite number, got {alpha!r}")
    if reference not in ("product", "uniform"):
        raise ParameterError(f"reference must be product or uniform, got {reference!r}")
    total = table.sum()
    in_branch = table.sum(axis=1, keepdims=True)
    n_classes = table.shape[1]
    q = table.sum(axis=0) / total if reference == "product" else np.full(n_classes, 1 / n_classes)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        parts = _parts(table / in_branch, q, float(alpha))
    weighted = np.where((table.sum(axis=1) > 0)[:, None] & (q > 0), in_branch / total * parts, 0.0)
    return max(0.0, float(weighted.sum()))


def _parts(p: FloatArray, q: FloatArray, alpha: float) -> FloatArray:
    """The summands of D up to a multiple of p - q, which sums to 0: so nothing cancels."""
    log_ratio = np.log(p) - np.log(q)
    if abs(alpha - 1) < SAME_ALPHA:
        parts = p * log_ratio
    elif abs(alpha) < SAME_ALPHA:
        parts = -q * log_ratio
    elif alpha > 0.5:
        parts = p * np.expm1((alpha - 1) * log_ratio) / (alpha * (alpha - 1))
    else:
        parts = q * np.expm1(alpha * log_ratio) / (alpha * (alpha - 1))
    return np.where((p > 0) | (alpha <= 0.5), parts, 0.0)


def _masses(given: Any) -> FloatArray:
    table = np.asarray(given, dtype=float)
    if table.ndim != 2 or table.shape[1] < 1:
        raise ParameterError(
            f"masses must be a table (n_branches, n_classes), got an array of shape {table.shape}"
        )
    if not np.isfinite(table).all() or (table < 0).any() or not table.sum() > 0:
        raise ParameterError(
            "masses must be finite and at least 0, with some weight among them, got "
            f"{table.tolist()!r:.80}"
        )
    return table

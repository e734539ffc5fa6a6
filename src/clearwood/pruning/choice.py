"""Choosing one tree of a path by its errors: the most accurate, or the smallest that is as good."""

from __future__ import annotations

from typing import Literal

import numpy as np

from clearwood._typing import FloatArray, IntArray

Rule = Literal["0-SE", "1-SE"]
RULES: tuple[Rule, ...] = ("0-SE", "1-SE")


def standard_error(error: float, weight: float) -> float:
    """Of an error rate seen on so much weight: the binomial's."""
    return float(np.sqrt(error * (1.0 - error) / weight)) if weight > 0 else 0.0


def choose(errors: FloatArray, n_leaves: IntArray, weight: float, rule: Rule) -> int:
    """The tree to take.

    Parameters
    ----------
    errors : ndarray of shape (n_trees,)
        Error rate of each tree on rows that did not grow it.
    n_leaves : ndarray of shape (n_trees,)
        Their sizes.
    weight : float
        Of the rows that the rates were measured on.
    rule : {"0-SE", "1-SE"}
        The smallest tree whose error rate is at most the least, or the least plus one standard
        error of it (Breiman et al. 1984, section 3.4.3).

    Returns
    -------
    int
        Its position; of equal sizes that with fewer errors.
    """
    least = float(errors.min())
    allowed = least + 1e-12
    if rule == "1-SE":
        allowed += standard_error(least, weight)
    good = np.flatnonzero(errors <= allowed)
    return int(good[np.lexsort((errors[good], n_leaves[good]))[0]])

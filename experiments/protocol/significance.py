"""Whether two methods differ: difference of proportions, Wilcoxon's signed ranks, Holm's order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import stats


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference and how far chance explains it.

    Parameters
    ----------
    statistic : float
        z, or the sum of ranks.
    p_value : float
    """

    statistic: float
    p_value: float


def difference_of_proportions(
    first: float, second: float, n: float, sides: Literal[1, 2] = 2
) -> Difference:
    """Test of two error rates on n rows each (Dietterich 1998, section 3.2).

    z = (p1 - p2) / sqrt(2 p (1 - p) / n) with p the mean of both. As Dietterich says, rates of two
    methods on the same rows are not independent: the test is rough.

    Parameters
    ----------
    first, second : float
        Error rates between 0 and 1.
    n : float
        Rows that each was measured on.
    sides : {1, 2}, default=2
        1: the chance of a z as far from 0 on the side where it is.
    """
    p = (first + second) / 2
    spread = math.sqrt(2 * p * (1 - p) / n)
    z = 0.0 if spread == 0 else (first - second) / spread
    return Difference(z, sides * float(stats.norm.sf(abs(z))))


def wilcoxon(
    first: Sequence[float], second: Sequence[float], zeros: Literal["wilcox", "pratt"] = "wilcox"
) -> Difference:
    """Wilcoxon's signed-rank test of paired values; p is 1 where all pairs are equal."""
    gaps = np.asarray(first, float) - np.asarray(second, float)
    if not gaps.any():
        return Difference(0.0, 1.0)
    result: Any = stats.wilcoxon(gaps, zero_method=zeros)
    return Difference(float(result.statistic), float(result.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values of several tests made to hold together (Holm 1979), in their order."""
    values = np.asarray(p_values, float)
    order = values.argsort()
    factors = len(values) - np.arange(len(values))
    adjusted = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    result = np.empty(len(values))
    result[order] = adjusted
    return [float(value) for value in result]

"""Interval of a proportion: Wilson's score interval.

Wilson (1927), Probable inference, the law of succession, and statistical inference, Journal of
the American Statistical Association 22, 209-212. It stays inside [0, 1], and 0 of n or n of n get
an interval of positive width.
"""

from __future__ import annotations

from math import nan, sqrt

from clearwood.errors import ParameterError
from clearwood.metrics.estimate import Estimate, normal_quantile


def wilson(count: float, total: float, confidence: float = 0.95) -> Estimate:
    """A proportion with Wilson's score interval.

    Parameters
    ----------
    count, total : float
        `count` of `total` rows have the property; fractions where rows have weights.
    confidence : float, default=0.95
        Between 0 and 1.

    Returns
    -------
    Estimate
        All NaN where `total` is 0.

    Raises
    ------
    ParameterError
        `count` is not between 0 and `total`.

    Examples
    --------
    >>> print(wilson(0, 10))
    0.000 (0.000 to 0.278)
    """
    if not 0 <= count <= total:
        raise ParameterError(f"count must be from 0 to total={total!r}, got {count!r}")
    z = normal_quantile(confidence)
    if total == 0:
        return Estimate(nan)
    share = count / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + (z / (2 * total)) ** 2) / (1 + z * z / total)
    lower = 0.0 if count == 0 else centre - half  # exact ends, whatever the rounding
    upper = 1.0 if count == total else centre + half
    return Estimate(share, lower, upper)

"""Any distribution as a table: its quantiles at probabilities that are equally spaced in logit.

Equal steps in logit(p) follow heavy tails and steep centres alike; 4,097 points from 1e-9 to
1 − 1e-9 with linear interpolation keep the error in probability below 1e-5. The core holds the
same probabilities, so that only the quantiles cross to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clearwood._typing import AnyArray, FloatArray

N_POINTS = 4097
SMALLEST = 1e-9
_HALF = N_POINTS // 2
_EDGE = np.log1p(-SMALLEST) - np.log(SMALLEST)

LOGITS: FloatArray = np.linspace(-_EDGE, _EDGE, N_POINTS)
PROBABILITIES: FloatArray = 1.0 / (1.0 + np.exp(-LOGITS))
"""Ascending, symmetric about 1/2: entry i is 1 minus entry ``N_POINTS − 1 − i``."""
for _shared in (LOGITS, PROBABILITIES):
    _shared.flags.writeable = False

MOST_POINTS = 4096
"""Observed errors, or sums of them, up to which they are added exactly."""

CHUNK = 256
"""Points of a convolved table that are computed at a time, to bound the memory."""


def tabulated(
    quantile: Callable[[FloatArray], AnyArray], upper_quantile: Callable[[FloatArray], AnyArray]
) -> FloatArray:
    """Quantiles at `PROBABILITIES`, read-only.

    Parameters
    ----------
    quantile : callable
        Inverse of the distribution function.
    upper_quantile : callable
        Inverse of 1 minus the distribution function, which keeps the upper tail exact.
    """
    lower = quantile(PROBABILITIES[: _HALF + 1])
    upper = upper_quantile(PROBABILITIES[:_HALF])[::-1]
    return frozen(np.concatenate([lower, upper]))


def frozen(values: AnyArray) -> FloatArray:
    """The values as a read-only float64 array."""
    array = np.asarray(values, dtype=np.float64)
    array.flags.writeable = False
    return array


def turned(quantiles: FloatArray) -> FloatArray:
    """The table of −E from that of E."""
    return frozen(-quantiles[::-1])


def cdf_of(quantiles: FloatArray, z: FloatArray) -> FloatArray:
    """P(E <= z) by linear interpolation; 0 below the table, 1 from its last entry on.

    Where quantiles repeat, the distribution has a step, and its upper end counts.
    """
    cell = np.clip(np.searchsorted(quantiles, z, side="right") - 1, 0, N_POINTS - 2)
    low, high = quantiles[cell], quantiles[cell + 1]
    inside = (z >= low) & (z < high)
    share = np.divide(z - low, high - low, out=np.zeros_like(z), where=inside)
    p = PROBABILITIES[cell] + share * (PROBABILITIES[cell + 1] - PROBABILITIES[cell])
    result: FloatArray = np.where(inside, p, np.where(z >= quantiles[-1], 1.0, 0.0))
    return result


def _quick_cdf_of(quantiles: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """`cdf_of` for many sorted points, where the table has no step."""
    if (np.diff(quantiles) == 0.0).any():
        return lambda z: cdf_of(quantiles, z)
    return lambda z: np.interp(z, quantiles, PROBABILITIES, left=0.0, right=1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Addend:
    """A distribution as convolution needs it.

    Parameters
    ----------
    quantiles : ndarray of shape (4097,)
        Its table.
    cdf : callable
        Its distribution function.
    points, weights : ndarray of shape (n_points,)
        A discrete stand-in: exact for observed errors, the cells of the table otherwise.
    is_discrete : bool
        Whether the stand-in is exact.
    """

    quantiles: FloatArray
    cdf: Callable[[FloatArray], FloatArray]
    points: FloatArray
    weights: FloatArray
    is_discrete: bool = False

    @classmethod
    def of_table(
        cls, quantiles: FloatArray, cdf: Callable[[FloatArray], FloatArray] | None = None
    ) -> Addend:
        """From a table, and the exact distribution function where there is one."""
        weights = np.diff(PROBABILITIES) / (1.0 - 2.0 * SMALLEST)
        middles = (quantiles[1:] + quantiles[:-1]) / 2.0
        return cls(quantiles, cdf or _quick_cdf_of(quantiles), middles, weights)

    @classmethod
    def of_points(cls, points: FloatArray, weights: FloatArray) -> Addend:
        """From values and their probabilities; equal values are put together."""
        values, place = np.unique(points, return_inverse=True)
        share: FloatArray = np.bincount(place, weights=weights).astype(np.float64)
        below = np.concatenate([[0.0], np.cumsum(share)])
        last = len(values) - 1
        # The tolerance keeps a probability such as 1/2 on its own side of rounding.
        position = np.searchsorted(below[1:], PROBABILITIES - 1e-12)
        return cls(
            frozen(values[np.minimum(position, last)]),
            lambda z: below[np.searchsorted(values, z, side="right")],
            values,
            share,
            is_discrete=True,
        )

    @property
    def width(self) -> float:
        """Distance between the quartiles."""
        lower, upper = np.searchsorted(PROBABILITIES, (0.25, 0.75))
        return float(self.quantiles[upper] - self.quantiles[lower])


def convolved(a: Addend, b: Addend) -> Addend:
    """The sum of two independent variables.

    P(A + B <= t) is the mean of P(A <= t − b) over B, where B is the one whose stand-in is finer
    than A's distribution function bends. A first pass finds where the quantiles lie, a second
    one is exact there.
    """
    if a.is_discrete and b.is_discrete and len(a.points) * len(b.points) <= MOST_POINTS:
        return Addend.of_points(
            np.add.outer(a.points, b.points).ravel(), np.outer(a.weights, b.weights).ravel()
        )
    if (a.is_discrete, -a.width) > (b.is_discrete, -b.width):
        a, b = b, a
    spread = a.quantiles + b.quantiles
    coarse = np.unique(np.r_[spread[::8], spread[-1]])
    near = _inverted(coarse, _cdf_of_sum(a, b, coarse))
    near[[0, -1]] = spread[[0, -1]]
    return Addend.of_table(frozen(_inverted(near, _cdf_of_sum(a, b, near))))


def _cdf_of_sum(a: Addend, b: Addend, at: FloatArray) -> FloatArray:
    chunks = [at[i : i + CHUNK] for i in range(0, len(at), CHUNK)]
    return np.concatenate([a.cdf(t[:, None] - b.points) @ b.weights for t in chunks])


def _inverted(at: FloatArray, p: FloatArray) -> FloatArray:
    """Quantiles at `PROBABILITIES` from values of a distribution function."""
    p = np.clip(np.maximum.accumulate(p), SMALLEST / 10.0, 1.0 - SMALLEST / 10.0)
    result: FloatArray = np.interp(LOGITS, np.log(p) - np.log1p(-p), at)
    return result

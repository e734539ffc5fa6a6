"""Sample points that stand for the distribution of a measured value (UDT).

Tsang, Kao, Yip, Ho and Lee, Decision trees for uncertain data, IEEE TKDE 23 (2011).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from clearwood._typing import FloatArray
from clearwood.noise.standard_form import StandardForm
from clearwood.table.table import Table

Shape: TypeAlias = Literal["gaussian", "uniform"]

SDS_TO_THE_EDGE = 2.0
"""A Gaussian of standard deviation width / 4 is cut off at half its width."""


def standard_points(count: int, shape: Shape) -> FloatArray:
    """`count` rising points of equal mass on −1 to 1, each the middle of its part.

    "uniform"; or "gaussian" with standard deviation 1/2, cut off at the ends.
    """
    p = (np.arange(count) + 0.5) / count
    if shape == "uniform":
        return 2.0 * p - 1.0
    from scipy.special import ndtr, ndtri

    tail = ndtr(-SDS_TO_THE_EDGE)
    points: FloatArray = ndtri(tail + p * (1.0 - 2.0 * tail)) / SDS_TO_THE_EDGE
    return points


def sampled_forms(
    table: Table, width: float, count: int = 100, shape: Shape = "gaussian"
) -> tuple[StandardForm | None, ...]:
    """The noise that UDT takes for every numeric column of a training table.

    Parameters
    ----------
    table : Table
        Training values.
    width : float
        Width of each value's distribution, as part of the range of the column. 0 is exact.
    count : int, default=100
        Sample points for each value.
    shape : {"gaussian", "uniform"}, default="gaussian"
        Of the distribution.
    """
    points = standard_points(count, shape)
    return tuple(
        _form(values, width, points) if feature.kind == "numeric" else None
        for feature, values in zip(table.features, table.columns, strict=True)
    )


def _form(values: FloatArray, width: float, points: FloatArray) -> StandardForm | None:
    known = values[~np.isnan(values)]
    half = width * float(np.ptp(known)) / 2.0 if len(known) else 0.0
    return StandardForm("identity", 0.0, half, "points", points) if half > 0.0 else None

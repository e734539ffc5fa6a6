"""Sample points that stand for the distribution of a measured value (UDT).

Tsang, Kao, Yip, Ho and Lee, Decision trees for uncertain data, IEEE TKDE 23 (2011).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.noise.contract import (
    NOT_NEGATIVE,
    POSITIVE,
    Domain,
    NoiseModel,
    as_floats,
    require_count,
)
from clearwood.noise.models import Exact
from clearwood.noise.standard_form import ErrorLaw

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


@dataclass(frozen=True, slots=True, repr=False)
class SamplePoints(NoiseModel):
    """Errors at `count` points of equal mass, within `half_width` of none.

    Parameters
    ----------
    half_width : float
        Largest error, in the unit of the column.
    count : int, default=100
        Number of points.
    shape : {"gaussian", "uniform"}, default="gaussian"
        What the points stand for; "gaussian" has a standard deviation of half of `half_width`
        and is cut off at both ends.
    """

    half_width: float
    count: int = 100
    shape: Shape = "gaussian"

    kind: ClassVar[str] = "sample_points"
    domains: ClassVar[Mapping[str, Domain]] = {"half_width": POSITIVE}

    def __post_init__(self) -> None:
        NoiseModel.__post_init__(self)
        _require_points(self.count, self.shape)

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        """The distribution at each measured value; NaN is missing."""
        points = standard_points(self.count, self.shape)
        return ErrorLaw("points", self.half_width, quantiles=points)

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        """One drawn error for each measured value."""
        drawn: FloatArray = self.half_width * rng.choice(
            standard_points(self.count, self.shape), np.shape(measured)
        )
        return drawn

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        """Standard deviation of the error, the same at each measured value."""
        sd = self.half_width * standard_points(self.count, self.shape).std()
        return np.where(np.isnan(as_floats(measured)), np.nan, sd)

    def averaged(self, m: int) -> NoiseModel:
        """Not offered: the mean of sample points is no set of as many points."""
        require_count(m)
        raise ParameterError(f"{self!r} stands for one reading; average the readings themselves")


@dataclass(frozen=True, slots=True, repr=False)
class RangeFraction(NoiseModel):
    """Sample points over a part of the range that a column's training values have.

    Parameters
    ----------
    width : float
        Width of each value's distribution, as part of the range. 0 is exact.
    count, shape
        As in `SamplePoints`.
    """

    width: float
    count: int = 100
    shape: Shape = "gaussian"

    kind: ClassVar[str] = "range_fraction"
    domains: ClassVar[Mapping[str, Domain]] = {"width": NOT_NEGATIVE}

    def __post_init__(self) -> None:
        NoiseModel.__post_init__(self)
        _require_points(self.count, self.shape)

    def fitted(
        self, values: ArrayLike, name: str = "values", weights: FloatArray | None = None
    ) -> SamplePoints | Exact:
        """The model with its half width, from the known training values."""
        known = as_floats(values)
        known = known[~np.isnan(known)]
        half_width = self.width * float(np.ptp(known)) / 2.0 if known.size else 0.0
        return SamplePoints(half_width, self.count, self.shape) if half_width > 0 else Exact()

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        """Refused before training values are known."""
        raise self._unfitted()

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Refused before training values are known."""
        raise self._unfitted()

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        """Refused before training values are known."""
        raise self._unfitted()

    def averaged(self, m: int) -> NoiseModel:
        """Refused before training values are known."""
        raise self._unfitted()

    def _unfitted(self) -> ParameterError:
        return ParameterError(
            f"{self!r} has no size before it has seen training values: call fitted(values) first"
        )


def _require_points(count: int, shape: str) -> None:
    require_count(count)
    if shape not in get_args(Shape):
        raise ParameterError(f"shape must be one of {', '.join(get_args(Shape))}, got {shape!r}")

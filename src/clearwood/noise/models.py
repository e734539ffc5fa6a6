"""Noise models with a formula: distributions of ``measured − true``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, log1p, sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.noise.contract import (
    FINITE,
    FRACTION,
    FRACTION_OR_NONE,
    NOT_NEGATIVE,
    POSITIVE,
    Domain,
    NoiseModel,
    NormalNoise,
    as_floats,
    require_count,
)
from clearwood.noise.quantile_table import tabulated
from clearwood.noise.standard_form import ErrorLaw


def _everywhere(value: float, measured: ArrayLike) -> FloatArray:
    return np.full(np.shape(measured), value)


@dataclass(frozen=True, slots=True, repr=False)
class Exact(NormalNoise):
    """No measurement error: the measured value is the true one."""

    kind: ClassVar[str] = "exact"

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("step")

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return _everywhere(0.0, measured)

    def averaged(self, m: int) -> Exact:
        require_count(m)
        return self


@dataclass(frozen=True, slots=True, repr=False)
class Normal(NormalNoise):
    """Normal noise with one standard deviation for all values.

    Parameters
    ----------
    sd : float
        Standard deviation, in the unit of the values. 0 is no noise.
    bias : float, default=0
        Mean of measured − true.

    Examples
    --------
    >>> Normal(sd=6.3, unit="mmHg").averaged(2)
    Normal(sd=4.454772721475249, unit='mmHg')
    """

    sd: float
    bias: float = 0.0

    kind: ClassVar[str] = "normal"
    domains: ClassVar[Mapping[str, Domain]] = {"sd": NOT_NEGATIVE, "bias": FINITE}

    @property
    def mean_error(self) -> float:
        return self.bias

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("normal" if self.sd > 0 else "step", self.sd, self.bias)

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return _everywhere(self.sd, measured)

    def averaged(self, m: int) -> Normal:
        return replace(self, sd=self.sd / sqrt(require_count(m)))


@dataclass(frozen=True, slots=True, repr=False)
class Relative(NormalNoise):
    """Normal noise whose standard deviation grows with the measured value.

    Parameters
    ----------
    cv : float
        Coefficient of variation: standard deviation divided by the absolute measured value.
        0.05 means 5 %. Above 0 and below 1.

    Notes
    -----
    The standard deviation is taken at the measured value, since the true value is unknown. A
    measured value of exactly 0 therefore carries no noise.
    """

    cv: float

    kind: ClassVar[str] = "relative"
    domains: ClassVar[Mapping[str, Domain]] = {"cv": FRACTION}
    has_constant_scale: ClassVar[bool] = False

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return self.cv * np.abs(as_floats(measured))

    def averaged(self, m: int) -> Relative:
        return replace(self, cv=self.cv / sqrt(require_count(m)))


@dataclass(frozen=True, slots=True, repr=False)
class TwoComponent(NormalNoise):
    """Normal noise with a constant and a proportional part, whose variances add.

    The standard deviation at x is √(sd0² + (cv·x)²).

    Parameters
    ----------
    sd0 : float
        Standard deviation at 0, in the unit of the values. At least 0.
    cv : float
        Coefficient of variation at large values. At least 0 and below 1.
    """

    sd0: float
    cv: float

    kind: ClassVar[str] = "two_component"
    domains: ClassVar[Mapping[str, Domain]] = {"sd0": NOT_NEGATIVE, "cv": FRACTION_OR_NONE}
    has_constant_scale: ClassVar[bool] = False

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return np.hypot(self.sd0, self.cv * as_floats(measured))

    def averaged(self, m: int) -> TwoComponent:
        root = sqrt(require_count(m))
        return replace(self, sd0=self.sd0 / root, cv=self.cv / root)


@dataclass(frozen=True, slots=True, repr=False)
class GreaterOf(NormalNoise):
    """Normal noise with the greater of a constant and a proportional standard deviation.

    The standard deviation at x is max(sd0, cv·abs(x)): the form of "± 6 mg/dL or ± 10 %, whichever
    is greater".

    Parameters
    ----------
    sd0 : float
        Standard deviation at small values, in the unit of the values. At least 0.
    cv : float
        Coefficient of variation at large values. At least 0 and below 1.
    """

    sd0: float
    cv: float

    kind: ClassVar[str] = "greater_of"
    domains: ClassVar[Mapping[str, Domain]] = {"sd0": NOT_NEGATIVE, "cv": FRACTION_OR_NONE}
    has_constant_scale: ClassVar[bool] = False

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return np.maximum(self.sd0, self.cv * np.abs(as_floats(measured)))

    def averaged(self, m: int) -> GreaterOf:
        root = sqrt(require_count(m))
        return replace(self, sd0=self.sd0 / root, cv=self.cv / root)


@dataclass(frozen=True, slots=True, repr=False)
class LogNormal(NoiseModel):
    """Noise that multiplies: log(measured) − log(true) is normal with mean 0.

    Values must be positive. The error is as likely to multiply by a factor as to divide by it.

    Parameters
    ----------
    cv : float
        Coefficient of variation; the standard deviation of the log is √ln(1 + cv²). Above 0
        and below 1.
    """

    cv: float

    kind: ClassVar[str] = "log_normal"
    domains: ClassVar[Mapping[str, Domain]] = {"cv": FRACTION}
    has_constant_scale: ClassVar[bool] = False

    @property
    def sigma(self) -> float:
        """Standard deviation of the logarithm."""
        return sqrt(log1p(self.cv**2))

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("normal", self.sigma, axis="log")

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        return measured * np.expm1(self.sigma * rng.standard_normal(measured.shape))

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return self.cv * sqrt(1.0 + self.cv**2) * np.abs(as_floats(measured))

    def averaged(self, m: int) -> LogNormal:
        """Noise of the mean of `m` readings: their cv exactly, their shape nearly."""
        return replace(self, cv=self.cv / sqrt(require_count(m)))


@dataclass(frozen=True, slots=True, repr=False)
class Uniform(NoiseModel):
    """Errors within a half-width, each as likely as any other.

    Parameters
    ----------
    half_width : float
        Largest error, in the unit of the values. Positive.
    """

    half_width: float

    kind: ClassVar[str] = "uniform"
    domains: ClassVar[Mapping[str, Domain]] = {"half_width": POSITIVE}

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("uniform", self.half_width)

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        return rng.uniform(-self.half_width, self.half_width, measured.shape)

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return _everywhere(self.half_width / sqrt(3.0), measured)

    def averaged(self, m: int) -> NoiseModel:
        return _mean_of(self, m)


@dataclass(frozen=True, slots=True, repr=False)
class Rounding(NoiseModel):
    """Values are written to a step: the true value lies anywhere around or above the one written.

    Parameters
    ----------
    step : float
        Distance between values that can be written. Positive.
    truncated : bool, default=False
        Whether the device cuts digits off, so that the true value lies from the measured one to
        a step above it; otherwise it rounds to the nearest.
    """

    step: float
    truncated: bool = False

    kind: ClassVar[str] = "rounding"
    domains: ClassVar[Mapping[str, Domain]] = {"step": POSITIVE}

    def __post_init__(self) -> None:
        NoiseModel.__post_init__(self)
        if not isinstance(self.truncated, bool):
            raise ParameterError(f"truncated must be True or False, got {self.truncated!r}")

    @property
    def bias(self) -> float:
        """Mean of measured − true."""
        return -self.step / 2.0 if self.truncated else 0.0

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("uniform", self.step / 2.0, self.bias)

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        return self.bias + self.step * (rng.random(measured.shape) - 0.5)

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return _everywhere(self.step / sqrt(12.0), measured)

    def averaged(self, m: int) -> NoiseModel:
        return _mean_of(self, m)


@dataclass(frozen=True, slots=True, repr=False)
class StudentT(NoiseModel):
    """Student's t: normal in the middle, with tails that expect gross errors.

    Parameters
    ----------
    df : float
        Degrees of freedom; fewer are heavier tails, 1 is Cauchy. Positive.
    scale : float
        Stretches the standard distribution, whose standard deviation is √(df / (df − 2)) for
        df above 2 and infinite below. Positive.
    """

    df: float
    scale: float

    kind: ClassVar[str] = "student_t"
    domains: ClassVar[Mapping[str, Domain]] = {"df": POSITIVE, "scale": POSITIVE}

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("table", self.scale, quantiles=_student_t_table(self.df))

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        return self.scale * rng.standard_t(self.df, measured.shape)

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        df = self.df
        return _everywhere(self.scale * sqrt(df / (df - 2.0)) if df > 2 else inf, measured)

    def averaged(self, m: int) -> NoiseModel:
        return _mean_of(self, m)


@lru_cache(maxsize=64)
def _student_t_table(df: float) -> FloatArray:
    from scipy.special import stdtrit

    return tabulated(lambda p: stdtrit(df, p), lambda p: -stdtrit(df, p))


def _mean_of(model: NoiseModel, m: int) -> NoiseModel:
    from clearwood.noise.sums import mean_of

    return mean_of(model, m)

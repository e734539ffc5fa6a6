"""The first paper's noise: one standard deviation, a fraction of a column's training mean."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ClearwoodWarning, ParameterError
from clearwood.noise.contract import (
    NOT_NEGATIVE,
    Domain,
    NoiseModel,
    NormalNoise,
    as_floats,
    number_text,
    require_count,
)
from clearwood.noise.models import Exact, Normal

Reference: TypeAlias = Literal["mean", "mean_abs", "sd"]


@dataclass(frozen=True, slots=True, repr=False)
class MeanFraction(NormalNoise):
    """Normal noise whose one standard deviation is a fraction of what training values are like.

    It is no coefficient of variation: the standard deviation is the same for all values. It is
    known once `fitted` has seen the training values.

    Parameters
    ----------
    u : float
        The fraction. 0 is no noise.
    of : {"mean", "mean_abs", "sd"}, default="mean"
        Of what: the absolute value of the mean, the mean of the absolute values, or the standard
        deviation.
    """

    u: float
    of: Reference = "mean"

    kind: ClassVar[str] = "mean_fraction"
    domains: ClassVar[Mapping[str, Domain]] = {"u": NOT_NEGATIVE}

    def __post_init__(self) -> None:
        NoiseModel.__post_init__(self)
        if self.of not in get_args(Reference):
            raise ParameterError(
                f"of must be one of {', '.join(get_args(Reference))}, got {self.of!r}"
            )

    def fitted(
        self, values: ArrayLike, name: str = "values", weights: FloatArray | None = None
    ) -> Normal | Exact:
        """The model with its standard deviation, from the known training values.

        Parameters
        ----------
        values : array of shape (n_rows,)
            Training values; NaN is missing and left out.
        name : str
            Column name, for warnings.
        weights : ndarray of shape (n_rows,), float64, or None
            Row weights: a weight of 2 counts as two rows. None weighs every row 1.

        Warns
        -----
        ClearwoodWarning
            The mean is 0, so there is no noise; or it is below a tenth of the standard
            deviation, so that a fraction of it means little.
        """
        known, known_weights = _known(as_floats(values), weights)
        if self.u == 0 or known.size == 0:
            return Exact(unit=self.unit, source=self.source)
        size = {
            "mean": lambda: _mean_size(known, known_weights, name),
            "mean_abs": lambda: _mean(np.abs(known), known_weights),
            "sd": lambda: _sd(known, known_weights),
        }[self.of]()
        if size == 0:
            return Exact(unit=self.unit, source=self.source)
        source = self.source or f"{number_text(self.u)} × training {self.of}"
        return Normal(self.u * size, unit=self.unit, source=source)

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        raise ParameterError(
            f"{self!r} has no standard deviation before it has seen training values: call "
            "fitted(values) first"
        )

    def averaged(self, m: int) -> MeanFraction:
        return replace(self, u=self.u / sqrt(require_count(m)))


def _known(values: FloatArray, weights: FloatArray | None) -> tuple[FloatArray, FloatArray | None]:
    """Values that are there and count, with their weights."""
    is_known = ~np.isnan(values)
    if weights is None:
        return values[is_known], None
    is_known &= weights > 0
    return values[is_known], weights[is_known]


def _mean(values: FloatArray, weights: FloatArray | None) -> float:
    mean = values.mean() if weights is None else np.average(values, weights=weights)
    return float(mean)


def _sd(values: FloatArray, weights: FloatArray | None) -> float:
    return sqrt(_mean((values - _mean(values, weights)) ** 2, weights))


def _mean_size(known: FloatArray, weights: FloatArray | None, name: str) -> float:
    size = abs(_mean(known, weights))
    largest = float(np.abs(known).max())
    if size >= 0.1 * largest:  # no standard deviation is larger than the largest value
        return size
    is_constant = bool((known == known[0]).all())  # never cut: no warning is due
    if size <= 1e-12 * largest:
        if not is_constant:
            warnings.warn(
                f"column {name!r} has mean 0, so a fraction of it is no noise; use "
                "MeanFraction(u, of='sd') or Normal(sd=…)",
                ClearwoodWarning,
                stacklevel=4,
            )
        return 0.0
    sd = _sd(known, weights)
    if size < 0.1 * sd:
        warnings.warn(
            f"column {name!r} has mean {_mean(known, weights):.3g} and standard deviation "
            f"{sd:.3g}: a fraction of the mean means little where 0 is an arbitrary or "
            "central value; use MeanFraction(u, of='sd') or Normal(sd=…)",
            ClearwoodWarning,
            stacklevel=4,
        )
    return size

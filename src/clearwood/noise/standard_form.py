"""The one form in which noise reaches the core, and the one place where its sign is turned.

A model speaks of measured − true (`ErrorLaw`); a gate asks about true − measured
(`StandardForm`)::

    P(true <= t | measured x) = F((axis(t) − axis(x) − shift) / scale)

Every true value counts as equally likely beforehand (a flat prior on the axis).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import AnyArray, FloatArray
from clearwood.errors import TableError
from clearwood.noise.quantile_table import PROBABILITIES, cdf_of, turned

if TYPE_CHECKING:
    from clearwood.noise.contract import NoiseModel

Axis: TypeAlias = Literal["identity", "log"]
Cdf: TypeAlias = Literal["step", "normal", "uniform", "table", "points"]


@dataclass(frozen=True, slots=True, eq=False)
class ErrorLaw:
    """Distribution of the measurement error: axis(measured) − axis(true) = bias + scale · E.

    Parameters
    ----------
    cdf : {"step", "normal", "uniform", "table"}
        Distribution of E: 0; standard normal; uniform on −1 to 1; given by `quantiles`.
    scale : float or ndarray of shape (n_rows,)
        One for all rows, or one a row. 0 is exact; NaN where the value is missing.
    bias : float
        Shift of the error.
    axis : {"identity", "log"}
        What the error is added on.
    quantiles : ndarray of shape (4097,) or None
        Of E, at `quantile_table.PROBABILITIES`.
    """

    cdf: Cdf
    scale: float | FloatArray = 0.0
    bias: float = 0.0
    axis: Axis = "identity"
    quantiles: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StandardForm:
    """Where the true value may lie, given measured values; what the core reads.

    Parameters
    ----------
    axis : {"identity", "log"}
        On what values are compared.
    shift : float
        Added to the measured value.
    scale : float or ndarray of shape (n_rows,)
        One for all rows, or one a row. 0 is the exact, hard branch. NaN where the value is
        missing.
    cdf : {"step", "normal", "uniform", "table", "points"}
        F: step at 0; standard normal; uniform on −1 to 1; given by `table`.
    table : ndarray or None
        "table": quantiles of F at `quantile_table.PROBABILITIES`; "points": rising sample points
        of equal mass; None otherwise.
    """

    axis: Axis
    shift: float
    scale: float | FloatArray
    cdf: Cdf
    table: FloatArray | None = None

    @property
    def is_hard(self) -> bool:
        """Whether every row goes to one branch, by its measured value as it is."""
        return self.cdf == "step" and self.shift == 0.0

    def probability_at_most(self, threshold: ArrayLike, values: ArrayLike) -> FloatArray:
        """Probability that the true value is at most a threshold.

        Parameters
        ----------
        threshold : float or array
            Must broadcast against `values`.
        values : array of shape (n_rows,)
            Measured values.

        Returns
        -------
        ndarray
            From 0 to 1; NaN where the measured value is missing.
        """
        measured = np.asarray(values, dtype=np.float64)
        limit = np.asarray(threshold, dtype=np.float64)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            distance = np.asarray(self._on_axis(limit) - self._on_axis(measured) - self.shift)
            soft = self._standard_cdf(distance / np.where(self.scale == 0.0, 1.0, self.scale))
        hard = np.asarray(self.scale == 0.0) | (self.cdf == "step")
        p = np.where(hard, distance >= 0.0, soft)
        result: FloatArray = np.where(np.isnan(distance), np.nan, p)
        return result

    def quantile(self, p: ArrayLike, values: ArrayLike) -> FloatArray:
        """The true value below which it lies with probability `p` (1e-9 to 1 − 1e-9)."""
        on_axis = self._on_axis(np.asarray(values, dtype=np.float64))
        place = on_axis + self.shift + self.scale * self._standard_quantile(np.asarray(p))
        result: FloatArray = np.exp(place) if self.axis == "log" else np.asarray(place)
        return result

    def _on_axis(self, values: FloatArray) -> FloatArray:
        if self.axis == "identity":
            return values
        result: FloatArray = np.log(np.maximum(values, 0.0))  # nothing true lies at 0 or below
        return result

    def _standard_cdf(self, z: FloatArray) -> FloatArray:
        if self.cdf == "normal":
            from scipy.special import ndtr

            p: FloatArray = ndtr(z)
            return p
        if self.cdf == "uniform":
            return np.clip((z + 1.0) / 2.0, 0.0, 1.0)
        if self.cdf == "points" and self.table is not None:
            below: FloatArray = np.searchsorted(self.table, z, side="right") / len(self.table)
            return below
        return z if self.table is None else cdf_of(self.table, z)

    def _standard_quantile(self, p: AnyArray) -> Any:
        if self.cdf == "normal":
            from scipy.special import ndtri

            return ndtri(p)
        if self.cdf == "uniform":
            return 2.0 * p - 1.0
        if self.cdf == "points" and self.table is not None:
            place = np.ceil(p * len(self.table)).astype(int) - 1
            return self.table[np.clip(place, 0, len(self.table) - 1)]
        return 0.0 if self.table is None else np.interp(p, PROBABILITIES, self.table)


def standard_form(model: NoiseModel, values: ArrayLike, name: str) -> StandardForm:
    """A noise model as the core reads it, for the measured values of one column.

    Parameters
    ----------
    model : NoiseModel
        Of the column; `MeanFraction` must be fitted.
    values : ndarray of shape (n_rows,)
        Measured values, NaN where missing.
    name : str
        Column name, for messages.

    Raises
    ------
    TableError
        A value is 0 or negative, but the model lives on the log axis.
    ParameterError
        The model is not fitted.
    """
    measured = np.asarray(values, dtype=np.float64)
    law = model.error_law(measured)
    if law.axis == "log":
        _require_positive(measured, name, model)
    table = None if law.quantiles is None else turned(law.quantiles)
    return StandardForm(law.axis, 0.0 - law.bias, law.scale, law.cdf, table)


def _require_positive(values: FloatArray, name: str, model: NoiseModel) -> None:
    bad = values <= 0.0
    if bad.any():
        raise TableError(
            f"column {name!r} holds {values[bad][0]:g} and {bad.sum()} value(s) at or below 0 in "
            f"all, but {model!r} needs positive values; use Relative or TwoComponent, or leave "
            "such cells missing"
        )

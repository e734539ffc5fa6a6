"""Noise whose size stands in a column of its own: one number a row, beside the measured values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError, TableError
from clearwood.noise.contract import NoiseModel, as_floats
from clearwood.noise.models import LogNormal
from clearwood.noise.standard_form import StandardForm, standard_form


class RowNoise(ABC):
    """Noise that needs, besides the measured values, a column that says how large it is."""

    __slots__ = ()

    kind: ClassVar[str]
    column: str
    unit: str | None

    @abstractmethod
    def form(self, values: ArrayLike, sizes: ArrayLike, name: str) -> StandardForm:
        """What the core reads, from the measured values and the sizes in `column`."""

    @abstractmethod
    def fitted(self, values: ArrayLike, name: str, weights: FloatArray | None = None) -> RowNoise:
        """The noise with everything known that training values decide."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON or TOML; `from_dict` gives the noise back."""

    @classmethod
    @abstractmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The noise from the entries of `to_dict` other than "kind"."""

    def probability_at_most(
        self, threshold: ArrayLike, measured: ArrayLike, sizes: ArrayLike
    ) -> FloatArray:
        """Probability that the true value is at most a threshold; NaN where it is missing."""
        return self.form(measured, sizes, "measured").probability_at_most(threshold, measured)

    def sample(self, measured: ArrayLike, sizes: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """Another reading: each value with a fresh error added; NaN stays NaN."""
        values = as_floats(measured)
        centre = np.zeros_like(values)
        form = self.form(values, sizes, "measured")
        true_minus_measured = form.quantile(rng.random(values.shape), centre)
        return values - true_minus_measured


@dataclass(frozen=True, slots=True)
class PerRow(RowNoise):
    """Noise whose standard deviation is known for each row, as where devices differ.

    Parameters
    ----------
    base : NoiseModel
        The shape of the noise, its bias, and its size where the column says nothing. An exact
        base has a normal shape.
    column : str
        Column of standard deviations, in the unit of the values: 0 is exact, missing is `base`.

    Raises
    ------
    ParameterError
        The base multiplies the value, so that no standard deviation could scale it.

    Examples
    --------
    >>> from clearwood.noise import Normal
    >>> PerRow(Normal(sd=6.3), "cuff_sd")
    PerRow(base=Normal(sd=6.3), column='cuff_sd')
    """

    base: NoiseModel
    column: str

    kind: ClassVar[str] = "per_row"

    def __post_init__(self) -> None:
        if not isinstance(self.base, NoiseModel):
            raise ParameterError(f"base must be a noise model, got {self.base!r}")
        _require_column(self.column)
        if isinstance(self.base, LogNormal):
            raise ParameterError(
                f"base must be noise that adds to the value, got {self.base!r}; use Relative(cv)"
            )

    @property
    def unit(self) -> str | None:  # type: ignore[override]
        """Unit of the values."""
        return self.base.unit

    def fitted(self, values: ArrayLike, name: str, weights: FloatArray | None = None) -> PerRow:
        return replace(self, base=self.base.fitted(values, name, weights))

    def form(self, values: ArrayLike, sizes: ArrayLike, name: str) -> StandardForm:
        form = standard_form(self.base, values, name)
        sd = _sizes(sizes, self.column)
        scale = np.where(np.isnan(sd), form.scale, sd / self._sd_of_standard(form))
        return replace(form, scale=scale, cdf="normal" if form.cdf == "step" else form.cdf)

    def _sd_of_standard(self, form: StandardForm) -> float:
        if form.cdf == "uniform":
            return 1.0 / sqrt(3.0)
        if form.cdf != "table":
            return 1.0
        sd = float(self.base.sd_at(0.0) / form.scale)
        if not np.isfinite(sd):
            raise ParameterError(
                f"base must have a standard deviation, got {self.base!r}, whose tails are too heavy"
            )
        return sd

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "base": self.base.to_dict(), "column": self.column}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        from clearwood.noise.menu import from_dict

        return cls(**{**data, "base": from_dict(data["base"])})


@dataclass(frozen=True, slots=True)
class Interval(RowNoise):
    """Readings that are intervals: the true value lies anywhere within.

    The measured value is the centre; `readings.read_intervals` finds it, and the half-width,
    from cells such as ``<5`` and ``16-20``.

    Parameters
    ----------
    column : str
        Column of half-widths, in the unit of the values; 0 or missing is exact.
    unit : str or None
        Unit of the values.
    """

    column: str
    unit: str | None = None

    kind: ClassVar[str] = "interval"

    def __post_init__(self) -> None:
        _require_column(self.column)

    def fitted(self, values: ArrayLike, name: str, weights: FloatArray | None = None) -> Interval:
        return self

    def form(self, values: ArrayLike, sizes: ArrayLike, name: str) -> StandardForm:
        half_width = np.nan_to_num(_sizes(sizes, self.column), nan=0.0)
        return StandardForm("identity", 0.0, half_width, "uniform")

    def to_dict(self) -> dict[str, Any]:
        unit = {} if self.unit is None else {"unit": self.unit}
        return {"kind": self.kind, "column": self.column, **unit}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)


def _require_column(column: Any) -> None:
    if not isinstance(column, str) or not column:
        raise ParameterError(f"column must be the name of a column, got {column!r}")


def _sizes(sizes: ArrayLike, column: str) -> FloatArray:
    values = as_floats(sizes)
    if (values < 0).any():
        raise TableError(
            f"column {column!r} holds {values[values < 0][0]:g}, but it says how large the noise "
            "is: it must be 0 (exact), positive or missing"
        )
    return values

"""What every noise model is: a distribution of ``measured − true``, as a frozen value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.noise.standard_form import ErrorLaw, StandardForm, standard_form


@dataclass(frozen=True, slots=True)
class Domain:
    """Finite numbers that a parameter may take.

    Parameters
    ----------
    rule : str
        In words, to follow "must be".
    lowest : float
        Lower end.
    includes_lowest : bool
        Whether the lower end is allowed.
    below : float
        Upper end, which is not allowed.
    """

    rule: str
    lowest: float
    includes_lowest: bool = False
    below: float = inf

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
            return False
        number = float(value)
        above = number > self.lowest or (self.includes_lowest and number == self.lowest)
        return above and number < self.below

    def require(self, name: str, value: object) -> float:
        """The value as a float.

        Raises
        ------
        ParameterError
            It is outside.
        """
        if value not in self:
            raise ParameterError(f"{name} must be {self.rule}, got {value!r}")
        return float(value)  # type: ignore[arg-type]


POSITIVE = Domain("positive and finite", 0.0)
FRACTION = Domain("a fraction above 0 and below 1 (5 % is 0.05)", 0.0, below=1.0)
FRACTION_OR_NONE = Domain(
    "a fraction of at least 0 and below 1 (5 % is 0.05)", 0.0, includes_lowest=True, below=1.0
)
NOT_NEGATIVE = Domain("0 or positive, and finite", 0.0, includes_lowest=True)
FINITE = Domain("a finite number", -inf)


def _numbers(name: str, values: ArrayLike) -> FloatArray:
    try:
        return as_floats(values)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be a number or numbers, got {values!r}") from None


def as_floats(values: ArrayLike) -> FloatArray:
    """The values as float64."""
    result: FloatArray = np.asarray(values, dtype=np.float64)
    return result


def number_text(value: float) -> str:
    """Shortest text that gives the number back; a whole one without decimals."""
    return repr(value).removesuffix(".0")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NoiseModel(ABC):
    """Distribution of the measurement error, measured − true.

    Parameters
    ----------
    unit : str or None
        Unit of the values, as in "mmHg".
    source : str or None
        Where the numbers come from.
    """

    unit: str | None = None
    source: str | None = None

    kind: ClassVar[str]
    """Name in `to_dict`."""
    domains: ClassVar[Mapping[str, Domain]] = {}
    """What each number may be."""
    is_normal: ClassVar[bool] = False
    """Whether the error is normal: then variances add."""
    has_constant_scale: ClassVar[bool] = True
    """Whether the error has one distribution, whatever the value."""

    def __post_init__(self) -> None:
        for name, domain in self.domains.items():
            object.__setattr__(self, name, domain.require(name, getattr(self, name)))
        for name in ("unit", "source"):
            text = getattr(self, name)
            if text is not None and not (isinstance(text, str) and text.strip()):
                raise ParameterError(f"{name} must be a text or None, got {text!r}")

    @abstractmethod
    def error_law(self, measured: FloatArray) -> ErrorLaw:
        """The distribution at each measured value; NaN is missing."""

    @abstractmethod
    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        """One drawn error for each measured value."""

    @abstractmethod
    def sd_at(self, measured: ArrayLike) -> FloatArray:
        """Standard deviation of the error at each measured value; inf where there is none."""

    @abstractmethod
    def averaged(self, m: int) -> NoiseModel:
        """Noise of the mean of `m` readings with independent errors. Bias does not shrink."""

    def fitted(self, values: ArrayLike, name: str, weights: FloatArray | None = None) -> NoiseModel:
        """The model with everything known that training values decide; itself for most."""
        return self

    def probability_at_most(self, threshold: ArrayLike, measured: ArrayLike) -> FloatArray:
        """Probability that the true value is at most a threshold, given measured values.

        Every true value counts as equally likely beforehand.

        Parameters
        ----------
        threshold : float or array
            Must broadcast against `measured`.
        measured : array of shape (n_rows,)
            NaN where missing; then the result is NaN.

        Returns
        -------
        ndarray
            From 0 to 1.

        Raises
        ------
        ParameterError
            The threshold or the measured values are no numbers.
        """
        values = _numbers("measured", measured)
        return self._form(values).probability_at_most(_numbers("threshold", threshold), values)

    def quantile(self, p: ArrayLike, measured: ArrayLike) -> FloatArray:
        """The true value below which it lies with probability `p`, given measured values."""
        return self._form(measured).quantile(p, measured)

    def sample(self, measured: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """Another reading: each value with a fresh error added; NaN stays NaN."""
        values = as_floats(measured)
        return values + self.draw_errors(values, rng)

    def _form(self, measured: ArrayLike) -> StandardForm:
        return standard_form(self, as_floats(measured), "measured")

    def __add__(self, other: object) -> NoiseModel:
        if not isinstance(other, NoiseModel):
            return NotImplemented
        from clearwood.noise.sums import added

        return added(self, other)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON or TOML; `from_dict` gives the model back."""
        return {"kind": self.kind, **_given_fields(self)}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The model from the entries of `to_dict` other than "kind"."""
        return cls(**data)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._arguments())})"

    def _arguments(self) -> list[str]:
        return [
            f"{name}={number_text(value) if isinstance(value, float) else repr(value)}"
            for name, value in _given_fields(self).items()
        ]


def _given_fields(model: NoiseModel) -> dict[str, Any]:
    """Fields that differ from their default; unit and source last."""
    ordered = sorted(fields(model), key=lambda field: bool(field.kw_only))
    values = {field.name: getattr(model, field.name) for field in ordered}
    defaults = {field.name: field.default for field in ordered}
    return {name: value for name, value in values.items() if value != defaults[name]}


class NormalNoise(NoiseModel, ABC):
    """A model whose error is normal at each value, with a mean that is the same for all."""

    __slots__ = ()
    is_normal: ClassVar[bool] = True

    @property
    def mean_error(self) -> float:
        """Mean of measured − true."""
        return 0.0

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        """The distribution at each measured value; NaN is missing."""
        return ErrorLaw("normal", self.sd_at(measured), self.mean_error)

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        """One drawn error for each measured value."""
        sd = self.sd_at(measured)
        return self.mean_error + sd * rng.standard_normal(sd.shape)


def require_count(m: Any) -> int:
    """The number of readings in a mean.

    Raises
    ------
    ParameterError
        It is not a whole number of at least 1.
    """
    if isinstance(m, bool) or not isinstance(m, Integral) or m < 1:
        raise ParameterError(f"m must be a whole number of readings, at least 1, got {m!r}")
    return int(m)

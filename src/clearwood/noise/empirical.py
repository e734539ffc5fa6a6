"""Noise as it was observed: the errors themselves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.noise.contract import NoiseModel, as_floats
from clearwood.noise.quantile_table import Addend
from clearwood.noise.standard_form import ErrorLaw


@dataclass(frozen=True, slots=True, repr=False)
class Empirical(NoiseModel):
    """Errors that were observed, each as likely as any other.

    Parameters
    ----------
    errors : sequence of float
        Measured − true. At least 2, all finite; kept sorted. Residuals about the means of r
        readings of one subject are too small by the factor √((r − 1) / r): divide by it first.

    Notes
    -----
    The core reads the steps of this distribution from a table; between two errors that follow
    each other a probability is right within 0.0026.

    Examples
    --------
    >>> Empirical([1.5, -0.5, 0.0])
    Empirical(3 errors from -0.5 to 1.5)
    """

    errors: tuple[float, ...]

    kind: ClassVar[str] = "empirical"

    def __post_init__(self) -> None:
        NoiseModel.__post_init__(self)
        object.__setattr__(self, "errors", _sorted_errors(self.errors))

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("table", 1.0, quantiles=_table(self.errors))

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        return rng.choice(np.asarray(self.errors), measured.shape)

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return np.full(np.shape(measured), np.std(self.errors))

    def averaged(self, m: int) -> NoiseModel:
        from clearwood.noise.sums import mean_of

        return mean_of(self, m)

    def to_dict(self) -> dict[str, Any]:
        return {**NoiseModel.to_dict(self), "errors": list(self.errors)}

    def _arguments(self) -> list[str]:
        errors = self.errors
        shown = f"{len(errors)} errors from {errors[0]:g} to {errors[-1]:g}"
        return [shown, *NoiseModel._arguments(self)[1:]]


def _sorted_errors(errors: Any) -> tuple[float, ...]:
    try:
        values = as_floats(errors)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"errors must be numbers, got {errors!r}") from error
    if values.ndim != 1 or values.size < 2 or not np.isfinite(values).all():
        raise ParameterError(
            f"errors must be at least 2 finite numbers, got {values.size} in an array of shape "
            f"{values.shape}, {int((~np.isfinite(values)).sum())} of them not finite"
        )
    return tuple(np.sort(values).tolist())


@lru_cache(maxsize=64)
def _table(errors: tuple[float, ...]) -> FloatArray:
    n = len(errors)
    return Addend.of_points(np.asarray(errors), np.full(n, 1.0 / n)).quantiles

"""A number with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from statistics import NormalDist

from clearwood.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with the interval that goes with it.

    Parameters
    ----------
    value : float
        The number; NaN where it is undefined.
    lower, upper : float, default=NaN
        Ends of the interval; NaN where there is none.

    Examples
    --------
    >>> print(Estimate(0.914, 0.881, 0.947))
    0.914 (0.881 to 0.947)
    >>> print(Estimate(1.0))
    1.000
    """

    value: float
    lower: float = nan
    upper: float = nan

    def __str__(self) -> str:
        if isnan(self.value):
            return "undefined"
        if isnan(self.lower) or isnan(self.upper):
            return f"{self.value:.3f}"
        return f"{self.value:.3f} ({self.lower:.3f} to {self.upper:.3f})"


def normal_quantile(confidence: float) -> float:
    """How many standard errors a two-sided normal interval reaches to each side.

    Raises
    ------
    ParameterError
        `confidence` is not between 0 and 1.
    """
    require_confidence(confidence)
    return NormalDist().inv_cdf((1 + confidence) / 2)


def require_confidence(confidence: float) -> None:
    """Refuses a confidence that is no share strictly between 0 and 1."""
    if not 0 < confidence < 1:
        raise ParameterError(f"confidence must be between 0 and 1, got {confidence!r}")

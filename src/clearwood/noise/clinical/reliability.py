"""Noise from what studies of reliability report: standard error of measurement, ICC, MDC, TEM."""

from __future__ import annotations

import warnings
from math import sqrt

from clearwood.errors import ClearwoodWarning, ParameterError
from clearwood.noise.clinical.checks import described, normal_quantile
from clearwood.noise.contract import POSITIVE
from clearwood.noise.models import Normal

LARGEST_DIFFERENCE = 0.25
"""By how much standard deviations of study and training may differ before a warning is due."""


def from_sem(sem: float, *, unit: str | None = None, source: str | None = None) -> Normal:
    """Normal noise from a standard error of measurement (not: of the mean).

    Parameters
    ----------
    sem : float
        In the unit of the values. Positive.
    unit, source : str or None
        Kept with the model.
    """
    return Normal(POSITIVE.require("sem", sem), unit=unit, source=source)


def from_mdc(
    mdc: float, *, level: float = 0.95, unit: str | None = None, source: str | None = None
) -> Normal:
    """Normal noise from a minimal detectable change, z √2 times the standard error of measurement.

    Parameters
    ----------
    mdc : float
        In the unit of the values. Positive.
    level : float, default=0.95
        Its confidence; MDC90 is also in use.
    unit, source : str or None
        Kept with the model.
    """
    if level not in POSITIVE or level >= 1:
        raise ParameterError(f"level must be between 0 and 1, got {level!r}")
    width = normal_quantile((1.0 + level) / 2.0) * sqrt(2.0)
    return Normal(POSITIVE.require("mdc", mdc) / width, unit=unit, source=source)


def from_reliability(
    icc: float,
    sd: float,
    *,
    training_sd: float | None = None,
    unit: str | None = None,
    source: str | None = None,
) -> Normal:
    """Normal noise from an intraclass correlation or another reliability ratio: sd √(1 − icc).

    Parameters
    ----------
    icc : float
        Share of the variance that is not error, above 0 and at most 1.
    sd : float
        Standard deviation of the values **in the study that found it**: the same noise gives
        another ratio in another population.
    training_sd : float or None
        Standard deviation in your data, to be compared.
    unit, source : str or None
        Kept with the model.

    Warns
    -----
    ClearwoodWarning
        The two standard deviations differ by more than a quarter.
    """
    if icc not in POSITIVE or icc > 1:
        raise ParameterError(f"icc must be above 0 and at most 1, got {icc!r}")
    POSITIVE.require("sd", sd)
    if training_sd is not None and abs(training_sd / sd - 1.0) > LARGEST_DIFFERENCE:
        warnings.warn(
            f"values vary with sd {training_sd:g} in your data and {sd:g} in the study of "
            "reliability: its population was another one; see that its noise is yours",
            ClearwoodWarning,
            stacklevel=2,
        )
    note = described(f"reliability {icc:g} where sd is {sd:g}", source)
    return Normal(sd * sqrt(1.0 - icc), unit=unit, source=note)


def from_tem(tem: float, *, unit: str | None = None, source: str | None = None) -> Normal:
    """Normal noise from a technical error of measurement: √(Σ d² / 2n) over pairs.

    Parameters
    ----------
    tem : float
        In the unit of the values. Positive.
    unit, source : str or None
        Kept with the model.
    """
    return Normal(POSITIVE.require("tem", tem), unit=unit, source=source)

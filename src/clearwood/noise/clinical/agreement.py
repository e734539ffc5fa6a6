"""Noise from studies of repeat readings, or of one method against another.

Such studies report a **difference of two** measurements. What one of them is worth follows only
once it is said what the other one was: `of="comparator"`, a reference whose own error is known
(`sd_reference`, 0 if it is taken for the truth), or `of="repeat"`, the same method again, whose
two errors are alike: sd = sd of differences / √2.

Bland and Altman, Statistical methods for assessing agreement between two methods of clinical
measurement (1986).
"""

from __future__ import annotations

import warnings
from math import sqrt
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ClearwoodWarning, ParameterError
from clearwood.noise.clinical.checks import described, normal_quantile, require_choice
from clearwood.noise.contract import FINITE, NOT_NEGATIVE, POSITIVE, as_floats
from clearwood.noise.models import LogNormal, Normal

Other: TypeAlias = Literal["comparator", "repeat"]
Repeatability: TypeAlias = Literal["difference", "reading", "two_sd_difference"]
ReplicateScale: TypeAlias = Literal["absolute", "log"]

SHARE_OF_LIMITS = 1.96


def from_limits_of_agreement(
    lower: float,
    upper: float,
    *,
    of: Other,
    sd_reference: float = 0.0,
    k: float = SHARE_OF_LIMITS,
    unit: str | None = None,
    source: str | None = None,
) -> Normal:
    """Normal noise from Bland and Altman's 95 % limits of agreement.

    Parameters
    ----------
    lower, upper : float
        Limits of this − the other.
    of : {"comparator", "repeat"}
        What the other measurement was.
    sd_reference : float, default=0
        Standard deviation of the comparator's own error.
    k : float, default=1.96
        Standard deviations between the mean and a limit; older papers took 2.
    unit, source : str or None
        Kept with the model.

    Returns
    -------
    Normal
        Its bias is the mean difference against a comparator, and 0 for repeats: a mean change
        between two readings is no error of either.

    Raises
    ------
    ParameterError
        The limits are in the wrong order, or the comparator errs more than the differences vary.

    Examples
    --------
    >>> from_limits_of_agreement(-10.5, 9.3, of="comparator", unit="%")
    Normal(sd=5.051020408163265, bias=-0.5999999999999996, unit='%')
    """
    if not FINITE.require("lower", lower) < FINITE.require("upper", upper):
        raise ParameterError(f"lower must be below upper, got {lower!r} and {upper!r}")
    sd_diff = (upper - lower) / (2.0 * POSITIVE.require("k", k))
    return from_bias_sd(
        (upper + lower) / 2.0,
        sd_diff,
        of=of,
        sd_reference=sd_reference,
        unit=unit,
        source=source,
    )


def from_bias_sd(
    bias: float,
    sd_diff: float,
    *,
    of: Other,
    sd_reference: float = 0.0,
    unit: str | None = None,
    source: str | None = None,
) -> Normal:
    """Normal noise from the mean and the standard deviation of differences.

    Parameters
    ----------
    bias : float
        Mean of this − the other; mind the sign.
    sd_diff : float
        Standard deviation of the differences.
    of, sd_reference, unit, source
        As in `from_limits_of_agreement`, as are result and errors.
    """
    require_choice("of", of, get_args(Other))
    FINITE.require("bias", bias)
    POSITIVE.require("sd_diff", sd_diff)
    NOT_NEGATIVE.require("sd_reference", sd_reference)
    if of == "comparator":
        rest = sd_diff**2 - sd_reference**2
        if rest < 0:
            raise ParameterError(
                f"sd_reference must be at most the sd of the differences, {sd_diff:g}, got "
                f"{sd_reference!r}: the comparator alone would make them vary more"
            )
        return Normal(sqrt(rest), bias, unit=unit, source=source)
    if sd_reference:
        raise ParameterError(f"sd_reference is for of='comparator', got {sd_reference!r}")
    return Normal(
        sd_diff / sqrt(2.0),
        unit=unit,
        source=described(f"mean change between readings {bias:.4g}" if bias else "", source),
    )


def from_within_subject_sd(
    sd: float, *, unit: str | None = None, source: str | None = None
) -> Normal:
    """Normal noise from a within-subject standard deviation.

    Parameters
    ----------
    sd : float
        The root of the mean within-subject variance (one-way analysis of variance); a mean of
        standard deviations is smaller.
    unit, source : str or None
        Kept with the model.
    """
    return Normal(sd, unit=unit, source=source)


def from_repeatability(
    rc: float,
    *,
    definition: Repeatability,
    unit: str | None = None,
    source: str | None = None,
) -> Normal:
    """Normal noise from a repeatability coefficient.

    Parameters
    ----------
    rc : float
        The coefficient. Positive.
    definition : {"difference", "reading", "two_sd_difference"}
        What the authors meant: 95 % of the differences between two readings are below it
        (1.96 √2 s); 95 % of single readings are that close to the truth (1.96 s); twice the
        standard deviation of the differences (2 √2 s).
    unit, source : str or None
        Kept with the model.
    """
    require_choice("definition", definition, get_args(Repeatability))
    z = normal_quantile(0.975)
    factor = {"difference": z * sqrt(2.0), "reading": z, "two_sd_difference": 2.0 * sqrt(2.0)}
    return Normal(POSITIVE.require("rc", rc) / factor[definition], unit=unit, source=source)


def from_repeat_percentile(
    q: float, p: float, *, unit: str | None = None, source: str | None = None
) -> Normal:
    """Normal noise from "a share p of repeat readings differ by at most q".

    Parameters
    ----------
    q : float
        Difference. Positive.
    p : float
        Share of pairs, between 0 and 1.
    unit, source : str or None
        Kept with the model; the source says that this is approximate, since protocols that keep
        the best of several readings do not give independent ones.
    """
    sd = POSITIVE.require("q", q) / (normal_quantile((1.0 + _share("p", p)) / 2.0) * sqrt(2.0))
    return Normal(sd, unit=unit, source=described("approximate", source))


def from_replicates(
    values: ArrayLike,
    subjects: ArrayLike,
    *,
    scale: ReplicateScale = "absolute",
    unit: str | None = None,
    source: str | None = None,
) -> Normal | LogNormal:
    """Noise from raw repeat readings, by one-way analysis of variance.

    Parameters
    ----------
    values : array of shape (n_readings,)
        Readings, in the order in which each subject's were taken; NaN is left out.
    subjects : array of shape (n_readings,)
        Whose reading each is. Subjects with a single reading tell nothing.
    scale : {"absolute", "log"}, default="absolute"
        One standard deviation for all values, or one on the log scale: `LogNormal`.
    unit, source : str or None
        Kept with the model; the source says how many readings there were, how well the standard
        deviation is known, and the mean change from first to second reading.

    Raises
    ------
    ParameterError
        No subject has two readings, or a value is 0 or negative on the log scale.

    Warns
    -----
    ClearwoodWarning
        On the absolute scale, where the spread of a subject's readings grows with their mean
        (rank correlation, one-sided p < 0.05).
    """
    require_choice("scale", scale, get_args(ReplicateScale))
    readings = _readings_by_subject(as_floats(values), np.asarray(subjects))
    if scale == "log":
        if any((group <= 0).any() for group in readings):
            raise ParameterError("values must be positive where scale is 'log'")
        readings = [np.log(group) for group in readings]
    else:
        _warn_if_spread_grows(readings)
    df = sum(len(group) - 1 for group in readings)
    sd = sqrt(sum(float(((group - group.mean()) ** 2).sum()) for group in readings) / df)
    change = float(np.mean([group[0] - group[1] for group in readings]))
    found = (
        f"{len(readings)} subjects, {sum(map(len, readings))} readings, relative standard error "
        f"{1.0 / sqrt(2.0 * df):.1%}, mean of first − second {change:.4g}"
    )
    if scale == "log":
        cv = sqrt(np.expm1(sd**2))
        return LogNormal(cv, unit=unit, source=described(f"{found} (log)", source))
    return Normal(sd, unit=unit, source=described(found, source))


def _readings_by_subject(values: FloatArray, subjects: np.ndarray) -> list[FloatArray]:
    if values.ndim != 1 or values.shape != subjects.shape:
        raise ParameterError(
            "values and subjects must be flat and equally long, got shapes "
            f"{values.shape} and {subjects.shape}"
        )
    known = ~np.isnan(values)
    _, code = np.unique(subjects[known], return_inverse=True)
    order = np.argsort(code, kind="stable")
    ends = np.flatnonzero(np.diff(code[order])) + 1
    groups = [group for group in np.split(values[known][order], ends) if len(group) > 1]
    if not groups:
        raise ParameterError("subjects must name at least one subject with two readings")
    return groups


def _warn_if_spread_grows(readings: list[FloatArray]) -> None:
    from scipy.stats import spearmanr

    means = [float(group.mean()) for group in readings]
    spreads = [float(group.std(ddof=1)) for group in readings]
    if len(set(means)) < 4 or len(set(spreads)) < 4:
        return
    found = spearmanr(means, spreads, alternative="greater")
    if found.pvalue < 0.05:
        warnings.warn(
            "readings spread more where they are larger (rank correlation "
            f"{found.statistic:.2f}, p = {found.pvalue:.3f}), so that one standard deviation does "
            "not describe them; use scale='log'",
            ClearwoodWarning,
            stacklevel=3,
        )


def _share(name: str, p: float) -> float:
    if p not in POSITIVE or p >= 1:
        raise ParameterError(f"{name} must be between 0 and 1, got {p!r}")
    return p

"""Noise from what laboratories report: coefficients of variation, limits and goals.

Coefficients of variation are fractions here: 5 % is 0.05. An analytical one (the same specimen
again) and a within-subject one (the same patient, bled again) answer different questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, hypot, log1p, sqrt
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from clearwood.errors import ParameterError
from clearwood.noise.clinical.checks import described, require_choice, require_cv
from clearwood.noise.contract import FINITE, POSITIVE, require_count
from clearwood.noise.models import GreaterOf, LogNormal, Normal, Relative

Scale: TypeAlias = Literal["relative", "lognormal"]
LimitScale: TypeAlias = Literal["absolute", "relative"]
Level: TypeAlias = Literal["optimum", "desirable", "minimum"]


def from_cv(
    *,
    cva: float | None = None,
    cvi: float | None = None,
    scale: Scale,
    n_assays: int = 1,
    n_samples: int = 1,
    unit: str | None = None,
    source: str | None = None,
) -> Relative | LogNormal:
    """Noise from coefficients of variation: √(cva² / n_assays + cvi² / n_samples).

    Parameters
    ----------
    cva : float or None
        Analytical: the same specimen assayed again.
    cvi : float or None
        Within subject: the same patient, another day. Give what the question is about, or both.
    scale : {"relative", "lognormal"}
        Normal with a standard deviation of cv · value, or normal on the log scale.
    n_assays, n_samples : int, default=1
        How many assays, and specimens of different days, the value is the mean of.
    unit, source : str or None
        Kept with the model.

    Raises
    ------
    ParameterError
        Neither is given, or one is not a fraction.

    Examples
    --------
    >>> from_cv(cva=0.03, cvi=0.04, scale="relative", unit="mg/dL")
    Relative(cv=0.05, unit='mg/dL')
    """
    if cva is None and cvi is None:
        raise ParameterError(
            "from_cv needs cva (specimen assayed again), cvi (another day) or both"
        )
    assay = 0.0 if cva is None else require_cv("cva", cva) / sqrt(require_count(n_assays))
    day = 0.0 if cvi is None else require_cv("cvi", cvi) / sqrt(require_count(n_samples))
    return _of_cv(hypot(assay, day), scale, unit, source)


def from_rcv(
    rcv: float,
    *,
    scale: Scale,
    z: float = 1.96,
    unit: str | None = None,
    source: str | None = None,
) -> Relative | LogNormal:
    """Noise from a reference change value, which contains the analytical variation already.

    Parameters
    ----------
    rcv : float
        As a fraction. On the relative scale z √2 cv; on the lognormal scale the rise
        exp(z √2 s) − 1, or the fall exp(−z √2 s) − 1 as a negative number.
    scale : {"relative", "lognormal"}
        How it was computed: a symmetric change, or an asymmetric one.
    z : float, default=1.96
        Normal quantile it was computed with.
    unit, source : str or None
        Kept with the model.
    """
    require_choice("scale", scale, get_args(Scale))
    width = POSITIVE.require("z", z) * sqrt(2.0)
    if scale == "relative":
        return _of_cv(POSITIVE.require("rcv", rcv) / width, scale, unit, source)
    if FINITE.require("rcv", rcv) <= -1 or rcv == 0:
        raise ParameterError(f"rcv must be a rise above 0 or a fall above -1, got {rcv!r}")
    return _of_cv(sqrt(expm1((log1p(rcv) / width) ** 2)), scale, unit, source)


def from_total_allowable_error(
    tea: float,
    k: float,
    *,
    scale: LimitScale,
    bias: float = 0.0,
    floor: float | None = None,
    unit: str | None = None,
    source: str | None = None,
) -> Normal | Relative | GreaterOf:
    """Upper bound of noise from a total allowable error: (tea − abs(bias)) / k.

    An acceptance limit, not an observed error: the source says so.

    Parameters
    ----------
    tea : float
        The limit: in the unit of the values, or as a fraction of them.
    k : float
        Standard deviations within the limit: 1.65 (95 % on one side), 1.96, 2, 3 or 6 ("six
        sigma"). No default: they differ 3.6-fold.
    scale : {"absolute", "relative"}
        What `tea` is given in.
    bias : float, default=0
        Known bias, on the same scale; it takes part of the limit. An absolute one is kept with
        the model, a relative one is not.
    floor : float or None
        For "± floor or ± tea, whichever is greater": the limit in the unit of the values. Only
        on the relative scale, without bias.
    unit, source : str or None
        Kept with the model.

    Raises
    ------
    ParameterError
        The bias alone exceeds the limit, or floor does not fit.
    """
    require_choice("scale", scale, get_args(LimitScale))
    left = POSITIVE.require("tea", tea) - abs(FINITE.require("bias", bias))
    if left <= 0:
        raise ParameterError(f"bias must be smaller than tea, {tea!r}, got {bias!r}")
    spread = left / POSITIVE.require("k", k)
    note = described(f"upper bound: allowable error {tea:g} at k = {k:g}", source)
    if floor is not None:
        if scale != "relative" or bias:
            raise ParameterError(
                f"floor needs scale='relative' and no bias, got floor={floor!r}, scale={scale!r}, "
                f"bias={bias!r}"
            )
        return GreaterOf(POSITIVE.require("floor", floor) / k, spread, unit=unit, source=note)
    if scale == "absolute":
        return Normal(spread, bias, unit=unit, source=note)
    return Relative(spread, unit=unit, source=note)


@dataclass(frozen=True, slots=True)
class Goals:
    """Quality goals from biological variation, as fractions.

    Parameters
    ----------
    cva : float
        Highest analytical coefficient of variation.
    bias : float
        Highest absolute bias.
    tea : float
        Total allowable error, 1.65 cva + bias.
    """

    cva: float
    bias: float
    tea: float


SHARES = MappingProxyType({"optimum": 0.5, "desirable": 1.0, "minimum": 1.5})
"""How strict a level is, as a multiple of the desirable one."""


def biological_goals(cvi: float, cvg: float, level: Level) -> Goals:
    """Goals for a laboratory: cva = 0.5 cvi, bias = 0.25 √(cvi² + cvg²), times the level's share.

    Parameters
    ----------
    cvi, cvg : float
        Variation within and between subjects, as fractions.
    level : {"optimum", "desirable", "minimum"}
        Half, once, or one and a half times the desirable goals.
    """
    require_choice("level", level, tuple(SHARES))
    cva = 0.5 * SHARES[level] * require_cv("cvi", cvi)
    bias = 0.25 * SHARES[level] * hypot(cvi, require_cv("cvg", cvg))
    return Goals(cva, bias, 1.65 * cva + bias)


def from_biological_variation(
    cvi: float,
    cvg: float,
    level: Level,
    *,
    unit: str | None = None,
    source: str | None = None,
) -> Relative:
    """Analytical noise of a laboratory that just meets its goals: not an observation.

    Parameters
    ----------
    cvi, cvg, level
        As in `biological_goals`.
    unit, source : str or None
        Kept with the model; the source says that this is a goal.
    """
    goals = biological_goals(cvi, cvg, level)
    note = f"{level} goal, not observed (bias at most {goals.bias:.2%})"
    return Relative(goals.cva, unit=unit, source=described(note, source))


def _of_cv(cv: float, scale: Scale, unit: str | None, source: str | None) -> Relative | LogNormal:
    require_choice("scale", scale, get_args(Scale))
    return (Relative if scale == "relative" else LogNormal)(cv, unit=unit, source=source)

"""Noise from how values are written down and from what makers of devices say."""

from __future__ import annotations

from math import sqrt
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from clearwood.errors import ParameterError
from clearwood.noise.clinical.checks import described, normal_quantile, require_choice
from clearwood.noise.contract import FINITE, POSITIVE, as_floats
from clearwood.noise.models import Normal, Rounding, Uniform

Meaning: TypeAlias = Literal["uniform", "95%", "rms"]


def from_resolution(
    r: float, *, truncated: bool = False, unit: str | None = None, source: str | None = None
) -> Rounding:
    """Noise of values that are written to a step: sd r / √12.

    Parameters
    ----------
    r : float
        The step. Positive.
    truncated : bool, default=False
        Whether digits are cut off instead of rounded.
    unit, source : str or None
        Kept with the model. Add it only to errors that were found before rounding.
    """
    return Rounding(r, truncated, unit=unit, source=source)


def from_digit_preference(
    values: ArrayLike | None = None,
    *,
    share: float | None = None,
    chance: float = 0.1,
    coarse: float = 10.0,
    fine: float = 2.0,
    unit: str | None = None,
    source: str | None = None,
) -> Normal:
    """Noise of values some of which were rounded more coarsely than the others.

    Of all values, (share − chance) / (1 − chance) are taken to be rounded to the coarse step and
    the rest to the fine one.

    Parameters
    ----------
    values : array of shape (n_rows,), or None
        Values in which multiples of the coarse step are counted; NaN is left out.
    share : float or None
        The share of such multiples, if it is known instead.
    chance : float, default=0.1
        The share that would be expected without preference: 1/10 where all last digits are in
        use, 1/5 where only even ones are.
    coarse, fine : float, default=10, 2
        The two steps.
    unit, source : str or None
        Kept with the model.

    Returns
    -------
    Normal
        With the standard deviation of that mixture. Add it only to errors that were found
        before rounding.

    Raises
    ------
    ParameterError
        Not exactly one of `values` and `share` is given, a share is outside 0 to 1, or the
        coarse step is not above the fine one.
    """
    if (values is None) == (share is None):
        raise ParameterError("give either values or the share of them that end in the coarse step")
    if not POSITIVE.require("fine", fine) < POSITIVE.require("coarse", coarse):
        raise ParameterError(f"coarse must be above fine, got {coarse!r} and {fine!r}")
    found = _share_of_multiples(values, coarse) if share is None else share
    if not (0 <= found <= 1 and 0 <= chance < 1):
        raise ParameterError(f"shares must be from 0 to 1, got share={found!r}, chance={chance!r}")
    rounded = max(0.0, (found - chance) / (1.0 - chance))
    sd = sqrt((rounded * coarse**2 + (1.0 - rounded) * fine**2) / 12.0)
    note = f"{rounded:.0%} rounded to {coarse:g}, the rest to {fine:g}"
    return Normal(sd, unit=unit, source=described(note, source))


def from_device_spec(
    a: float,
    *,
    meaning: Meaning,
    bias: float = 0.0,
    unit: str | None = None,
    source: str | None = None,
) -> Normal | Uniform:
    """Noise from a maker's "± a".

    Parameters
    ----------
    a : float
        The specification, in the unit of the values. Positive.
    meaning : {"uniform", "95%", "rms"}
        No error is larger; 95 % of them are at most that large; the root of their mean square
        is that (oximeters' A_rms, within which about two thirds of readings lie).
    bias : float, default=0
        Known mean of measured − true. Part of a root mean square, from which it is taken.
    unit, source : str or None
        Kept with the model.

    Raises
    ------
    ParameterError
        The bias exceeds the root mean square, or is given with "uniform".
    """
    require_choice("meaning", meaning, get_args(Meaning))
    POSITIVE.require("a", a)
    FINITE.require("bias", bias)
    if meaning == "uniform":
        if bias:
            raise ParameterError(f"bias must be 0 where no error is larger than a, got {bias!r}")
        return Uniform(a, unit=unit, source=source)
    if meaning == "95%":
        return Normal(a / normal_quantile(0.975), bias, unit=unit, source=source)
    if abs(bias) > a:
        raise ParameterError(f"bias must be at most the root mean square, {a!r}, got {bias!r}")
    return Normal(sqrt(a**2 - bias**2), bias, unit=unit, source=source)


def _share_of_multiples(values: ArrayLike | None, step: float) -> float:
    known = as_floats(np.asarray(values))
    known = known[~np.isnan(known)]
    if known.size == 0:
        raise ParameterError("values must hold at least one number")
    return float((known % step == 0).mean())

"""The same noise, larger or smaller by a factor: for asking how much of it a tree should heed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from types import MappingProxyType
from typing import Any

from clearwood.errors import ParameterError
from clearwood.noise.contract import NOT_NEGATIVE, NoiseModel
from clearwood.noise.empirical import Empirical
from clearwood.noise.mean_fraction import MeanFraction
from clearwood.noise.models import (
    Exact,
    GreaterOf,
    LogNormal,
    Normal,
    Relative,
    Rounding,
    StudentT,
    TwoComponent,
    Uniform,
)
from clearwood.noise.per_row import RowNoise
from clearwood.noise.sampled import RangeFraction
from clearwood.noise.sums import Averaged, Sum

SIZES: Mapping[type[NoiseModel], tuple[str, ...]] = MappingProxyType(
    {
        Exact: (),
        Normal: ("sd", "bias"),
        Relative: ("cv",),
        TwoComponent: ("sd0", "cv"),
        GreaterOf: ("sd0", "cv"),
        MeanFraction: ("u",),
        LogNormal: ("cv",),
        Uniform: ("half_width",),
        Rounding: ("step",),
        StudentT: ("scale",),
        RangeFraction: ("width",),
    }
)
"""Parameters of a model that are in proportion to its errors."""


def scaled(noise: Any, factor: float) -> Any:
    """A noise parameter with every error, bias too, multiplied by a factor.

    Parameters
    ----------
    noise : None, float, NoiseModel or mapping of column name to noise model
        As estimators take it.
    factor : float
        0 or positive; 0 makes every column exact. Coefficients of variation are multiplied as
        they stand.

    Returns
    -------
    As `noise`.

    Raises
    ------
    ParameterError
        The factor is negative, or a model has a size that no factor reaches: one that stands in a
        column, or in a SciPy distribution.
    """
    NOT_NEGATIVE.require("factor", factor)
    if noise is None or isinstance(noise, Mapping):
        return None if noise is None else {k: scaled(model, factor) for k, model in noise.items()}
    if isinstance(noise, Real) and not isinstance(noise, bool):
        return float(noise) * factor
    return Exact() if factor == 0 else _scaled_model(noise, factor)


def _scaled_model(model: NoiseModel | RowNoise, factor: float) -> NoiseModel:
    if isinstance(model, Sum):
        return replace(model, parts=tuple(_scaled_model(part, factor) for part in model.parts))
    if isinstance(model, Averaged):
        return replace(model, model=_scaled_model(model.model, factor))
    if isinstance(model, Empirical):
        return replace(model, errors=tuple(error * factor for error in model.errors))
    if not isinstance(model, NoiseModel) or type(model) not in SIZES:
        raise ParameterError(
            f"noise {model!r} has a size that no factor reaches; give the models to compare as "
            "values of search_noise, propagation_noise or noise"
        )
    return replace(model, **{name: getattr(model, name) * factor for name in SIZES[type(model)]})

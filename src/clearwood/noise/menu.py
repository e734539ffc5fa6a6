"""The menu of noise models, with typical values that tests and documentation draw from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from clearwood.errors import ParameterError
from clearwood.noise.contract import NoiseModel
from clearwood.noise.distribution import Distribution
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
from clearwood.noise.per_row import Interval, PerRow, RowNoise
from clearwood.noise.sampled import RangeFraction, SamplePoints
from clearwood.noise.sums import Averaged, Sum

MODELS: Mapping[str, type[NoiseModel] | type[RowNoise]] = MappingProxyType(
    {
        model.kind: model
        for model in (
            Exact,
            Normal,
            Relative,
            TwoComponent,
            GreaterOf,
            MeanFraction,
            LogNormal,
            Rounding,
            Uniform,
            StudentT,
            Empirical,
            Distribution,
            Sum,
            Averaged,
            SamplePoints,
            RangeFraction,
            PerRow,
            Interval,
        )
    }
)
"""Every model by the name that `to_dict` gives it."""


@cache
def typical() -> tuple[NoiseModel, ...]:
    """Models as one meets them, of every kind; all know their standard deviation."""
    from scipy import stats

    skewed = Empirical((-1.2, -0.9, -0.6, -0.3, -0.1, 0.0, 0.2, 0.5, 1.0, 2.0))
    return (
        Exact(),
        Normal(6.3, unit="mmHg", source="daytime ambulatory blood pressure, repeated"),
        Normal(5.05, bias=-0.6, unit="%", source="visual echocardiography against resonance"),
        Relative(0.051, unit="µmol/L"),
        TwoComponent(0.5, 0.08),
        GreaterOf(3.06, 0.051, unit="mg/dL"),
        LogNormal(0.1),
        Rounding(10.0, unit="mmHg"),
        Rounding(1.0, truncated=True, unit="year"),
        Uniform(1.5),
        StudentT(4.0, 1.0),
        skewed,
        Distribution(stats.gamma(2.0, loc=-1.0, scale=0.5)),
        Normal(2.0) + Relative(0.05),
        Normal(1.0) + Rounding(10.0),
        Uniform(1.5).averaged(3),
    )


def from_dict(data: Mapping[str, Any]) -> Any:
    """The model that `to_dict` wrote.

    Parameters
    ----------
    data : mapping
        Plain values, with the name of the model under "kind".

    Returns
    -------
    NoiseModel or RowNoise

    Raises
    ------
    ParameterError
        No model has this kind, or it has no such entries.
    """
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in MODELS:
        raise ParameterError(f"kind must be one of {', '.join(MODELS)}, got {kind!r}")
    entries = {name: value for name, value in data.items() if name != "kind"}
    try:
        return MODELS[kind].read(entries)
    except (TypeError, KeyError) as error:
        raise ParameterError(f"a noise model of kind {kind!r} cannot be read: {error}") from error

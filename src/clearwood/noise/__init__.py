"""UNCERTAINTY: how far a measured value may be trusted."""

from clearwood.noise.contract import NoiseModel
from clearwood.noise.distribution import Distribution
from clearwood.noise.empirical import Empirical
from clearwood.noise.menu import MODELS, from_dict, typical
from clearwood.noise.models import (
    Exact,
    GreaterOf,
    LogNormal,
    MeanFraction,
    Normal,
    Relative,
    Rounding,
    StudentT,
    TwoComponent,
    Uniform,
)
from clearwood.noise.parameter import columns_of_sizes, fit_noise, resolve_noise, standard_forms
from clearwood.noise.per_row import Interval, PerRow, RowNoise
from clearwood.noise.pool import Pooled, Study, pool
from clearwood.noise.readings import Intervals, parse_reading, read_intervals
from clearwood.noise.remeasure import remeasure
from clearwood.noise.standard_form import StandardForm, standard_form
from clearwood.noise.sums import Averaged, Sum

__all__ = [
    "MODELS",
    "Averaged",
    "Distribution",
    "Empirical",
    "Exact",
    "GreaterOf",
    "Interval",
    "Intervals",
    "LogNormal",
    "MeanFraction",
    "NoiseModel",
    "Normal",
    "PerRow",
    "Pooled",
    "Relative",
    "Rounding",
    "RowNoise",
    "StandardForm",
    "StudentT",
    "Study",
    "Sum",
    "TwoComponent",
    "Uniform",
    "columns_of_sizes",
    "fit_noise",
    "from_dict",
    "parse_reading",
    "pool",
    "read_intervals",
    "remeasure",
    "resolve_noise",
    "standard_form",
    "standard_forms",
    "typical",
]

"""UNCERTAINTY: how far a measured value may be trusted."""

from clearwood.noise.clinical import (
    Goals,
    biological_goals,
    from_bias_sd,
    from_biological_variation,
    from_cv,
    from_device_spec,
    from_digit_preference,
    from_limits_of_agreement,
    from_mdc,
    from_rcv,
    from_reliability,
    from_repeat_percentile,
    from_repeatability,
    from_replicates,
    from_resolution,
    from_sem,
    from_tem,
    from_total_allowable_error,
    from_within_subject_sd,
)
from clearwood.noise.contract import NoiseModel
from clearwood.noise.distribution import Distribution
from clearwood.noise.empirical import Empirical
from clearwood.noise.mean_fraction import MeanFraction
from clearwood.noise.menu import MODELS, from_dict, typical
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
    "Goals",
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
    "biological_goals",
    "columns_of_sizes",
    "fit_noise",
    "from_bias_sd",
    "from_biological_variation",
    "from_cv",
    "from_device_spec",
    "from_dict",
    "from_digit_preference",
    "from_limits_of_agreement",
    "from_mdc",
    "from_rcv",
    "from_reliability",
    "from_repeat_percentile",
    "from_repeatability",
    "from_replicates",
    "from_resolution",
    "from_sem",
    "from_tem",
    "from_total_allowable_error",
    "from_within_subject_sd",
    "parse_reading",
    "pool",
    "read_intervals",
    "remeasure",
    "resolve_noise",
    "standard_form",
    "standard_forms",
    "typical",
]

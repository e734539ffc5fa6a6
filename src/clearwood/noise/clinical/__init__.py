"""Noise models from what clinics, laboratories and makers of devices report.

What a report leaves open is a required argument. Coefficients of variation and shares are
fractions, never percentages.
"""

from clearwood.noise.clinical.agreement import (
    from_bias_sd,
    from_limits_of_agreement,
    from_repeat_percentile,
    from_repeatability,
    from_replicates,
    from_within_subject_sd,
)
from clearwood.noise.clinical.device import (
    from_device_spec,
    from_digit_preference,
    from_resolution,
)
from clearwood.noise.clinical.laboratory import (
    Goals,
    biological_goals,
    from_biological_variation,
    from_cv,
    from_rcv,
    from_total_allowable_error,
)
from clearwood.noise.clinical.reliability import (
    from_mdc,
    from_reliability,
    from_sem,
    from_tem,
)

__all__ = [
    "Goals",
    "biological_goals",
    "from_bias_sd",
    "from_biological_variation",
    "from_cv",
    "from_device_spec",
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
]

"""Interval of a mean over the folds of repeated cross-validation.

Folds share training rows, so their scores are not independent and the plain t interval is far too
narrow. Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52,
239-281, put ``1/J + n_test/n_train`` in the place of ``1/J`` in the variance of the mean of J
scores; Bouckaert and Frank (2004), PAKDD, LNAI 3056, 3-12, use the same for repeated k-fold
cross-validation. It is an approximation: no unbiased variance exists (Bengio and Grandvalet 2004,
Journal of Machine Learning Research 5, 1089-1105).
"""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import numpy as np

from clearwood.errors import ParameterError
from clearwood.metrics.estimate import Estimate, require_confidence


def corrected_resampled_t(
    scores: Any, n_test: float, n_train: float, confidence: float = 0.95
) -> Estimate:
    """The mean of scores over folds with the corrected resampled t interval.

    Parameters
    ----------
    scores : array-like of shape (n_folds,)
        One score a fold, over all repeats; NaN where it is undefined in that fold, left out.
    n_test, n_train : float
        Rows of a typical fold. Both positive.
    confidence : float, default=0.95
        Between 0 and 1.

    Returns
    -------
    Estimate
        The interval is not cut at the bounds of the score. There is none with fewer than two
        scores, or where all are the same.
    """
    from scipy.special import stdtrit

    require_confidence(confidence)
    if not (n_test > 0 and n_train > 0):
        raise ParameterError(f"n_test and n_train must be positive, got {n_test!r}, {n_train!r}")
    known = np.asarray(scores, dtype=np.float64)
    known = known[~np.isnan(known)]
    mean = float(known.mean()) if len(known) else nan
    if len(known) < 2 or not known.std() > 0:
        return Estimate(mean)
    error = sqrt((1 / len(known) + n_test / n_train) * float(known.var(ddof=1)))
    half = float(stdtrit(len(known) - 1, (1 + confidence) / 2)) * error
    return Estimate(mean, mean - half, mean + half)

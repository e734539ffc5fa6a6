"""Discrimination: the area under the ROC curve, and DeLong's interval for it.

The area is the probability that a row with the event gets a higher score than one without, ties
counting half. Its variance is that of DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44,
837-845, computed from midranks as in Sun and Xu (2014), IEEE Signal Processing Letters 21,
1389-1393 (equations 5 to 7).
"""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import numpy as np

from clearwood._typing import BoolArray, FloatArray
from clearwood.errors import ParameterError
from clearwood.metrics.estimate import Estimate, normal_quantile


def auc(is_event: Any, score: Any) -> float:
    """Area under the ROC curve; NaN unless rows with and without the event are present.

    Parameters
    ----------
    is_event : array-like of bool, shape (n_rows,)
        Which rows have the event.
    score : array-like of float, shape (n_rows,)
        Higher where the event is expected; any scale. No missing values.

    Raises
    ------
    ParameterError
        The lengths differ, or a score is not a number.

    Examples
    --------
    >>> auc([False, False, True, True], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    events, others = _by_event(is_event, score)
    if not len(events) or not len(others):
        return nan
    ranks = _midranks(np.concatenate([events, others]))[: len(events)]
    wins = float(ranks.sum()) - len(events) * (len(events) + 1) / 2
    return wins / (len(events) * len(others))


def auc_all_classes(classes: Any, y: Any, probabilities: Any) -> float:
    """Mean over the classes of the area of each against the rest.

    Parameters
    ----------
    classes : array-like of shape (n_classes,)
        Label of each column of `probabilities`.
    y : array-like of shape (n_rows,)
        True labels.
    probabilities : array-like of float, shape (n_rows, n_classes)

    Returns
    -------
    float
        Each class counts the same. A class that no row, or every row, has is left out; NaN where
        that leaves none.

    References
    ----------
    Provost and Domingos (2000), Well-trained PETs, CeDER working paper IS-00-04 (there with
    classes weighted by their size).
    """
    labels, table = np.asarray(y), np.asarray(probabilities, dtype=np.float64)
    areas = [auc(labels == label, table[:, k]) for k, label in enumerate(classes)]
    known = [area for area in areas if not np.isnan(area)]
    return float(np.mean(known)) if known else nan


def delong(is_event: Any, score: Any, confidence: float = 0.95) -> Estimate:
    """Area under the ROC curve with DeLong's normal interval, cut at 0 and 1.

    Parameters
    ----------
    is_event, score
        As in `auc`.
    confidence : float, default=0.95
        Between 0 and 1.

    Returns
    -------
    Estimate
        Without interval where fewer than two rows have the event, or lack it, or where the
        scores part the two perfectly: the variance is then 0, which only says that the method
        does not apply.
    """
    z = normal_quantile(confidence)
    area = auc(is_event, score)
    variance = _variance(*_by_event(is_event, score))
    if not variance > 0:
        return Estimate(area)
    half = z * sqrt(variance)
    return Estimate(area, max(0.0, area - half), min(1.0, area + half))


def _variance(events: FloatArray, others: FloatArray) -> float:
    """DeLong's variance of the area; NaN with fewer than two rows of either kind."""
    m, n = len(events), len(others)
    if min(m, n) < 2:
        return nan
    ranks = _midranks(np.concatenate([events, others]))
    beaten = (ranks[:m] - _midranks(events)) / n  # share of the others below each event
    unbeaten = 1 - (ranks[m:] - _midranks(others)) / m  # share of the events above each other
    return float(beaten.var(ddof=1) / m + unbeaten.var(ddof=1) / n)


def _midranks(values: FloatArray) -> FloatArray:
    """Ranks from 1; equal values share the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    midranks: FloatArray = (last - (count - 1) / 2)[place]
    return midranks


def _by_event(is_event: Any, score: Any) -> tuple[FloatArray, FloatArray]:
    """Scores of the rows with and without the event."""
    has_event: BoolArray = np.asarray(is_event, dtype=np.bool_)
    scores = np.asarray(score, dtype=np.float64)
    if has_event.ndim != 1 or has_event.shape != scores.shape:
        raise ParameterError(
            "is_event and score must be two lists of one length, got shapes "
            f"{has_event.shape} and {scores.shape}"
        )
    if np.isnan(scores).any():
        raise ParameterError(
            f"score must be a number in every row, got NaN in row {int(np.isnan(scores).argmax())}"
        )
    return scores[has_event], scores[~has_event]

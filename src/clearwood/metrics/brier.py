"""Accuracy of probabilities: the Brier score.

Brier (1950), Verification of forecasts expressed in terms of probability, Monthly Weather Review
78, 1-3. Lower is better.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.metrics.estimate import Estimate, normal_quantile


def brier_score(is_event: Any, probability: Any) -> float:
    """Mean squared difference between the probability of an event and what happened (0 or 1).

    Parameters
    ----------
    is_event : array-like of bool, shape (n_rows,)
        Which rows have the event.
    probability : array-like of float, shape (n_rows,)
        From 0 to 1.

    Returns
    -------
    float
        From 0 to 1; half of Brier's own sum over the two classes. NaN without rows.

    Raises
    ------
    ParameterError
        The lengths differ or a probability is outside [0, 1].

    Examples
    --------
    >>> brier_score([True, False], [0.75, 0.25])
    0.0625
    """
    squares = _squares(is_event, probability)
    return float(np.mean(squares)) if len(squares) else nan


def brier_score_interval(is_event: Any, probability: Any, confidence: float = 0.95) -> Estimate:
    """The Brier score with the normal interval of a mean over rows, cut at 0 and 1.

    Parameters
    ----------
    is_event, probability
        As in `brier_score`.
    confidence : float, default=0.95
        Between 0 and 1.

    Returns
    -------
    Estimate
        Without interval below two rows, and where all rows score the same: a variance of 0 only
        says that the method, which is meant for many rows, does not apply.
    """
    z, squares = normal_quantile(confidence), _squares(is_event, probability)
    if len(squares) < 2 or not squares.std() > 0:
        return Estimate(brier_score(is_event, probability))
    value, half = float(squares.mean()), z * float(squares.std(ddof=1)) / sqrt(len(squares))
    return Estimate(value, max(0.0, value - half), min(1.0, value + half))


def brier_score_all_classes(classes: Any, y: Any, probabilities: Any) -> float:
    """Brier's own sum over the classes of the squared differences, mean over the rows.

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
        From 0 to 2; for two classes twice `brier_score`.
    """
    labels, table = np.asarray(y), np.asarray(probabilities, dtype=np.float64)
    return sum(brier_score(labels == label, table[:, k]) for k, label in enumerate(classes))


def _squares(is_event: Any, probability: Any) -> FloatArray:
    """Squared difference of each row."""
    happened = np.asarray(is_event, dtype=np.bool_)
    predicted = np.asarray(probability, dtype=np.float64)
    if happened.ndim != 1 or happened.shape != predicted.shape:
        raise ParameterError(
            "is_event and probability must be two lists of one length, got shapes "
            f"{happened.shape} and {predicted.shape}"
        )
    outside = ~((predicted >= 0) & (predicted <= 1))
    if outside.any():
        row = int(outside.argmax())
        raise ParameterError(
            f"probability must be from 0 to 1, got {float(predicted[row])!r} in row {row}"
        )
    squares: FloatArray = (predicted - happened) ** 2
    return squares

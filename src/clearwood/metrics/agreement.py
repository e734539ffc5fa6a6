"""Agreement of predicted with true labels: accuracy and balanced accuracy."""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import numpy as np

from clearwood._typing import AnyArray
from clearwood.errors import ParameterError
from clearwood.metrics.estimate import Estimate
from clearwood.metrics.proportion import wilson


def accuracy(y: Any, predicted: Any) -> float:
    """Share of rows whose predicted label is the true one; NaN without rows."""
    true, guess = _two_of_a_length(y, predicted)
    return float(np.mean(true == guess)) if len(true) else nan


def balanced_accuracy(y: Any, predicted: Any) -> float:
    """Mean over the classes in `y` of the share of their rows that is predicted rightly.

    Parameters
    ----------
    y, predicted : array-like of shape (n_rows,)
        True and predicted labels.

    Returns
    -------
    float
        For two classes the mean of sensitivity and specificity. NaN without rows.

    References
    ----------
    Brodersen, Ong, Stephan and Buhmann (2010), The balanced accuracy and its posterior
    distribution, ICPR, 3121-3124.

    Examples
    --------
    >>> balanced_accuracy(["yes", "no", "no", "no"], ["yes", "no", "no", "yes"])
    0.8333333333333333
    """
    return balanced_accuracy_interval(y, predicted).value


def balanced_accuracy_interval(
    y: Any, predicted: Any, confidence: float = 0.95, *, classes: Any = None
) -> Estimate:
    """Balanced accuracy with an interval made of each class's Wilson interval.

    Parameters
    ----------
    y, predicted : array-like of shape (n_rows,)
        True and predicted labels.
    confidence : float, default=0.95
        Between 0 and 1.
    classes : array-like of shape (n_classes,), optional
        All classes that the mean is over; by default those in `y`.

    Returns
    -------
    Estimate
        All NaN without rows, and where a class of `classes` has none: which share of its rows is
        recognised cannot be known.

    Notes
    -----
    The shares of the classes are independent, so the distances to the ends of their intervals
    are squared and added: Newcombe (2001), Estimating the difference between differences,
    Statistics in Medicine 20, 2885-2893; Zou and Donner (2008), the same 27, 1693-1702.
    """
    true, guess = _two_of_a_length(y, predicted)
    if not len(true) or (classes is not None and not np.isin(classes, true).all()):
        return Estimate(nan)
    shares = [
        wilson(int(np.sum(guess[true == label] == label)), int(np.sum(true == label)), confidence)
        for label in np.unique(true)
    ]
    value = sum(share.value for share in shares) / len(shares)
    below = sqrt(sum((share.value - share.lower) ** 2 for share in shares)) / len(shares)
    above = sqrt(sum((share.upper - share.value) ** 2 for share in shares)) / len(shares)
    return Estimate(value, value - below, value + above)


def _two_of_a_length(y: Any, predicted: Any) -> tuple[AnyArray, AnyArray]:
    true, guess = np.asarray(y), np.asarray(predicted)
    if true.ndim != 1 or true.shape != guess.shape:
        raise ParameterError(
            "y and predicted must be two lists of one length, got shapes "
            f"{true.shape} and {guess.shape}"
        )
    return true, guess

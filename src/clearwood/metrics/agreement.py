"""Agreement of predicted with true labels: accuracy and balanced accuracy."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from clearwood._typing import AnyArray
from clearwood.errors import ParameterError


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
    true, guess = _two_of_a_length(y, predicted)
    if not len(true):
        return nan
    classes, code = np.unique(true, return_inverse=True)
    right = np.bincount(code, weights=true == guess, minlength=len(classes))
    return float(np.mean(right / np.bincount(code)))


def _two_of_a_length(y: Any, predicted: Any) -> tuple[AnyArray, AnyArray]:
    true, guess = np.asarray(y), np.asarray(predicted)
    if true.ndim != 1 or true.shape != guess.shape:
        raise ParameterError(
            "y and predicted must be two lists of one length, got shapes "
            f"{true.shape} and {guess.shape}"
        )
    return true, guess

"""Calibration: what was predicted in each leaf beside what happened there.

A tree gives the same probabilities to all rows of a leaf, so its calibration needs no bins: each
leaf is one, with Wilson's interval for the share of events that was seen in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood._typing import AnyArray, BoolArray
from clearwood.errors import ParameterError
from clearwood.metrics.estimate import Estimate
from clearwood.metrics.proportion import wilson

_SHARED = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class LeafCalibration:
    """What was predicted and what was seen in one leaf.

    Parameters
    ----------
    leaf : int or None
        Node of the tree; None: rows that several leaves answer.
    n_rows, n_events : int
        Rows that came to the leaf, and those of them with the event.
    predicted : float
        Mean probability of the event that was predicted for these rows.
    observed : Estimate
        Share of events among them, with Wilson's interval.
    """

    leaf: int | None
    n_rows: int
    n_events: int
    predicted: float
    observed: Estimate

    @property
    def is_compatible(self) -> bool:
        """Whether the predicted probability lies in the interval of the observed share."""
        return self.observed.lower <= self.predicted <= self.observed.upper


def calibration_by_leaf(
    leaf: Any, is_event: Any, probability: Any, confidence: float = 0.95, *, shared: Any = None
) -> list[LeafCalibration]:
    """Predicted and observed share of events in each leaf that a row came to.

    Parameters
    ----------
    leaf : array-like of int, shape (n_rows,)
        Leaf of each row: ``tree.apply(X)``.
    is_event : array-like of bool, shape (n_rows,)
        Which rows have the event.
    probability : array-like of float, shape (n_rows,)
        Predicted probability of the event. Rows with missing values may have others than the
        rest of their leaf, so the mean is compared.
    confidence : float, default=0.95
        Of each interval by itself: of 20 leaves that are all right, one is expected outside.
    shared : array-like of bool, shape (n_rows,), optional
        Which rows several leaves answer together, so that they belong to none: of a tree with
        witnesses, ``clearwood.tree.polls.disputed_rows(tree, X)``. They are a group of their own.

    Returns
    -------
    list of LeafCalibration
        By leaf number; the group of shared rows, if there is one, is the last.
    """
    leaves, happened = np.asarray(leaf), np.asarray(is_event, dtype=np.bool_)
    predicted = np.asarray(probability, dtype=np.float64)
    if not leaves.shape == happened.shape == predicted.shape or leaves.ndim != 1:
        raise ParameterError(
            "leaf, is_event and probability must be lists of one length, got shapes "
            f"{leaves.shape}, {happened.shape} and {predicted.shape}"
        )
    if shared is not None:
        leaves = np.where(_flags(shared, leaves), _SHARED, leaves.astype(np.int64))
    nodes, place = np.unique(leaves, return_inverse=True)
    n_rows = np.bincount(place, minlength=len(nodes))
    n_events = np.bincount(place, weights=happened, minlength=len(nodes)).astype(int)
    means = np.bincount(place, weights=predicted, minlength=len(nodes)) / n_rows
    return [
        LeafCalibration(
            None if node == _SHARED else int(node), int(n), int(k), float(mean),
            wilson(int(k), int(n), confidence),
        )
        for node, n, k, mean in zip(nodes, n_rows, n_events, means, strict=True)
    ]  # fmt: skip


def _flags(shared: Any, leaves: AnyArray) -> BoolArray:
    flags = np.asarray(shared, dtype=np.bool_)
    if flags.shape != leaves.shape:
        raise ParameterError(
            f"shared must have one entry for each of the {len(leaves)} rows, got shape "
            f"{flags.shape}"
        )
    return flags

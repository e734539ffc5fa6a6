"""Everything we report of a finished tree on rows it has not seen; nothing is refitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood._typing import AnyArray, FloatArray
from clearwood.metrics.agreement import balanced_accuracy_interval
from clearwood.metrics.brier import brier_score_interval
from clearwood.metrics.calibration import LeafCalibration, calibration_by_leaf
from clearwood.metrics.estimate import Estimate
from clearwood.metrics.performance import class_index
from clearwood.metrics.proportion import wilson
from clearwood.metrics.roc import delong


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a tree predicted for a set of rows, beside what happened.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    event : object or None
        The label that was asked about, against all others; None for all classes.
    auc, brier_score : mapping of label to Estimate
        For the event, or for each class against the rest: DeLong and normal intervals.
    balanced_accuracy, accuracy : Estimate
        Over all classes: square-and-add and Wilson intervals. The first is undefined where no
        row is of one of the classes.
    n_events : mapping of label to int
        Rows that have the label, with the keys of `auc`.
    expected : mapping of label to float
        Sum of its predicted probabilities: the number of rows that the tree expects.
    leaves : tuple of LeafCalibration
        About the event; without one, about the class that each leaf predicts. Rows that several
        leaves answer are the last group: about the event, or the class predicted for each.
    confidence : float
        Of all intervals.
    """

    n_rows: int
    event: Any
    auc: Mapping[Any, Estimate]
    brier_score: Mapping[Any, Estimate]
    balanced_accuracy: Estimate
    accuracy: Estimate
    n_events: Mapping[Any, int]
    expected: Mapping[Any, float]
    leaves: tuple[LeafCalibration, ...]
    confidence: float


def evaluate(
    classes: Any,
    y: Any,
    probabilities: Any,
    leaf: Any,
    leaf_label: Any,
    *,
    event: Any = None,
    confidence: float = 0.95,
    shared: Any = None,
) -> Evaluation:
    """Discrimination, calibration and accuracy of predictions for labelled rows.

    Parameters
    ----------
    classes : array-like of shape (n_classes,)
        Label of each column of `probabilities`.
    y : array-like of shape (n_rows,)
        True labels.
    probabilities : array-like of float, shape (n_rows, n_classes)
    leaf : array-like of int, shape (n_rows,)
        Leaf of each row.
    leaf_label : array-like of int, shape (n_nodes,)
        Class index that each node gives as a leaf.
    event : object or None, default=None
        The label asked about.
    confidence : float, default=0.95
        Of all intervals.
    shared : array-like of bool, shape (n_rows,), optional
        Rows that several leaves answer together; see `calibration_by_leaf`.
    """
    names, labels = np.asarray(classes), np.asarray(y)
    table = np.asarray(probabilities, dtype=np.float64)
    asked = range(len(names)) if event is None else [class_index(names, event)]
    keys = {names.tolist()[k]: k for k in asked}
    about = _asked_of(names, table, leaf, leaf_label, event, shared)
    is_right = labels == names[table.argmax(axis=1)]
    return Evaluation(
        n_rows=len(labels),
        event=event,
        auc={key: delong(labels == names[k], table[:, k], confidence) for key, k in keys.items()},
        brier_score={
            key: brier_score_interval(labels == names[k], table[:, k], confidence)
            for key, k in keys.items()
        },
        balanced_accuracy=balanced_accuracy_interval(
            labels, names[table.argmax(axis=1)], confidence, classes=names
        ),
        accuracy=wilson(int(is_right.sum()), len(labels), confidence),
        n_events={key: int(np.sum(labels == names[k])) for key, k in keys.items()},
        expected={key: float(table[:, k].sum()) for key, k in keys.items()},
        leaves=tuple(_leaves(names, labels, table, leaf, about, shared, confidence)),
        confidence=confidence,
    )


def _asked_of(
    classes: AnyArray,
    probabilities: FloatArray,
    leaf: Any,
    leaf_label: Any,
    event: Any,
    shared: Any,
) -> AnyArray:
    """Class index that calibration asks about, by row: the event, or what is predicted."""
    leaves = np.asarray(leaf)
    if event is not None:
        return np.full(len(leaves), class_index(classes, event))
    about: AnyArray = np.asarray(leaf_label)[leaves]
    if shared is None:
        return about
    return np.where(np.asarray(shared, np.bool_), probabilities.argmax(axis=1), about)


def _leaves(
    classes: AnyArray,
    y: AnyArray,
    probabilities: FloatArray,
    leaf: Any,
    about: AnyArray,
    shared: Any,
    confidence: float,
) -> list[LeafCalibration]:
    probability = probabilities[np.arange(len(about)), about]
    return calibration_by_leaf(leaf, y == classes[about], probability, confidence, shared=shared)

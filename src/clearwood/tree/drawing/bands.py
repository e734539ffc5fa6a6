"""How far a threshold can be trusted: the band around it that its evaluation leaves uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clearwood.errors import TableError
from clearwood.noise.per_row import PerRow, RowNoise
from clearwood.noise.standard_form import standard_form
from clearwood.tree.evaluation import Ramps, Soft
from clearwood.tree.wording import number_text

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

ONE_SD = 0.8413447460685429
"""Probability of a normal value up to one standard deviation above its mean."""
_MARGIN = 2.0  # of a column's axis, in widths of its widest band from the threshold to an end
_DIGITS = 3
_LONGEST_UNIT = 12  # a longer one stands beside the branches only
_SYMMETRIC = 1e-6


@dataclass(frozen=True, slots=True)
class Band:
    """The part of a column's axis where a cut's branches share a row.

    Parameters
    ----------
    lower, threshold, upper : float
        Places on the axis, from 0 to 1; the axis is the same for all cuts of a column.
    text : str
        The band in the column's unit.
    """

    lower: float
    threshold: float
    upper: float
    text: str


def bands(tree: Tree) -> dict[int, Band]:
    """The band of each cut that has one, by node.

    Under noise it is one standard deviation wide to both sides (of errors that are not normal:
    as likely to hold the true value of what is measured there); of ramps it is the ramp.
    """
    cuts = np.flatnonzero(~np.isnan(tree.threshold)).tolist()
    ends = {node: found for node in cuts if (found := _ends(tree, node)) is not None}
    axes: dict[int, list[float]] = {}
    for node, (lower, upper) in ends.items():
        threshold = float(tree.threshold[node])
        reach = _MARGIN * max(threshold - lower, upper - threshold)
        axis = axes.setdefault(int(tree.column[node]), [threshold, threshold])
        axis[:] = min(axis[0], threshold - reach), max(axis[1], threshold + reach)
    return {
        node: _band(tree, node, *found, axes[int(tree.column[node])])
        for node, found in ends.items()
    }


def meaning(tree: Tree) -> str:
    """What the key says of bands."""
    if isinstance(tree.evaluation, Ramps):
        return "Band: where both branches share a row"
    return "Band: threshold ± 1 SD of the measurement noise"


def _ends(tree: Tree, node: int) -> tuple[float, float] | None:
    evaluation = tree.evaluation
    if isinstance(evaluation, Soft):
        return _noise_ends(tree, evaluation, node)
    if isinstance(evaluation, Ramps):
        lower, upper = float(evaluation.lower[node]), float(evaluation.upper[node])
        return (lower, upper) if lower < upper else None
    return None


def _noise_ends(tree: Tree, soft: Soft, node: int) -> tuple[float, float] | None:
    column = int(tree.column[node])
    model = soft.noise[column]
    if isinstance(model, PerRow):
        model = model.base  # where the size of a row's noise is not known
    if model is None or isinstance(model, RowNoise):
        return None
    threshold = tree.threshold[node : node + 1]
    try:
        form = standard_form(model, threshold, tree.features[column].name)
    except TableError:  # a value so low cannot be measured
        return None
    lower, upper = (float(form.quantile(p, threshold)[0]) for p in (1.0 - ONE_SD, ONE_SD))
    return (lower, upper) if np.isfinite([lower, upper]).all() and lower < upper else None


def _band(tree: Tree, node: int, lower: float, upper: float, axis: list[float]) -> Band:
    threshold, length = float(tree.threshold[node]), axis[1] - axis[0]
    below, above = threshold - lower, upper - threshold
    unit = tree.features[tree.column[node]].unit
    if abs(below - above) <= _SYMMETRIC * max(abs(below), abs(above)):
        text = f"± {_short(above)}"
    else:
        text = f"{_short(lower)} to {_short(upper)}"
    is_short = unit is not None and len(unit) <= _LONGEST_UNIT
    first, middle, last = ((value - axis[0]) / length for value in (lower, threshold, upper))
    return Band(first, middle, last, f"{text} {unit}" if is_short else text)


def _short(value: float) -> str:
    """Three digits, which a standard deviation hardly ever deserves."""
    return number_text(float(f"{value:.{_DIGITS}g}"))

"""How far a threshold can be trusted: the band around it that its evaluation leaves uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clearwood.tree.band import band_ends, ends_text
from clearwood.tree.evaluation import Ramps
from clearwood.tree.wording import number_text

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

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
    """The band of each cut that has one, by node."""
    cuts = np.flatnonzero(~np.isnan(tree.threshold)).tolist()
    ends = {node: found for node in cuts if (found := band_ends(tree, node)) is not None}
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


def _band(tree: Tree, node: int, lower: float, upper: float, axis: list[float]) -> Band:
    threshold, length = float(tree.threshold[node]), axis[1] - axis[0]
    below, above = threshold - lower, upper - threshold
    unit = tree.features[tree.column[node]].unit
    if abs(below - above) <= _SYMMETRIC * max(abs(below), abs(above)):
        text = f"± {_short(above)}"
    else:
        text = ends_text(lower, upper)
    is_short = unit is not None and len(unit) <= _LONGEST_UNIT
    first, middle, last = ((value - axis[0]) / length for value in (lower, threshold, upper))
    return Band(first, middle, last, f"{text} {unit}" if is_short else text)


def _short(value: float) -> str:
    """Three digits, which a standard deviation hardly ever deserves."""
    return number_text(float(f"{value:.{_DIGITS}g}"))

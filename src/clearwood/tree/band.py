"""The band around a threshold: where the evaluation of a tree sends a value both ways."""

from __future__ import annotations

from math import floor, log10
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


def band_ends(tree: Tree, node: int) -> tuple[float, float] | None:
    """The ends of the band of a cut, in the column's unit; None where it has none.

    Under noise it is one standard deviation wide to both sides (of errors that are not normal:
    as likely to hold the true value of what is measured there); of ramps it is the ramp.
    """
    evaluation = tree.evaluation
    if isinstance(evaluation, Soft):
        return _noise_ends(tree, evaluation, node)
    if isinstance(evaluation, Ramps):
        lower, upper = float(evaluation.lower[node]), float(evaluation.upper[node])
        return (lower, upper) if lower < upper else None
    return None


def ends_text(lower: float, upper: float, *, exact: bool = False) -> str:
    """E.g. ``264 to 279``: to two digits of half the width, however far from 0, unless `exact`."""
    if not exact:
        decimals = 1 - floor(log10(upper / 2 - lower / 2))
        lower, upper = round(lower, decimals), round(upper, decimals)
    return f"{number_text(lower)} to {number_text(upper)}"


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

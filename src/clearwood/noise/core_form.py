"""How noise crosses into the core: one object for each column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from clearwood._typing import FloatArray
from clearwood.noise.standard_form import StandardForm

if TYPE_CHECKING:
    from clearwood import _core


def core_noise(forms: Sequence[StandardForm | None] | None) -> list[_core.Noise | None] | None:
    """What the core reads of each column's noise; None where no column has any."""
    from clearwood import _core

    if forms is None or all(form is None for form in forms):
        return None
    return [
        None
        if form is None
        else _core.Noise(form.axis, float(form.shift), _scale(form), form.cdf, _rising(form.table))
        for form in forms
    ]


def _scale(form: StandardForm) -> float | FloatArray:
    if isinstance(form.scale, np.ndarray):
        return np.ascontiguousarray(form.scale, dtype=np.float64)
    return float(form.scale)


def _rising(table: FloatArray | None) -> FloatArray | None:
    return None if table is None else np.ascontiguousarray(table, dtype=np.float64)

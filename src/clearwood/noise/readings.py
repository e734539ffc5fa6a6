"""Readings that are intervals (``<5``, ``16-20``), as numbers with a half-width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan
from numbers import Real
from typing import Any

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError, TableError
from clearwood.table.files import MISSING

_NUMBER = r"([-+−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
_EXACT = re.compile(_NUMBER)
_RANGE = re.compile(rf"{_NUMBER}\s*(?:-|–|—|\.\.|to)\s*{_NUMBER}")
_BELOW = re.compile(rf"(?:<|<=|≤)\s*{_NUMBER}")
_ABOVE = re.compile(rf"(?:>|>=|≥)\s*{_NUMBER}")


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Readings as centres and half-widths.

    Parameters
    ----------
    centre : ndarray of shape (n_rows,)
        Middle of the interval, or the number itself; NaN where missing.
    half_width : ndarray of shape (n_rows,)
        0 where the reading is a number or missing.
    """

    centre: FloatArray
    half_width: FloatArray

    @property
    def n_intervals(self) -> int:
        """How many readings are intervals."""
        return int((self.half_width > 0).sum())


def parse_reading(text: str) -> tuple[float, float]:
    """Lower and upper end of one reading; equal for a number, infinite where it is open.

    Raises
    ------
    TableError
        The text is no reading, or its ends are in the wrong order.

    Examples
    --------
    >>> parse_reading("16-20"), parse_reading("<5"), parse_reading("7.5")
    ((16.0, 20.0), (-inf, 5.0), (7.5, 7.5))
    """
    cell = text.strip()
    if found := _EXACT.fullmatch(cell):
        return _number(found[1]), _number(found[1])
    if found := _BELOW.fullmatch(cell):
        return -inf, _number(found[1])
    if found := _ABOVE.fullmatch(cell):
        return _number(found[1]), inf
    found = _RANGE.fullmatch(cell)
    if found is None:
        raise TableError(f"{text!r} is no reading: write 7.5, <5, >300 or 16-20, without a unit")
    low, high = _number(found[1]), _number(found[2])
    if low > high:
        raise TableError(f"{text!r} is no range: its first end is above its second")
    return low, high


def read_intervals(
    cells: Iterable[Any],
    *,
    lowest: float | None = None,
    highest: float | None = None,
    missing: Sequence[str] = MISSING,
) -> Intervals:
    """Centres and half-widths of a column of readings, for the noise model `Interval`.

    Parameters
    ----------
    cells : iterable
        Texts and numbers; None, NaN and the texts in `missing` are missing.
    lowest : float or None
        The lowest value there can be, which closes ``<5``; 0 for a concentration.
    highest : float or None
        The highest value there can be, which closes ``>300``.
    missing : sequence of str
        Texts that stand for a missing value.

    Raises
    ------
    TableError
        A cell is no reading; the message names its row, counted from 0.
    ParameterError
        A reading is open at an end that no bound closes, or lies beyond the bound.
    """
    ends = [_ends(cell, row, missing) for row, cell in enumerate(cells)]
    low, high = np.array(ends, dtype=np.float64).reshape(-1, 2).T
    _require_bound("lowest", lowest, low == -inf, low, high)
    _require_bound("highest", highest, high == inf, low, high)
    low = np.where(low == -inf, nan if lowest is None else lowest, low)
    high = np.where(high == inf, nan if highest is None else highest, high)
    half_width = (high - low) / 2.0
    return Intervals(low + half_width, np.nan_to_num(half_width, nan=0.0))


def _number(text: str) -> float:
    return float(text.replace("−", "-"))


def _ends(cell: Any, row: int, missing: Sequence[str]) -> tuple[float, float]:
    if cell is None or (isinstance(cell, Real) and isnan(cell)):
        return nan, nan
    if isinstance(cell, Real) and not isinstance(cell, bool):
        return float(cell), float(cell)
    if not isinstance(cell, str):
        raise TableError(f"row {row} holds {cell!r}, which is neither a text nor a number")
    if cell.strip() in missing:
        return nan, nan
    try:
        return parse_reading(cell)
    except TableError as error:
        raise TableError(f"row {row}: {error}") from error


def _require_bound(
    name: str, bound: float | None, is_open: Any, low: FloatArray, high: FloatArray
) -> None:
    if not is_open.any():
        return
    count = int(is_open.sum())
    if bound is None:
        ends = "'<'" if name == "lowest" else "'>'"
        raise ParameterError(
            f"{count} reading(s) start with {ends}: give {name}, the {name} value there can be"
        )
    known = high[is_open] if name == "lowest" else low[is_open]
    beyond = known <= bound if name == "lowest" else known >= bound
    if beyond.any():
        raise ParameterError(
            f"{name} must lie beyond every open reading, but one ends at {known[beyond][0]:g} and "
            f"{name} is {bound!r}"
        )

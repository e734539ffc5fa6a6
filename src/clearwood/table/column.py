"""Columns: what a user wishes of one (`Column`), and what a tree remembers of one (`Feature`)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any, Literal, TypeAlias, get_args

from clearwood.errors import ParameterError

Kind: TypeAlias = Literal["numeric", "ordinal", "nominal"]
Direction: TypeAlias = Literal["increasing", "decreasing"]

KINDS: tuple[Kind, ...] = get_args(Kind)
KINDS = get_args(Kind)


def format_level(label: Hashable) -> str:
    """Text of one level; a whole number is written without a decimal point.

    Whether a level arrived as 1 or as 1.0 is an accident of the library that read it.
    """
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)


@dataclass(frozen=True, slots=True)
class Feature:
    """An input column as a tree remembers it.

    Parameters
    ----------
    name : str
        Column name, exactly as given.
    kind : {"numeric", "ordinal", "nominal"}
        Numbers; levels in an order, cut like numbers; levels without an order.
    levels : tuple of hashable, default=()
        Labels of an ordinal or nominal column: the label of code c is ``levels[c]``.
        Empty for a numeric column.
    unit : str or None, default=None
        Unit of a numeric column, for text only.

    Raises
    ------
    ParameterError
        A label occurs twice, or a numeric column has levels.
    """

    name: str
    kind: Kind
    levels: tuple[Hashable, ...] = ()
    unit: str | None = None

    def __post_init__(self) -> None:
        _require_choice("kind", self.kind, KINDS)
        if self.kind == "numeric" and self.levels:
            raise ParameterError(f"column {self.name!r} is numeric, so levels must be empty")
        if len(set(self.levels)) < len(self.levels):
            raise ParameterError(f"levels of column {self.name!r} must differ, got {self.levels}")

    @property
    def n_levels(self) -> int:
        """Number of levels; 0 for a numeric column."""
        return len(self.levels)

    @property
    def is_nominal(self) -> bool:
        """Whether the column is read as level codes rather than as numbers."""
        return self.kind == "nominal"

    def level_text(self, code: float) -> str:
        """Text of the level with this code (a whole number from 0 to n_levels − 1).

        Raises
        ------
        ParameterError
            There is no such code.
        """
        if code != int(code) or not 0 <= code < self.n_levels:
            raise ParameterError(
                f"code must be a whole number from 0 to {self.n_levels - 1} "
                f"in column {self.name!r}, got {code!r}"
            )
        return format_level(self.levels[int(code)])


@dataclass(frozen=True, slots=True)
class Column:
    """Everything a user may wish of one column; what is None is left to the data.

    Parameters
    ----------
    kind : {"numeric", "ordinal", "nominal"} or None
        How the column is read.
    unit : str or None
        Unit of the values, printed after thresholds.
    resolution : float or None
        Cuts lie on multiples of this step. Positive.
    direction : {"increasing", "decreasing"} or None
        Risk may only rise, or only fall, as the value grows.
    allowed_cuts : sequence of float or None
        The only thresholds that may be used; kept sorted.
    forced : bool, default=False
        Whether `allowed_cuts` are used before any other condition.
    cost : float, default=1.0
        Among near-equal columns the cheaper one is taken. Positive.

    Raises
    ------
    ParameterError
        A value breaks its rule, or two wishes contradict each other.
    """

    kind: Kind | None = None
    unit: str | None = None
    resolution: float | None = None
    direction: Direction | None = None
    allowed_cuts: tuple[float, ...] | None = None
    forced: bool = False
    cost: float = 1.0

    def __post_init__(self) -> None:
        if self.kind is not None:
            _require_choice("kind", self.kind, KINDS)
        if self.direction is not None:
            _require_choice("direction", self.direction, get_args(Direction))
        if self.unit is not None:
            _require_text("unit", self.unit)
        if self.resolution is not None:
            _require_positive("resolution", self.resolution)
        _require_positive("cost", self.cost)
        if self.allowed_cuts is not None:
            object.__setattr__(self, "allowed_cuts", _sorted_cuts(self.allowed_cuts))
        self._require_no_contradiction()

    def _require_no_contradiction(self) -> None:
        _require_choice("forced", self.forced, (False, True))
        if self.forced and self.allowed_cuts is None:
            raise ParameterError("forced=True needs allowed_cuts: the cuts to be forced")
        if self.kind != "nominal":
            return
        for name in ("resolution", "direction", "allowed_cuts"):
            if getattr(self, name) is not None:
                raise ParameterError(
                    f"{name} must be None where kind is 'nominal', since levels without an order "
                    f"have no cuts; got {getattr(self, name)!r}"
                )


def _require_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        raise ParameterError(f"{name} must be one of {', '.join(map(str, choices))}, got {value!r}")


def _require_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(f"{name} must be a text such as 'mmHg', got {value!r}")


def _is_finite_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return isfinite(value)


def _require_positive(name: str, value: Any) -> None:
    if not _is_finite_number(value) or value <= 0:
        raise ParameterError(f"{name} must be a positive finite number, got {value!r}")


def _sorted_cuts(cuts: Any) -> tuple[float, ...]:
    listed = list(cuts) if isinstance(cuts, Iterable) and not isinstance(cuts, str) else []
    if not listed or not all(map(_is_finite_number, listed)):
        raise ParameterError(
            f"allowed_cuts must be a list of finite numbers such as [35], got {cuts!r}"
        )
    return tuple(sorted({float(cut) for cut in listed}))

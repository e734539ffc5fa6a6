"""Checks of option values, worded alike for every method."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from clearwood.errors import ParameterError
from clearwood.tree.witnesses import Witnesses

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree


def require_number(
    name: str, value: Any, *, least: float = 0.0, most: float = math.inf, open: bool = False
) -> None:
    """Refuses what is no finite number in [least, most]; `open` leaves both ends out.

    Raises
    ------
    ParameterError
    """
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if is_number and math.isfinite(value):
        if open and least < value < most:
            return
        if not open and least <= value <= most:
            return
    low, high = ("above", "below") if open else ("of at least", "and at most")
    limit = f" {high} {most:g}" if math.isfinite(most) else ""
    if open and limit:
        limit = f" and{limit}"
    raise ParameterError(f"{name} must be a number {low} {least:g}{limit}, got {value!r}")


def require_whole(name: str, value: Any, *, least: int) -> None:
    """Refuses what is no whole number of at least `least`.

    Raises
    ------
    ParameterError
    """
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, got {value!r}")


def require_flag(name: str, value: Any) -> None:
    """Refuses what is not True or False.

    Raises
    ------
    ParameterError
    """
    if not isinstance(value, bool):
        raise ParameterError(f"{name} must be True or False, got {value!r}")


def require_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuses what is not one of `choices`.

    Raises
    ------
    ParameterError
    """
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"{name} must be one of {', '.join(choices)}, got {value!r}")


def require_method(function: str, method: Any) -> None:
    """Refuses rows in the place of the method, without printing them."""
    if hasattr(method, "shape") or isinstance(method, list | tuple | dict):
        raise ParameterError(
            f"{function} needs a method before X and y: write {function}(model, method, X, y) "
            "with a method such as 'cost_complexity'; the second argument is a "
            f"{type(method).__name__}"
        )


def require_no_witnesses(tree: Tree, what: str) -> None:
    """Refuses a tree with witnesses to what counts the rows of its leaves.

    Raises
    ------
    ParameterError
    """
    if isinstance(tree.evaluation, Witnesses):
        raise ParameterError(
            f"{what} would count rows whose witnesses disagree twice, once in each branch; a tree "
            "with witnesses is pruned by 'tree_size' without raising, which counts each row once"
        )

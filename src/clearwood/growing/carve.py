"""Carves a decision chain from a table.

Park et al., alpha-carving decision chains: each step carves away the side of a condition that is at
low risk, and looks at the rest again with a lower alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, NamedTuple

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import ParameterError
from clearwood.growing.plan import Plan
from clearwood.table.core_table import core_table
from clearwood.table.table import Table
from clearwood.tree.structure import Tree

MONOTONE_RISK = ("both", "remaining")
ON_NO_ROOT = ("clamp", "stop")
DIRECTIONS = ("rising", "falling")
MOST_ALPHA = 256.0
"""No alpha of a chain is larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carving:
    """How a chain is carved.

    Parameters
    ----------
    velocity : float, default=0.1
        Sets alpha in each step, from the share w of the larger class among the rows at hand: the
        larger root of ``velocity = a * (w**(a - 1) - (1 - w)**(a - 1))``, at most 256. A low
        velocity makes long chains of small, pure parts. Useful are 0.01 to 1.
    start_alpha : float or None, default=None
        Alpha of the first step, above 1 and at most 256, instead of `velocity`, which is then
        what this alpha has in the first step.
    max_length : int or None, default=8
        Conditions at most; None is no limit.
    monotone_risk : {"both", "remaining"}, default="both"
        "remaining": what is carved is below the risk of all rows at hand, so that the risk of the
        rest rises. "both": nor is it below what was carved before, so that risks never fall
        along the chain.
    on_no_root : {"clamp", "stop"}, default="clamp"
        Where no alpha has that velocity, which happens when the classes are near balance: take
        the alpha of the highest velocity, or end the chain.
    direction : {"rising", "falling"}, default="rising"
        "rising" carves the lowest risk first; "falling" is its mirror and carves the highest
        risk first, like a falling rule list.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.
    """

    velocity: float = 0.1
    start_alpha: float | None = None
    max_length: int | None = 8
    monotone_risk: Literal["both", "remaining"] = "both"
    on_no_root: Literal["clamp", "stop"] = "clamp"
    direction: Literal["rising", "falling"] = "rising"

    def __post_init__(self) -> None:
        if not _is_number(self.velocity) or not self.velocity > 0:
            raise ParameterError(f"velocity must be a number above 0, got {self.velocity!r}")
        if self.start_alpha is not None and not (
            _is_number(self.start_alpha) and 1 < self.start_alpha <= MOST_ALPHA
        ):
            raise ParameterError(
                f"start_alpha must be None or a number above 1 and at most {MOST_ALPHA:g}, "
                f"got {self.start_alpha!r}"
            )
        if self.max_length is not None and not (_is_whole(self.max_length) and self.max_length > 0):
            raise ParameterError(
                f"max_length must be None or a whole number of at least 1, got {self.max_length!r}"
            )
        for name, choices in (
            ("monotone_risk", MONOTONE_RISK),
            ("on_no_root", ON_NO_ROOT),
            ("direction", DIRECTIONS),
        ):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise ParameterError(f"{name} must be one of {', '.join(choices)}, got {value!r}")


class CarvingStep(NamedTuple):
    """One condition of a chain, and how it was chosen.

    Parameters
    ----------
    alpha : float
        By which conditions were ranked.
    larger_share : float
        Share w of the larger class among the rows at hand.
    velocity : float
        Of that alpha at w: other than the chain's where alpha was held at that of the step
        before, at its limit, or where no alpha has the chain's.
    events, weight : float
        Training weight that was carved: of the event, and of both classes.
    """

    alpha: float
    larger_share: float
    velocity: float
    events: float
    weight: float

    @property
    def risk(self) -> float:
        """Part of the carved weight that has the event."""
        return self.events / self.weight


def carve(
    table: Table,
    classes: AnyArray,
    codes: IntArray,
    weights: FloatArray | None = None,
    *,
    event: int = 1,
    plan: Plan | None = None,
    carving: Carving | None = None,
) -> tuple[Tree, tuple[CarvingStep, ...]]:
    """The chain as a tree whose every inner node has a leaf, and its steps.

    Parameters
    ----------
    table, classes, codes, weights
        As in `grow`; two classes.
    event : {0, 1}, default=1
        Index of the class whose risk is meant.
    plan : Plan or None
        Of it count `cut_at`, `min_samples_leaf` (of both sides; rows with a missing value count
        on the side that stays), `cost`, `n_threads` and `softness`.
    carving : Carving or None
        None is ``Carving()``.

    Returns
    -------
    tree : Tree
        Rows with a missing value stay in the chain: all their weight goes to the branch that is
        no leaf. `score` and `gain` are gains in alpha-divergence from the uniform reference, each
        by its step's alpha.
    steps : tuple of CarvingStep
        In the order of the chain.

    Raises
    ------
    ParameterError
        There are not two classes.
    """
    from clearwood import _core

    if len(classes) != 2:
        raise ParameterError(f"a chain carves two classes, got {len(classes)}")
    plan, carving = plan or Plan(), carving or Carving()
    start = carving.start_alpha
    arrays, path = _core.carve(
        core_table(table),
        codes,
        weights,
        plan.for_core(table.n_columns),
        event=event,
        velocity=float(carving.velocity),
        start_alpha=None if start is None else float(start),
        max_length=min(int(carving.max_length or table.n_rows), table.n_rows),
        stops_without_root=carving.on_no_root == "stop",
        orders_risks=carving.monotone_risk == "both",
        is_falling=carving.direction == "falling",
    )
    values = zip(*(path[name].tolist() for name in CarvingStep._fields), strict=True)
    steps = tuple(CarvingStep(*step) for step in values)
    return Tree.of_core(arrays, table.features, classes), steps


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral)

"""The α-carving decision chain by the letter: every condition of every column, counted anew.

Park, Ho and Ghosh (2016), ACDC: α-carving decision chain for risk stratification, section 2.3.
Where the paper is silent:

- The whole side of lower risk is carved, events and all; a rule cannot see labels.
- α never rises along the chain.
- A row without a value stays in the chain and counts on the side that stays. Which known side is
  carved is settled among the known: the one with the lower rate of events, as long as it is below
  that of all rows at hand.
- A falling chain carves the highest risk first: it is the rising chain of the other class.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reference.alpha import carved_alpha, carving_value, velocity
from reference.tree import MISSING, Array, Rows


@dataclass(frozen=True)
class Options:
    """How to carve; names as of the estimator. `min_samples_leaf` None: the more of 10 and 1 %."""

    velocity: float = 0.1
    start_alpha: float | None = None
    max_length: int = 8
    monotone_risk: str = "both"
    min_samples_leaf: float | None = None
    direction: str = "rising"
    on_no_root: str = "clamp"


@dataclass(frozen=True)
class Condition:
    """``value < cut``, or ``value == cut`` of a level code, or the opposite of that."""

    column: int
    cut: float
    is_level: bool = False
    is_opposite: bool = False

    def holds(self, values: Array) -> Array:
        """Whether it does; never where the value is missing."""
        is_missing = values == MISSING if self.is_level else np.isnan(values)
        plain = values == self.cut if self.is_level else values < self.cut
        result: Array = ~is_missing & (plain != self.is_opposite)
        return result


@dataclass(frozen=True)
class Step:
    """A rule; the last has no condition. Masses are those carved: without and with the event."""

    condition: Condition | None
    others: float
    events: float
    alpha: float = math.nan
    value: float = math.nan

    @property
    def risk(self) -> float:
        return self.events / (self.others + self.events)


def conditions(rows: Rows, column: int) -> Iterator[Condition]:
    """Every cut at a midpoint, or every level, from the lowest."""
    values = rows.columns[column]
    if rows.n_levels[column]:
        for level in np.unique(values[values != MISSING]):
            yield Condition(column, float(level), is_level=True)
        return
    for lower, upper in pairwise(np.unique(values[~np.isnan(values)]).tolist()):
        middle = lower + (upper / 2 - lower / 2)
        yield Condition(column, middle if middle > lower else upper)


def rate(masses: Array) -> float:
    """Part of the mass that has the event (class 1)."""
    return float(masses[1] / masses.sum())


def carved(rows: Rows, plain: Condition) -> Condition | None:
    """The condition of the known side with the lower rate; None where there is but one side."""
    opposite = Condition(plain.column, plain.cut, plain.is_level, not plain.is_opposite)
    values = rows.columns[plain.column]
    first, second = (rows.masses(side.holds(values)) for side in (plain, opposite))
    if not (first.sum() > 0 and second.sum() > 0):
        return None
    return plain if rate(first) <= rate(second) else opposite


def feasible(rows: Rows, last_risk: float, least: float) -> Iterator[tuple[Condition, Array]]:
    """Every condition that may be carved, with the masses (carved and staying, classes)."""
    for column, values in enumerate(rows.columns):
        for plain in conditions(rows, column):
            condition = carved(rows, plain)
            if condition is None:
                continue
            goes = condition.holds(values)
            sides = np.array([rows.masses(goes), rows.masses(~goes)])
            if sides.sum(axis=1).min() < least:
                continue
            if last_risk <= rate(sides[0]) < rate(sides.sum(axis=0)):
                yield condition, sides


def best(
    rows: Rows, alpha: float, last_risk: float, least: float
) -> tuple[Condition, Array, float] | None:
    """The feasible condition of the highest value; ties go to the lower column, then lower cut."""
    found = [
        (condition, sides, carving_value(sides, alpha))
        for condition, sides in feasible(rows, last_risk, least)
    ]
    return max(found, key=lambda one: one[2], default=None)


def alphas_from(rows: Rows, options: Options) -> tuple[float, float]:
    """The velocity, and what α may be at most in the first step."""
    if options.start_alpha is None:
        return options.velocity, math.inf
    pi = rate(rows.masses(np.arange(len(rows.classes))))
    return velocity(options.start_alpha, max(pi, 1 - pi)), options.start_alpha


def rising(rows: Rows, options: Options) -> list[Step]:
    """Carves the lowest risk first; class 1 is the event."""
    least = options.min_samples_leaf
    if least is None:
        least = max(10.0, 0.01 * rows.weights.sum())
    speed, alpha = alphas_from(rows, options)
    steps: list[Step] = []
    while True:
        masses = rows.masses(np.arange(len(rows.classes)))
        is_done = len(steps) == options.max_length or masses.min() == 0
        if is_done or masses.sum() < 2 * least:
            break
        pi = rate(masses)
        at_most = carved_alpha(speed, max(pi, 1 - pi), options.on_no_root)
        if at_most is None:
            break
        alpha = min(alpha, at_most)
        last_risk = steps[-1].risk if steps and options.monotone_risk == "both" else -math.inf
        chosen = best(rows, alpha, last_risk, least)
        if chosen is None:
            break
        condition, sides, value = chosen
        steps.append(Step(condition, float(sides[0, 0]), float(sides[0, 1]), alpha, value))
        stays = ~condition.holds(rows.columns[condition.column])
        rows = rows.part(stays, rows.weights[stays])
    return [*steps, Step(None, float(masses[0]), float(masses[1]))]


def carve(rows: Rows, options: Options | None = None) -> list[Step]:
    """The steps of the chain; the last is what no rule took. Class 1 is the event."""
    options = options or Options()
    if options.direction == "rising":
        return rising(rows, options)
    turned = Rows(rows.columns, rows.n_levels, 1 - rows.classes, 2, rows.weights)
    return [
        Step(step.condition, step.events, step.others, step.alpha, step.value)
        for step in rising(turned, options)
    ]


def steps_of(steps: list[Step], columns: list[Array]) -> Array:
    """Number of the step that takes each row."""
    number = np.full(len(columns[0]), len(steps) - 1)
    for at in reversed(range(len(steps) - 1)):
        condition = steps[at].condition
        assert condition is not None
        number[condition.holds(columns[condition.column])] = at
    return number


def risks(steps: list[Step], columns: list[Array]) -> Array:
    """Risk of each row: the rate of events of its step."""
    return np.array([step.risk for step in steps])[steps_of(steps, columns)]

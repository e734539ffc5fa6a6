"""A path as a rule: one short condition for each column, in the order of the path.

A rule speaks of known values, and says ``or missing`` where every missing value goes its way too;
where missing values are divided among branches, several rules answer. Where conditions on its path
have witnesses, it speaks of rows whose witnesses agree with them: where they do not, several rules
answer and a vote decides. The training weight it names includes rows that came to the leaf by their
share of a missing value, and copies of rows whose witnesses disagreed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from clearwood._typing import FloatArray
from clearwood.tree.conditions import branch_of_codes, condition_at, encoded, has_levels
from clearwood.tree.witnesses import Witnesses, has_witnesses
from clearwood.tree.wording import (
    level_set_text,
    name_text,
    number_text,
    share_text,
    unit_text,
    weight_text,
)

if TYPE_CHECKING:
    from clearwood.table.column import Feature
    from clearwood.tree.structure import Tree


@dataclass(frozen=True, slots=True)
class Interval:
    """What several cuts leave of a numeric column.

    Parameters
    ----------
    feature : Feature
        The column.
    lower, upper : float
        The ends; infinite where open.
    includes_lower, includes_upper : bool
        Whether the end itself belongs to the interval.
    or_missing : bool
        Whether all missing values are meant too.
    """

    feature: Feature
    lower: float = -inf
    upper: float = inf
    includes_lower: bool = False
    includes_upper: bool = False
    or_missing: bool = False

    def holds(self, value: Any) -> bool:
        """Whether `value` lies inside; a missing value does where they are meant too."""
        number = encoded(self.feature, value)
        if number is None:
            return self.or_missing
        above = number >= self.lower if self.includes_lower else number > self.lower
        below = number <= self.upper if self.includes_upper else number < self.upper
        return above and below

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left, not even what is missing."""
        return not self.or_missing and self.has_no_value

    @property
    def has_no_value(self) -> bool:
        """Whether no known value lies inside."""
        if self.lower == self.upper:
            return not (self.includes_lower and self.includes_upper)
        return self.lower > self.upper

    def below(self, threshold: float, *, including: bool) -> Interval:
        """The part at most `threshold`, or strictly below it."""
        if (threshold, including) >= (self.upper, self.includes_upper):
            return self
        return replace(self, upper=threshold, includes_upper=including)

    def above(self, threshold: float, *, including: bool) -> Interval:
        """The part at least `threshold`, or strictly above it."""
        if (threshold, not including) <= (self.lower, not self.includes_lower):
            return self
        return replace(self, lower=threshold, includes_lower=including)

    def text(self) -> str:
        """E.g. ``ef <= 35 %``, ``35 < ef <= 50 %`` or ``ef > 50 % or missing``."""
        return _with_missing(self, self._values_text())

    def _values_text(self) -> str:
        name = name_text(self.feature.name)
        unit = unit_text(self.feature.unit)
        if self.lower > -inf and self.upper < inf:
            sign = "<=" if self.includes_lower else "<"
            name = f"{number_text(self.lower)} {sign} {name}"
        elif self.lower > -inf:
            return f"{name} {'>=' if self.includes_lower else '>'} {number_text(self.lower)}{unit}"
        return f"{name} {'<=' if self.includes_upper else '<'} {number_text(self.upper)}{unit}"


@dataclass(frozen=True, slots=True)
class LevelSet:
    """What several conditions leave of the levels of a column.

    Parameters
    ----------
    feature : Feature
        The column.
    codes : tuple of int
        The level codes left, in order.
    or_missing : bool
        Whether all missing values, and levels that the tree does not know, are meant too.
    """

    feature: Feature
    codes: tuple[int, ...]
    or_missing: bool = False

    def holds(self, value: Any) -> bool:
        """Whether the level `value` is in the set, or missing or unknown where they are meant."""
        code = encoded(self.feature, value)
        return self.or_missing if code is None else code in self.codes

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left, not even what is missing."""
        return not self.or_missing and self.has_no_value

    @property
    def has_no_value(self) -> bool:
        """Whether no level is left."""
        return not self.codes

    def text(self) -> str:
        """E.g. ``thal in {"fixed", "normal"}``, with ``or missing`` where they are meant too."""
        levels = level_set_text(self.feature, self.codes)
        return _with_missing(self, f"{name_text(self.feature.name)} in {levels}")


Restriction: TypeAlias = Interval | LevelSet


def _with_missing(part: Restriction, words: str) -> str:
    """`words` of the known values of `part`, and what it says of missing ones."""
    if not part.or_missing:
        return words
    return (
        f"{name_text(part.feature.name)} is missing" if part.has_no_value else f"{words} or missing"
    )


def conjuncts(parts: Sequence[Restriction]) -> list[str]:
    """Each part as it stands among several: ``(ef > 35 % or missing)``; alone without brackets."""
    return [
        f"({part.text()})" if part.or_missing and not part.has_no_value and len(parts) > 1
        else part.text()
        for part in parts
    ]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One leaf as a conjunction.

    Parameters
    ----------
    leaf : int
        The node of the tree.
    restrictions : tuple of Interval or LevelSet
        One a column, in the order of the path; empty for a tree of one leaf.
    label : object
        The class, as it was given in training.
    class_name : str
        How the class is written.
    probabilities : ndarray of float, shape (n_classes,)
        Class probabilities.
    class_probability : float
        That of `label`.
    weight : float
        Training weight that reached the leaf.
    share : float
        `weight` as part of the whole training weight; NaN where there was none.
    witnesses : {None, "agree", "disagree"}
        "agree": the rule holds where the witnesses on its path agree with its conditions.
        "disagree": no value fits all its conditions, so that the leaf answers only for rows whose
        witnesses disagree. None: no condition on its path has witnesses.
    """

    leaf: int
    restrictions: tuple[Restriction, ...]
    label: Any
    class_name: str
    probabilities: FloatArray
    class_probability: float
    weight: float
    share: float
    witnesses: Literal["agree", "disagree"] | None = None

    @property
    def conditions(self) -> str:
        """The conjunction alone; empty where it always holds.

        It ends in ``witnesses agree`` where it needs that, and is ``witnesses disagree`` alone
        where no values fit.
        """
        if self.witnesses == "disagree":
            return "witnesses disagree"
        agreed = () if self.witnesses is None else ("witnesses agree",)
        return " and ".join([*conjuncts(self.restrictions), *agreed])

    def text(self, digits: int | None = 2) -> str:
        """E.g. ``if chol <= 240 mg/dL and sex in {"m"} then disease 0.87 (n = 53)``.

        With witnesses: ``if chol <= 240 mg/dL and witnesses agree then ...``.
        """
        when = f"if {self.conditions} then" if self.restrictions else "always"
        probability = share_text(self.class_probability, digits)
        weight = weight_text(self.weight, digits)
        return f"{when} {name_text(self.class_name)} {probability} (n = {weight})"

    def __str__(self) -> str:
        return self.text()


def rules(tree: Tree) -> list[Rule]:
    """One rule for each leaf of `tree`, in the order of the leaves."""
    found = []
    todo: list[tuple[int, Mapping[int, Restriction], bool]] = [(0, {}, False)]
    while todo:
        node, restrictions, confirmed = todo.pop()
        if tree.is_leaf[node]:
            found.append(_rule(tree, node, tuple(restrictions.values()), confirmed))
            continue
        column = int(tree.column[node])
        confirmed = confirmed or has_witnesses(tree, node)
        for branch, child in reversed(list(enumerate(tree.children(node).tolist()))):
            part = restricted(tree, node, branch, restrictions.get(column))
            todo.append((child, {**restrictions, column: part}, confirmed))
    return found


def restrictions_to(tree: Tree, node: int) -> tuple[Restriction, ...]:
    """What the branches from the root to `node` leave of each column, in the order of the path."""
    way = [node]
    while way[-1] > 0:
        way.append(int(tree.parent[way[-1]]))
    found: dict[int, Restriction] = {}
    for child, parent in zip(way[-2::-1], way[:0:-1], strict=True):
        branch = int(np.searchsorted(tree.children(parent), child))
        column = int(tree.column[parent])
        found[column] = restricted(tree, parent, branch, found.get(column))
    return tuple(found.values())


def way_text(tree: Tree, node: int) -> str:
    """What holds on the way to `node`: a condition a column, or each, where no value fits them all.

    Empty at the root.
    """
    parts = restrictions_to(tree, node)
    if not any(part.is_empty for part in parts):
        return " and ".join(conjuncts(parts))
    words = []
    while node > 0:
        parent = int(tree.parent[node])
        branch = int(np.searchsorted(tree.children(parent), node))
        words.append(condition_at(tree, parent).text(branch))
        node = parent
    return " and ".join(words[::-1])


def restricted(tree: Tree, node: int, branch: int, before: Restriction | None) -> Restriction:
    """What `branch` of `node` leaves of its column, of which `before` was left so far."""
    feature = tree.features[tree.column[node]]
    or_missing = takes_missing(tree, node, branch) and (before is None or before.or_missing)
    if has_levels(tree, node):
        codes = tuple(np.flatnonzero(branch_of_codes(tree, node) == branch).tolist())
        if isinstance(before, LevelSet):
            codes = tuple(code for code in codes if code in before.codes)
        return LevelSet(feature, codes, or_missing)
    interval = before if isinstance(before, Interval) else Interval(feature)
    threshold, strict = float(tree.threshold[node]), bool(tree.strict[node])
    if branch == 0:
        interval = interval.below(threshold, including=not strict)
    else:
        interval = interval.above(threshold, including=strict)
    return replace(interval, or_missing=or_missing)


def takes_missing(tree: Tree, node: int, branch: int) -> bool:
    """Whether every missing value of the column that `node` tests goes to `branch`, undivided."""
    return not isinstance(tree.evaluation, Witnesses) and float(tree.shares(node)[branch]) == 1


def _rule(tree: Tree, leaf: int, restrictions: tuple[Restriction, ...], confirmed: bool) -> Rule:
    fits = not any(part.is_empty for part in restrictions)
    label = int(tree.label[leaf])
    weight, total = float(tree.masses[leaf].sum()), float(tree.masses[0].sum())
    return Rule(
        leaf=leaf,
        restrictions=restrictions,
        label=tree.classes[label],
        class_name=tree.class_names[label],
        probabilities=tree.distribution[leaf],
        class_probability=float(tree.distribution[leaf, label]),
        weight=weight,
        share=weight / total if total > 0 else float("nan"),
        witnesses=("agree" if fits else "disagree") if confirmed else None,
    )

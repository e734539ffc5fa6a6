"""The way of one row through a tree, for a person to follow: each value, condition and branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._typing import AnyArray, FloatArray
from clearwood.errors import ColumnNotFound, ParameterError, TableError
from clearwood.tree.chain import shown_as_chain, steps
from clearwood.tree.conditions import (
    Condition,
    PossibleLevels,
    condition_at,
    encoded,
    is_missing,
    narrowed,
    value_text,
)
from clearwood.tree.predict import core_evaluation, core_table
from clearwood.tree.rules import takes_missing
from clearwood.tree.testimony import (
    INDENT,
    Dispute,
    Testimony,
    dispute,
    disputed,
    subtree_answers,
    testimonies,
    told,
)
from clearwood.tree.witnesses import looked_at
from clearwood.tree.wording import name_text, share_text

if TYPE_CHECKING:
    from clearwood.table.column import Feature
    from clearwood.tree.structure import Tree

UNKNOWN = "give None if unknown"
OR_MISSING = "or missing"


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch that a row takes: its number, the node it leads to, the row's share of it."""

    number: int
    child: int
    share: float


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to a row at one inner node.

    Parameters
    ----------
    node : int
        The node.
    weight : float
        Part of the row that is here, in (0, 1].
    value : object
        The row's value in the tested column, as it was given.
    condition : CutCondition or LevelsCondition
        What is asked of it.
    branches : tuple of Branch
        One branch with share 1 where the value is known and trusted; several where it is missing,
        or where the tree's evaluation divides it.
    testimonies : tuple of Testimony, optional
        What each witness of the node says of the row, the strongest first.
    dispute : Dispute or None, optional
        Of a tree with witnesses: what both subtrees answered, where both were asked.
    missing : str, optional
        Where a missing value goes, if undivided: ``stays in the chain``, ``is carved``, or, of
        other trees, ``or missing``, which stands behind the words of its branch.
    """

    node: int
    weight: float
    value: Any
    condition: Condition
    branches: tuple[Branch, ...]
    testimonies: tuple[Testimony, ...] = ()
    dispute: Dispute | None = None
    missing: str = ""

    def text(self, digits: int | None = 2) -> str:
        """E.g. ``ef = 32 %: ef <= 35 %``; a divided row names each branch with its share.

        In a chain a missing value meets no condition: ``ef is missing: stays in the chain``.
        Witnesses follow: ``ef = 32 %: ef <= 35 %; 3 of 4 witnesses agree``. Where both subtrees
        were asked, further lines name what each witness saw, both answers and the vote.
        ``digits=None`` writes every digit, of values too, which else are shortened.
        """
        return "\n".join(self._lines(digits, {}))

    def _lines(self, digits: int | None, below: Mapping[int, Sequence[str]]) -> list[str]:
        """The words of the step, with the lines of the steps below each branch, by its child."""
        if self.dispute is None:
            further = [line for branch in self.branches for line in below.get(branch.child, ())]
            return [self._line(digits), *further]
        sides = [below.get(child, ()) for child in self.dispute.children]
        heard = self.testimonies
        both = disputed(self.condition, self.value, heard, self.dispute, digits, sides)
        return [self._line(digits), *(f"{INDENT}{line}" for line in both)]

    def _line(self, digits: int | None) -> str:
        words = value_text(self.condition, self.value, exact=digits is None)
        name = name_text(self.condition.feature.name)
        given = f"{name} = {words}"
        if self.missing and self.missing != OR_MISSING:
            unknown = f"{name} is missing" if is_missing(self.value) else f"{given}, not known"
            return f"{unknown}: {self.missing}"
        if self.testimonies or self.dispute is not None:
            return given + told(self.condition, self.value, self.testimonies)
        whole = len(self.branches) == 1 and self.branches[0].share == 1
        taken = " or ".join(
            self.condition.text(branch.number)
            + ("" if whole else f" ({share_text(branch.share, digits)})")
            for branch in self.branches
        )
        return f"{given}: {taken} {self.missing}".rstrip()


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The way of one row from the root to its leaves.

    Parameters
    ----------
    steps : tuple of Step
        The inner nodes that the row passes, in pre-order.
    leaves : tuple of (int, float)
        The leaves it reaches and its share of each; the shares sum to 1 (a little less where
        ramps are evaluated as release 8 does).
    probabilities : ndarray of float, shape (n_classes,)
        The leaves' class probabilities, averaged by share.
    label : object
        The most probable class, as it was given in training; of equals the first.
    class_name : str
        How that class is written.
    """

    steps: tuple[Step, ...]
    leaves: tuple[tuple[int, float], ...]
    probabilities: FloatArray
    label: Any
    class_name: str

    def text(self, digits: int | None = 2) -> str:
        """The steps, one line each unless witnesses disagree, then class and probability.

        Where both subtrees were asked, the steps of each are indented below its condition.
        """
        blocks: dict[int, list[str]] = {}
        for step in reversed(self.steps):  # steps below come before those above
            blocks[step.node] = step._lines(digits, blocks)
        steps = blocks[self.steps[0].node] if self.steps else []
        probability = share_text(float(self.probabilities.max()), digits)
        return "\n".join([*steps, f"=> {name_text(self.class_name)} {probability}"])

    def __str__(self) -> str:
        return self.text()


def path(tree: Tree, row: Any) -> Path:
    """The way of `row` through `tree`.

    Parameters
    ----------
    tree : Tree
        The tree.
    row : mapping, Series or 1-d sequence
        Values by column name, or in the order of the tree's features. None, NaN, a level that the
        tree does not know, and one without a branch go where the missing go. A column that says
        how large the noise of a row is goes by its name.

    Raises
    ------
    ColumnNotFound
        A column that the tree tests is not in the row.
    TableError
        `row` is not one row, or has another number of values than the tree has features.
    """
    values = _values(tree, row)
    shares = _shares(tree, row, values)
    answers = subtree_answers(tree, shares)
    passed, leaves = [], []
    carved = _carved(tree)
    todo: list[tuple[int, float, PossibleLevels]] = [(0, 1.0, {})]
    while todo:
        node, weight, possible = todo.pop()
        if tree.is_leaf[node]:
            leaves.append((node, weight))
            continue
        step = _step(tree, node, weight, values, shares, answers, possible)
        step = replace(step, missing=_where_missing(tree, step, carved))
        passed.append(step)
        if not step.branches:  # its shares are too small for a number
            leaves.append((node, weight))
        for branch in reversed(step.branches):
            below = narrowed(tree, node, branch.number, possible)
            todo.append((branch.child, weight * branch.share, below))
    probabilities = np.zeros(tree.n_classes)
    for leaf, weight in leaves:
        probabilities += weight * tree.distribution[leaf]
    label = int(probabilities.argmax())
    return Path(
        tuple(passed), tuple(leaves), probabilities, tree.classes[label], tree.class_names[label]
    )


def _step(
    tree: Tree,
    node: int,
    weight: float,
    values: Mapping[int, Any],
    shares: FloatArray,
    answers: FloatArray | None,
    possible: PossibleLevels,
) -> Step:
    branches = tuple(
        Branch(number, child, float(shares[child]))
        for number, child in enumerate(tree.children(node).tolist())
        if weight * shares[child] > 0
    )
    value, condition = values[int(tree.column[node])], condition_at(tree, node, possible)
    if answers is None:
        return Step(node, weight, value, condition, branches)
    heard = testimonies(tree, node, condition, value, values)
    both = dispute(tree, node, condition.branch_of(value), heard, shares, answers)
    return Step(node, weight, value, condition, branches, heard, both)


def _carved(tree: Tree) -> dict[int, int]:
    """Of a chain: the leaf that is carved at each node; of other trees nothing."""
    if not shown_as_chain(tree, "auto"):
        return {}
    return {step.node: step.leaf for step in steps(tree) if step.node is not None}


def _where_missing(tree: Tree, step: Step, carved: Mapping[int, int]) -> str:
    """What is said of a value that is missing, or unknown, and goes one way alone."""
    if step.condition.branch_of(step.value) is not None or len(step.branches) != 1:
        return ""
    (branch,) = step.branches
    if not takes_missing(tree, step.node, branch.number):
        return ""
    if not carved:
        return OR_MISSING
    return "is carved" if branch.child == carved[step.node] else "stays in the chain"


def _shares(tree: Tree, row: Any, values: Mapping[int, Any]) -> FloatArray:
    """Which part of the row goes on to each node from its parent, as the core says."""
    from clearwood.table.table import Table

    columns = [_column(feature, values.get(j)) for j, feature in enumerate(tree.features)]
    table = Table(tree.features, columns, None, 1)
    beside = {}
    if tree.evaluation is not None:
        names = tree.evaluation.size_columns(table)
        beside = {name: np.array([_size(row, name)]) for name in names}
    evaluation = core_evaluation(tree, table, beside)
    shares: FloatArray = tree.predictor.shares(core_table(table), evaluation)[0]
    return shares


def _column(feature: Feature, value: Any) -> AnyArray:
    """One value as the core codes it."""
    code = encoded(feature, value)
    if feature.is_nominal:
        return np.array([-1 if code is None else code], np.int32)
    return np.array([np.nan if code is None else code], np.float64)


def _size(row: Any, name: str) -> float:
    """The row's entry in a column that says how large its noise is; NaN where it is missing."""
    if not hasattr(row, "keys"):
        raise ParameterError(f"row must be a mapping or a series: column {name!r} is asked by name")
    if name not in row:
        raise ColumnNotFound(name, map(str, row.keys()), UNKNOWN)
    return float("nan") if is_missing(row[name]) else float(row[name])


def _values(tree: Tree, row: Any) -> dict[int, Any]:
    """The row's value of each column that the tree's conditions and witnesses look at."""
    if len(getattr(row, "shape", (1,))) != 1:
        raise TableError(f"path follows one row, got a table of shape {row.shape}; pass one row")
    tested = looked_at(tree)
    if hasattr(row, "keys"):
        names = list(row.keys())
        for column in tested:
            if tree.features[column].name not in names:
                raise ColumnNotFound(tree.features[column].name, map(str, names), UNKNOWN)
        return {column: row[tree.features[column].name] for column in tested}
    if isinstance(row, str) or not (isinstance(row, Sequence) or hasattr(row, "__array__")):
        raise ParameterError(
            f"row must be a mapping, a series or a 1-d sequence, got {type(row).__name__}"
        )
    if len(row) != len(tree.features):
        raise TableError(f"row must have {len(tree.features)} values, has {len(row)}")
    return {column: row[column] for column in tested}

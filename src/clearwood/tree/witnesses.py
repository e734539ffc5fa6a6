"""Witnesses: conditions on other columns that should say of a row what its node's condition says.

Where they do, the row takes the branch of the node's condition. Where one speaks against it, both
subtrees answer and a vote decides (verified trees, RS-V).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from clearwood._typing import AnyArray, BoolArray, FlagArray, FloatArray, IntArray
from clearwood.errors import InvalidTreeError, ParameterError
from clearwood.tree.conditions import Condition, CutCondition, LevelsCondition
from clearwood.tree.frozen import frozen, same
from clearwood.tree.validation import refuse
from clearwood.tree.wording import level_set_text, name_text

if TYPE_CHECKING:
    from clearwood import _core
    from clearwood.table.column import Feature
    from clearwood.table.table import Table
    from clearwood.tree.structure import Tree

Conflict = Literal["paper", "main", "probability"]
"""How a row is decided whose witnesses disagree."""

_ARRAYS: Mapping[str, Any] = {
    "column": np.int32,
    "threshold": np.float64,
    "level": np.int32,
    "is_reversed": np.uint8,
    "agreement": np.float64,
}
_ROUNDING = 1e-6
"""By so much an agreement may be above 1, where weights are fractions."""


@dataclass(frozen=True, slots=True)
class Witness:
    """One condition on another column that confirms a node's condition, or does not.

    Parameters
    ----------
    condition : CutCondition or LevelsCondition
        The pattern: branch 0 where it holds, 1 where it does not. A cut is strict; of levels, one
        takes branch 0.
    is_reversed : bool
        Whether it speaks for the first branch of its node where the pattern does not hold.
    agreement : float
        Part of the pairs of rows of different classes that the node's condition tells apart which
        the witness tells apart in the same way, in (0, 1].
    """

    condition: Condition
    is_reversed: bool = False
    agreement: float = 1.0

    @classmethod
    def below(
        cls,
        feature: Feature,
        threshold: float,
        *,
        is_reversed: bool = False,
        agreement: float = 1.0,
    ) -> Witness:
        """Speaks for the first branch below `threshold`, or, if reversed, from there on."""
        return cls(CutCondition(feature, float(threshold), True), is_reversed, agreement)

    @classmethod
    def equal(
        cls, feature: Feature, code: int, *, is_reversed: bool = False, agreement: float = 1.0
    ) -> Witness:
        """Speaks for the first branch at the level of `code`, or, if reversed, at all others."""
        branches = tuple(int(other != code) for other in range(feature.n_levels))
        return cls(LevelsCondition(feature, branches, 2), is_reversed, agreement)

    @property
    def feature(self) -> Feature:
        """The column that it looks at."""
        return self.condition.feature

    def speaks_for(self, value: Any) -> int | None:
        """Branch of the node that it speaks for; None: missing or unknown, so that it abstains."""
        pattern = self.condition.branch_of(value)
        return None if pattern is None else pattern ^ self.is_reversed

    def text(self, branch: int = 0) -> str:
        """What holds where it speaks for `branch` of its node, e.g. ``apo_b < 1.2 g/L``."""
        pattern = branch ^ self.is_reversed
        if isinstance(self.condition, CutCondition) or pattern == 0 or self.feature.n_levels == 2:
            return self.condition.text(pattern)
        level = level_set_text(self.feature, self.condition.codes(0))
        return f"{name_text(self.feature.name)} not in {level}"


@dataclass(frozen=True, slots=True, eq=False)
class Witnesses:
    """Both branches of a node whose witnesses do not all say what its condition says (RS-V).

    A node has k witnesses that know a value of the row, k1 of which speak for its first branch.
    Where the node's condition is known and all k speak as it does, that branch alone counts.
    Otherwise both subtrees answer. With v = (k1 + m) / (k + 1), m being 1 or 0 as the condition
    says, or the first branch's share of missing values where it is not known, the answers are
    averaged by v and 1 - v, or one of them wins.

    Parameters
    ----------
    start : ndarray of int32, shape (n_nodes + 1,)
        The witnesses of node i are ``start[i] ... start[i + 1] - 1`` of the other arrays, from the
        strongest to the weakest, at most one a column.
    column : ndarray of int32
        The column that a witness looks at, an index into the tree's features.
    threshold : ndarray of float64
        Its pattern holds where ``value < threshold``; NaN where the column is nominal. On an
        ordinal column the value is the level's code.
    level : ndarray of int32
        Of a nominal column: its pattern holds at the level of this code; -1 elsewhere.
    is_reversed : ndarray of uint8
        1 where it speaks for the first branch if the pattern does not hold.
    agreement : ndarray of float64
        Part of the pairs of rows of different classes told apart by the node's condition that the
        witness tells apart in the same way, in (0, 1].
    conflict : {"paper", "main", "probability"}
        "paper": where both subtrees answer alike they are averaged; else the branch with more
        witnesses wins, at a tie the second (of a missing value, that with the larger share).
        "main": the node's condition votes too, and a tie goes its way. "probability": always
        averaged.

    Raises
    ------
    ParameterError
        Another conflict.

    Notes
    -----
    A witness whose value is missing, or a level unknown in training, abstains.

    References
    ----------
    Bazan et al., "A classifier based on a decision tree with verifying cuts" (2014), section 2.
    """

    start: IntArray
    column: IntArray
    threshold: FloatArray
    level: IntArray
    is_reversed: FlagArray
    agreement: FloatArray
    conflict: Conflict = "paper"

    def __post_init__(self) -> None:
        if self.conflict not in get_args(Conflict):
            raise ParameterError(
                f"conflict must be 'paper', 'main' or 'probability', got {self.conflict!r}"
            )
        for name, dtype in {"start": np.int32, **_ARRAYS}.items():
            object.__setattr__(self, name, frozen(getattr(self, name), dtype))

    @classmethod
    def of(
        cls, tree: Tree, by_node: Mapping[int, Sequence[Witness]], conflict: Conflict = "paper"
    ) -> Witnesses:
        """The witnesses of each node of `tree`, from values; a node that is not named has none."""
        places = {feature.name: place for place, feature in enumerate(tree.features)}
        listed = [by_node.get(node, ()) for node in range(tree.n_nodes)]
        flat = [witness for witnesses in listed for witness in witnesses]
        patterns = [_pattern(witness.condition) for witness in flat]
        return cls(
            np.cumsum([0, *map(len, listed)]),
            np.array([places[witness.feature.name] for witness in flat], np.int32),
            np.array([threshold for threshold, _ in patterns], np.float64),
            np.array([level for _, level in patterns], np.int32),
            np.array([witness.is_reversed for witness in flat], np.uint8),
            np.array([witness.agreement for witness in flat], np.float64),
            conflict,
        )

    def of_node(self, node: int, features: Sequence[Feature]) -> tuple[Witness, ...]:
        """The witnesses of `node` as values, from the strongest to the weakest."""
        return tuple(
            self._witness(place, features[self.column[place]])
            for place in range(self.start[node], self.start[node + 1])
        )

    def _witness(self, place: int, feature: Feature) -> Witness:
        is_reversed, agreement = bool(self.is_reversed[place]), float(self.agreement[place])
        if feature.is_nominal:
            level = int(self.level[place])
            return Witness.equal(feature, level, is_reversed=is_reversed, agreement=agreement)
        threshold = float(self.threshold[place])
        return Witness.below(feature, threshold, is_reversed=is_reversed, agreement=agreement)

    def require_fit(self, tree: Tree) -> None:
        """Raise `InvalidTreeError` unless these can be the witnesses of `tree`."""
        self._require_shapes(tree)
        n_children = np.diff(tree.child_start)
        refuse(
            ~tree.is_leaf & (n_children != 2),
            "child_start",
            "must give a node of a tree with witnesses two children",
            n_children,
        )
        n_witnesses = np.diff(self.start)
        refuse(tree.is_leaf & (n_witnesses > 0), "witnesses.start", "gives a leaf witnesses",
               n_witnesses)  # fmt: skip
        node = self._node()
        self._require_columns(tree, node)
        self._require_patterns(tree, node)
        self._require_agreement(node)

    def _require_shapes(self, tree: Tree) -> None:
        ends = (0, len(self.column))
        if self.start.shape != (tree.n_nodes + 1,) or (self.start[0], self.start[-1]) != ends:
            raise InvalidTreeError(
                f"witnesses.start must have {tree.n_nodes + 1} entries, from 0 to the number of "
                f"witnesses, {ends[1]}; it has shape {self.start.shape}"
            )
        refuse(np.diff(self.start) < 0, "witnesses.start", "must not fall", self.start[1:])
        for name in _ARRAYS:
            if getattr(self, name).shape != (ends[1],):
                raise InvalidTreeError(
                    f"witnesses.{name} must have one entry for each of the {ends[1]} witnesses, "
                    f"has shape {getattr(self, name).shape}"
                )

    def _require_columns(self, tree: Tree, node: AnyArray) -> None:
        column, n_features = self.column, len(tree.features)
        outside = (column < 0) | (column >= n_features)
        refuse(outside, "witnesses.column", f"must be one of the {n_features} features", column,
               node)  # fmt: skip
        refuse(column == tree.column[node], "witnesses.column", "must not be that of the node",
               column, node)  # fmt: skip
        keys = node.astype(np.int64) * n_features + column
        again = np.ones(len(keys), np.bool_)
        again[np.unique(keys, return_index=True)[1]] = False
        refuse(again, "witnesses.column", "must not be named twice", column, node)

    def _require_patterns(self, tree: Tree, node: AnyArray) -> None:
        of_column = np.array([(f.is_nominal, f.n_levels) for f in tree.features], np.int64)
        is_nominal, n_levels = of_column.reshape(-1, 2)[self.column].astype(np.int64).T
        is_nominal = is_nominal.astype(np.bool_)
        refuse(~is_nominal & ~np.isfinite(self.threshold), "witnesses.threshold",
               "must be finite on a column of numbers or ordered levels", self.threshold,
               node)  # fmt: skip
        refuse(is_nominal & ~np.isnan(self.threshold), "witnesses.threshold",
               "must be NaN on a nominal column", self.threshold, node)  # fmt: skip
        refuse(~is_nominal & (self.level != -1), "witnesses.level",
               "must be -1 unless the column is nominal", self.level, node)  # fmt: skip
        outside = (self.level < 0) | (self.level >= n_levels)
        refuse(is_nominal & outside, "witnesses.level", "must be a level of its column", self.level,
               node)  # fmt: skip
        refuse(self.is_reversed > 1, "witnesses.is_reversed", "must be 0 or 1", self.is_reversed,
               node)  # fmt: skip

    def _require_agreement(self, node: AnyArray) -> None:
        agreement = self.agreement
        outside = ~((agreement > 0) & (agreement <= 1 + _ROUNDING))
        refuse(outside, "witnesses.agreement", "must be above 0 and at most 1", agreement, node)
        rises: BoolArray = (np.diff(node) == 0) & (np.diff(agreement) > 0)
        refuse(rises, "witnesses.agreement", "must not rise inside a node", agreement[1:],
               node[1:])  # fmt: skip

    def _node(self) -> AnyArray:
        """The node of each witness."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def size_columns(self, table: Table) -> tuple[str, ...]:
        """None: witnesses read values as exact."""
        return ()

    def for_core(self, table: Table, beside: Mapping[str, FloatArray]) -> _core.Evaluation:
        """What the core does with the rows of any table."""
        from clearwood import _core

        return _core.Evaluation.witnesses(
            self.start, self.column, self.threshold, self.level, self.is_reversed, self.conflict
        )

    def gathered(self, kept: AnyArray, becomes_leaf: AnyArray) -> Witnesses:
        """The witnesses of the nodes that are kept and remain conditions."""
        counts = np.where(becomes_leaf, 0, np.diff(self.start)[kept])
        start = np.concatenate(([0], np.cumsum(counts)))
        places = np.repeat(self.start[kept] - start[:-1], counts) + np.arange(start[-1])
        arrays = {name: getattr(self, name)[places] for name in _ARRAYS}
        return Witnesses(start, conflict=self.conflict, **arrays)

    def __eq__(self, other: object) -> bool:
        """Equal arrays and conflict, NaN equal to NaN."""
        if not isinstance(other, Witnesses):
            return NotImplemented
        return self.conflict == other.conflict and all(
            same(getattr(self, name), getattr(other, name)) for name in ("start", *_ARRAYS)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = (getattr(self, name) for name in ("start", *_ARRAYS))
        return Witnesses, (*arrays, self.conflict)


def witnesses_of(tree: Tree, node: int) -> tuple[Witness, ...]:
    """The witnesses of `node`, from the strongest to the weakest; none in any other tree."""
    evaluation = tree.evaluation
    if not isinstance(evaluation, Witnesses):
        return ()
    return evaluation.of_node(node, tree.features)


def has_witnesses(tree: Tree, node: int) -> bool:
    """Whether rows may go down a branch of `node` against its condition."""
    evaluation = tree.evaluation
    if not isinstance(evaluation, Witnesses):
        return False
    return bool(evaluation.start[node] < evaluation.start[node + 1])


def has_any_witness(tree: Tree) -> bool:
    """Whether any condition of `tree` has a witness."""
    return isinstance(tree.evaluation, Witnesses) and len(tree.evaluation.column) > 0


def looked_at(tree: Tree) -> list[int]:
    """The columns that conditions or their witnesses look at, in order."""
    columns = tree.column[~tree.is_leaf]
    if isinstance(tree.evaluation, Witnesses):
        columns = np.concatenate((columns, tree.evaluation.column))
    found: list[int] = np.unique(columns).tolist()
    return found


def _pattern(condition: Condition) -> tuple[float, int]:
    """Threshold and level code of a witness's condition."""
    if isinstance(condition, CutCondition):
        return condition.threshold, -1
    return float("nan"), condition.level_branch.index(0)

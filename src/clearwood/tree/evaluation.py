"""How a tree treats the rows that it predicts, where not every known value takes one branch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from clearwood._typing import AnyArray, FloatArray
from clearwood.errors import InvalidTreeError, ParameterError, TableError
from clearwood.noise.core_form import core_noise
from clearwood.noise.parameter import standard_forms
from clearwood.noise.per_row import RowNoise
from clearwood.noise.standard_form import standard_form
from clearwood.tree.frozen import frozen
from clearwood.tree.witnesses import Witnesses

if TYPE_CHECKING:
    from clearwood import _core
    from clearwood.noise.parameter import ColumnNoise
    from clearwood.table.table import Table
    from clearwood.tree.structure import Tree


@dataclass(frozen=True, slots=True)
class Soft:
    """Both branches of a cut, by where the true value may lie (soft evaluation, SE).

    Parameters
    ----------
    noise : tuple of NoiseModel, RowNoise or None
        One a feature of the tree, from `clearwood.noise.fit_noise`; None is read as exact, and so
        is every column of levels.
    coupling : {"independent", "joint"}
        Whether two cuts of one column on a path ask two readings of it, as in the paper, or the
        same one. Joint, a leaf's share is the product over columns of the probability that the
        true value lies in the interval of its path: the mean of hard prediction over true values.
    eta : float
        Shares below it become 0, those above ``1 - eta`` become 1: what a row's leaves get is off
        by at most depth times `eta` in total. 0 keeps all.

    Raises
    ------
    ParameterError
        Another coupling, or `eta` outside 0 … 0.5.

    References
    ----------
    Nunes et al., "Uncertainty in decision trees" (arXiv 1907.11325), section 3.3.
    """

    noise: tuple[ColumnNoise, ...]
    coupling: Literal["independent", "joint"] = "independent"
    eta: float = 1e-6

    def __post_init__(self) -> None:
        if self.coupling not in ("independent", "joint"):
            raise ParameterError(
                f"coupling must be 'independent' or 'joint', got {self.coupling!r}"
            )
        if not 0.0 <= self.eta < 0.5:
            raise ParameterError(f"eta must be at least 0 and below 0.5, got {self.eta!r}")

    def require_fit(self, tree: Tree) -> None:
        """Raise `InvalidTreeError` unless there is one entry a feature of `tree`."""
        if len(self.noise) != len(tree.features):
            raise InvalidTreeError(
                f"noise must have one entry for each of the {len(tree.features)} features, has "
                f"{len(self.noise)}"
            )

    def size_columns(self, table: Table) -> tuple[str, ...]:
        """Columns that say how large noise is and are none of `table`."""
        names = (model.column for model in self.noise if isinstance(model, RowNoise))
        return tuple(name for name in dict.fromkeys(names) if name not in table.names)

    def for_core(self, table: Table, beside: Mapping[str, FloatArray]) -> _core.Evaluation:
        """What the core does with the rows of `table`; `beside` are its `size_columns`."""
        from clearwood import _core

        forms = standard_forms(self.noise, table, beside)
        return _core.Evaluation.soft(core_noise(forms), self.coupling, self.eta)

    def divided_value(self, tree: Tree, node: int) -> float | None:
        """A value of which a cut gives its two branches different parts; None without noise."""
        column = int(tree.column[node])
        model, feature = self.noise[column], tree.features[column]
        if model is None or isinstance(model, RowNoise):
            return None
        threshold = np.array([tree.threshold[node]])
        try:
            form = standard_form(model, threshold, feature.name)
        except TableError:  # values so low cannot be measured
            return None
        value = float(form.quantile(0.25, threshold)[0])
        return value if np.isfinite(value) else None

    def gathered(self, kept: AnyArray, becomes_leaf: AnyArray) -> Soft:
        """The same for a tree of other nodes."""
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Ramps:
    """Both branches of a cut near its threshold (C4.5's probabilistic thresholds, PLT).

    The share of the first branch falls in two straight lines from 1 at `lower` over 1/2 at the
    threshold to 0 at `upper`; `clearwood.growing.fit_ramps` finds the limits.

    Parameters
    ----------
    lower, upper : ndarray of float64, shape (n_nodes,)
        Limits at each cut, in the column's unit; NaN where a node has no ramp.
    compatibility : {None, "c45"}
        "c45": as release 8. 0.001 is added to the widths, and shares up to 0.01 are dropped for
        good, so that probabilities may add up to a little less than 1.

    Raises
    ------
    ParameterError
        Another compatibility.

    References
    ----------
    Quinlan, "C4.5: Programs for Machine Learning" (1993), chapter 8.
    """

    lower: FloatArray
    upper: FloatArray
    compatibility: Literal["c45"] | None = None

    def __post_init__(self) -> None:
        if self.compatibility not in (None, "c45"):
            raise ParameterError(
                f"compatibility of ramps must be None or 'c45', got {self.compatibility!r}"
            )
        for name in ("lower", "upper"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))

    def require_fit(self, tree: Tree) -> None:
        """Raise `InvalidTreeError` unless there are limits in order, one of each a node."""
        for name, limits in (("lower", self.lower), ("upper", self.upper)):
            if limits.shape != (tree.n_nodes,):
                raise InvalidTreeError(
                    f"{name} must have one entry for each of the {tree.n_nodes} nodes, has shape "
                    f"{limits.shape}"
                )
        has_lower, has_upper = ~np.isnan(self.lower), ~np.isnan(self.upper)
        wrong = (has_lower != has_upper) | (has_lower & np.isnan(tree.threshold))
        wrong |= has_lower & ~(self.lower <= self.upper)
        if wrong.any():
            node = int(wrong.argmax())
            raise InvalidTreeError(
                f"node {node}: a ramp needs a cut and lower <= upper, got {self.lower[node]} and "
                f"{self.upper[node]}"
            )

    def size_columns(self, table: Table) -> tuple[str, ...]:
        """None: a ramp is the same for all rows."""
        return ()

    def for_core(self, table: Table, beside: Mapping[str, FloatArray]) -> _core.Evaluation:
        """What the core does with the rows of any table."""
        from clearwood import _core

        return _core.Evaluation.ramps(self.lower, self.upper, self.compatibility == "c45")

    def divided_value(self, tree: Tree, node: int) -> float | None:
        """A value inside the ramp of a cut, off its threshold; None where the cut has no ramp."""
        threshold = float(tree.threshold[node])
        limits = (float(self.lower[node]), float(self.upper[node]))
        ends = [limit for limit in limits if abs(limit - threshold) > 0]
        return ends[0] / 2 + threshold / 2 if ends else None

    def gathered(self, kept: AnyArray, becomes_leaf: AnyArray) -> Ramps:
        """The ramps of the nodes that are kept and remain cuts."""
        lower, upper = (np.where(becomes_leaf, np.nan, v[kept]) for v in (self.lower, self.upper))
        return Ramps(lower, upper, self.compatibility)

    def __eq__(self, other: object) -> bool:
        """Equal limits, NaN equal to NaN."""
        if not isinstance(other, Ramps):
            return NotImplemented
        return self.compatibility == other.compatibility and all(
            np.array_equal(mine, theirs, equal_nan=True)
            for mine, theirs in ((self.lower, other.lower), (self.upper, other.upper))
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Ramps, (self.lower, self.upper, self.compatibility)


Evaluation: TypeAlias = Soft | Ramps | Witnesses
"""What a tree carries where a known value does not always take one branch."""

"""Error-based pruning: C4.5's way to cut a tree back with nothing but its training rows.

Each node is taken for a sample: of n rows, e are wrong. An upper confidence limit of the error
rate, times n, estimates the errors on new rows. From the leaves up, a subtree gives way to a leaf,
or to one of its branches, where that does not raise the estimate (Quinlan 1993, C4.5: Programs for
Machine Learning, chapter 4). Where measurement error divides rows between branches, n and e count
parts of rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.errors import ParameterError
from clearwood.noise.core_form import core_noise
from clearwood.noise.standard_form import StandardForm
from clearwood.pruning.option_checks import require_no_witnesses
from clearwood.table.core_table import core_table
from clearwood.table.table import Table
from clearwood.tree.rebuild import LEAF, rebuild_as_told
from clearwood.tree.structure import Tree

if TYPE_CHECKING:
    from clearwood import _core

Bound = Literal["c45", "exact", "j48"]
Raising = Literal["none", "heaviest", "best"]
Compatibility = Literal["c45", "j48"]

BOUNDS: tuple[Bound, ...] = ("c45", "exact", "j48")
RAISING: tuple[Raising, ...] = ("none", "heaviest", "best")
COMPATIBILITIES: tuple[Compatibility, ...] = ("c45", "j48")

HIGHEST_CONFIDENCE: Mapping[Bound, float] = MappingProxyType(
    {"c45": 1.0, "exact": math.nextafter(1.0, 0.0), "j48": 0.5}
)
"""J48 adds nothing above one half, which is no limit of anything; at 1 the exact limit is 0."""

J48_TOLERANCE = 1e-6
"""J48 takes numbers this close for equal, in the comparison with the slack too."""


@dataclass(frozen=True, slots=True)
class ErrorBased:
    """Error-based pruning.

    Parameters
    ----------
    confidence : float, default=0.25
        Chance that the true error rate of a leaf is above its limit; less prunes more. Above 0,
        at most 1 (below 1 for the exact bound, at most 0.5 for J48's).
    tails : {1, 2}, default=1
        2 halves the confidence, as papers do that mean a two-sided interval.
    laplace : bool, default=False
        The bound is taken at n (e + K - 1) / (n + K) errors, K the number of classes.
    bound : {"c45", "exact", "j48"}, default="c45"
        C4.5's approximation; the exact limit of Clopper and Pearson (1934), continued to parts of
        rows; Weka J48's approximation.
    slack : float, default=0.1
        A leaf or a branch is taken if it costs at most this many errors more. At least 0.
    raising : {"none", "heaviest", "best"}, default="heaviest"
        Which branches may take their parent's place: none, the heaviest, or the one with the
        lowest estimate.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.

    Examples
    --------
    >>> ErrorBased(confidence=0.1, bound="exact").confidence
    0.1
    """

    confidence: float = 0.25
    tails: Literal[1, 2] = 1
    laplace: bool = False
    bound: Bound = "c45"
    slack: float = 0.1
    raising: Raising = "heaviest"

    def __post_init__(self) -> None:
        _require_choice("bound", self.bound, BOUNDS)
        _require_choice("raising", self.raising, RAISING)
        if isinstance(self.tails, bool) or self.tails not in (1, 2):
            raise ParameterError(f"tails must be 1 or 2, got {self.tails!r}")
        if not isinstance(self.laplace, bool | np.bool_):
            raise ParameterError(f"laplace must be True or False, got {self.laplace!r}")
        highest = HIGHEST_CONFIDENCE[self.bound]
        if not _is_number(self.confidence) or not 0 < self.confidence <= highest:
            limit = "below 1" if 0.5 < highest < 1 else f"at most {highest:g}"
            raise ParameterError(
                f"confidence must be above 0 and {limit} where bound={self.bound!r}, "
                f"got {self.confidence!r}"
            )
        if not _is_number(self.slack) or not (math.isfinite(self.slack) and self.slack >= 0):
            raise ParameterError(f"slack must be a number of at least 0, got {self.slack!r}")

    def for_core(self) -> dict[str, Any]:
        """The keyword arguments of ``_core.ErrorBased``."""
        return {
            "confidence": float(self.confidence),
            "tails": int(self.tails),
            "laplace": bool(self.laplace),
            "bound": str(self.bound),
            "slack": float(self.slack),
            "raising": str(self.raising),
        }


@dataclass(frozen=True, slots=True, eq=False)
class ErrorBasedPruning:
    """A pruned tree, and why it is as it is.

    Parameters
    ----------
    tree : Tree
        The pruned tree. Masses, distributions, labels, shares of missing values and numbers of
        rows are those of the rows it was pruned with.
    replacement : ndarray of int32, shape (n_nodes of the grown tree,)
        What stands in the place of each grown node: itself, a leaf (-1), or a node below it,
        whose own entry then counts in turn.
    estimate : ndarray of float64, as `replacement`
        Estimated errors of each grown node in its final place; 0 where no row comes.
    """

    tree: Tree
    replacement: IntArray
    estimate: FloatArray

    @property
    def errors(self) -> float:
        """Estimated errors of the whole pruned tree, in rows."""
        node = 0
        while self.replacement[node] not in (node, LEAF):
            node = int(self.replacement[node])
        return float(self.estimate[node])


def error_based(
    tree: Tree,
    table: Table,
    codes: IntArray,
    weights: FloatArray | None = None,
    options: ErrorBased | None = None,
    compatibility: Compatibility | None = None,
    noise: Sequence[StandardForm | None] | None = None,
    joint: bool = False,
    eta: float = 1e-6,
) -> ErrorBasedPruning:
    """The tree cut back by error-based pruning.

    Parameters
    ----------
    tree : Tree
        Any tree.
    table : Table
        The rows to prune with, as a rule those it was grown from, n_rows of them, with the
        tree's columns. A row with a missing value goes down each branch in proportion to the
        weight known to go there; a node at which all rows are missing becomes a leaf.
    codes : ndarray of shape (n_rows,), int32
        Row i belongs to ``tree.classes[codes[i]]``.
    weights : ndarray of shape (n_rows,), float64, or None
        Row weights; a row of weight 0 is left out. None weighs every row 1.
    options : ErrorBased or None
        None is the defaults.
    compatibility : {"c45", "j48"} or None, default=None
        What is left to no option: "c45" rounds as release 8 does, to single precision, and gives
        an empty leaf all on its label; "j48" labels ties with the first class and compares with
        J48's tolerance. With None an empty leaf has its parent's distribution.
    noise : sequence of StandardForm or None, one a column, or None
        Measurement error of the rows' values, as the tree was grown with. It divides the weight
        of a row between the branches of a cut, in every estimate and when a branch is raised. A
        column without noise, and a row whose scale is 0, is exact; None is all exact.
    joint : bool, default=False
        Whether two cuts of one column on a path ask for the same reading of it, as the path
        stands in the pruned tree; where False, each asks for a reading of its own.
    eta : float, default=1e-6
        Shares below it become 0. At least 0, below 0.5.

    Returns
    -------
    ErrorBasedPruning

    Raises
    ------
    ParameterError
        Where `compatibility` is none of these, `table` is no Table, or `tree` has witnesses.
    ValueError
        Where rows, codes, weights and noise do not fit together, or `eta` is out of range.
    """
    from clearwood import _core

    if not isinstance(table, Table):
        raise ParameterError(
            f"error_based needs a Table and class codes, got a {type(table).__name__}; write "
            "prune(tree, 'error_based', X, y), or rows = read_rows(tree, X, y) and "
            "error_based(tree, rows.table, rows.codes, rows.weights)"
        )
    require_no_witnesses(tree, "error-based pruning")
    chosen = core_options(options or ErrorBased(), compatibility, noise, joint, eta)
    result = _core.error_based(
        tree.arrays(), core_table(table), codes, tree.n_classes, weights, chosen
    )
    pruned = rebuild_by(tree, result)
    return ErrorBasedPruning(pruned, result["replacement"], result["estimate"])


def core_options(
    options: ErrorBased,
    compatibility: Compatibility | None = None,
    noise: Sequence[StandardForm | None] | None = None,
    joint: bool = False,
    eta: float = 1e-6,
) -> _core.ErrorBased:
    """What the core prunes by; the parameters are those of `error_based`."""
    from clearwood import _core

    if compatibility is not None:
        _require_choice("compatibility", compatibility, COMPATIBILITIES)
    return _core.ErrorBased(
        **_compatible(options.for_core(), compatibility),
        noise=core_noise(noise),
        joint=joint,
        eta=eta,
    )


def rebuild_by(tree: Tree, result: Mapping[str, Any]) -> Tree:
    """The tree with what a pruner of the core says of each node; -1 rows leaves their number."""
    given = {name: result[name] for name in ("masses", "distribution", "label", "missing_share")}
    given["n_rows"] = np.where(result["n_rows"] < 0, tree.n_rows, result["n_rows"])
    return rebuild_as_told(tree, result["replacement"], given)


def _compatible(options: dict[str, Any], compatibility: Compatibility | None) -> dict[str, Any]:
    if compatibility == "c45":
        return options | {"single_precision": True, "empty_leaf": "label"}
    if compatibility == "j48":
        return options | {"label_tie": "lowest", "slack": options["slack"] + J48_TOLERANCE}
    return options


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _require_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"{name} must be one of {', '.join(choices)}, got {value!r}")

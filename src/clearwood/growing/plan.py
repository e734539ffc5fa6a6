"""How to grow a tree: every choice as a plain value, checked before the first row is read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from clearwood.errors import ParameterError
from clearwood.growing.criteria import CRITERIA, AlphaDivergence, criterion_of
from clearwood.growing.softness import Softness
from clearwood.growing.verification import Verification

if TYPE_CHECKING:
    from clearwood import _core

NOMINAL = ("branches", "grouped", "subset", "one_vs_rest")
CUT_AT = ("midpoint", "observed", "upper")


@dataclass(frozen=True, slots=True)
class C45Compatibility:
    """C4.5 release 8 to the bit: single precision, thresholds at least 1e-5 apart.

    Parameters
    ----------
    minimum_leak : bool, default=False
        Repeats a fault of release 8 under value grouping: after a node where a nominal column
        has no known value, the minimum weight of a branch stays 1 for the rest of the run.
    """

    minimum_leak: bool = False


COMPATIBILITY: Mapping[str, C45Compatibility] = MappingProxyType({"c45": C45Compatibility()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Choices for growing one tree.

    Parameters
    ----------
    criterion : str or AlphaDivergence, default="information_gain"
        A name in `CRITERIA`, or a value with parameters of its own.
    nominal : {"branches", "grouped", "subset", "one_vs_rest"}, default="branches"
        How levels become branches: one each; C4.5's grouping (-s); the best two sets; one level
        against the rest. "subset" is exact for up to ten levels that occur in a node, and for two
        classes unless `min_samples_leaf` forbids the best subset; beyond, levels are ordered by
        the first principal component of the class shares.
    cut_at : {"midpoint", "observed", "upper"}, default="midpoint"
        Where in the gap between two values a cut lies.
    penalty : bool, default=False
        Release 8's penalty: log2(number of cuts) / weight is taken off a numeric cut's gain.
    c45_rules : bool, default=False
        C4.5's minimum weight of a branch, its zero-gain rule for nominal columns and its
        collapse of subtrees that make no fewer training errors.
    min_samples_leaf : float, default=1
        Weight that two branches at least must reach. Above 0.
    min_samples_split : float, default=2
        Weight below which a node is a leaf.
    max_depth, max_leaf_nodes : int or None, default=None
        None is no limit. With `max_leaf_nodes` the node that gains most is split first.
    compatibility : "c45", C45Compatibility or None, default=None
        See `C45Compatibility`.
    cost : mapping of column position to float
        Among equal scores the cheaper column wins; absent columns cost 1.
    n_threads : int, default=1
        Changes nothing but the time.
    softness : Softness or None, default=None
        Measurement noise in training; None reads every value as exact.
    verification : Verification or None, default=None
        Witnesses of the cuts, which are then strict; None has none.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.
    """

    criterion: str | AlphaDivergence = "information_gain"
    nominal: Literal["branches", "grouped", "subset", "one_vs_rest"] = "branches"
    cut_at: Literal["midpoint", "observed", "upper"] = "midpoint"
    penalty: bool = False
    c45_rules: bool = False
    min_samples_leaf: float = 1.0
    min_samples_split: float = 2.0
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    compatibility: str | C45Compatibility | None = None
    cost: Mapping[int, float] = field(default_factory=dict)
    n_threads: int = 1
    softness: Softness | None = None
    verification: Verification | None = None

    def __post_init__(self) -> None:
        if isinstance(self.criterion, AlphaDivergence):
            self._require_no_bits()
        else:
            _require_choice("criterion", self.criterion, tuple(CRITERIA))
        _require_choice("nominal", self.nominal, NOMINAL)
        _require_choice("cut_at", self.cut_at, CUT_AT)
        _require_switch("penalty", self.penalty)
        _require_number("min_samples_leaf", self.min_samples_leaf, above=0.0)
        _require_number("min_samples_split", self.min_samples_split, above=0.0)
        _require_whole("max_depth", self.max_depth, least=1)
        _require_whole("max_leaf_nodes", self.max_leaf_nodes, least=2)
        _require_whole("n_threads", self.n_threads, least=1)
        if not isinstance(self.compatibility, C45Compatibility | None):
            _require_choice("compatibility", self.compatibility, tuple(COMPATIBILITY))
        if self.compatibility is not None and self.cut_at != "observed":
            raise ParameterError(
                "compatibility='c45' stores cuts as C4.5 does: cut_at must be 'observed', got "
                f"{self.cut_at!r}"
            )
        if self.compatibility is not None and self.softness is not None:
            raise ParameterError(
                "compatibility='c45' knows no measurement noise: leave the noise or the "
                "compatibility out"
            )
        if self.compatibility is not None and criterion_of(self.criterion).score != _C45_SCORE:
            raise ParameterError(
                "compatibility='c45' knows information gain and gain ratio; "
                f"criterion={self.criterion!r} is not C4.5's"
            )
        if self.verification is not None:
            self._require_verifiable()

    def _require_verifiable(self) -> None:
        if self.nominal not in ("one_vs_rest", "subset"):
            raise ParameterError(
                "a verified cut has two branches: nominal must be 'one_vs_rest' or 'subset', got "
                f"{self.nominal!r}"
            )
        if self.cut_at == "observed":
            raise ParameterError(
                "cuts of verified trees are strict (`<`), so that no row may lie on them: cut_at "
                "must be 'midpoint' or 'upper', got 'observed'"
            )
        if self.compatibility is not None or self.c45_rules:
            raise ParameterError("C4.5 knows no witnesses: leave compatibility out")
        if self.softness is not None and self.softness.coupling != "independent":
            raise ParameterError(
                "rows that witnesses send both ways leave no interval for gate_coupling='joint'; "
                "use 'independent'"
            )

    def _require_no_bits(self) -> None:
        """Refuses what C4.5 counts in bits of information, which a divergence is not."""
        for name, value, mend in (
            ("penalty", self.penalty is True, "leave it False"),
            ("nominal", self.nominal == "grouped", "use 'subset', 'branches' or 'one_vs_rest'"),
        ):
            if value:
                raise ParameterError(
                    f"{name}={getattr(self, name)!r} is counted in bits of information gain and "
                    f"does not go with criterion={self.criterion!r}; {mend}"
                )

    def for_core(self, n_columns: int, n_threads: int | None = None) -> _core.Plan:
        """The plan as the core reads it, for a table of `n_columns`; by other threads if given."""
        from clearwood import _core

        choices = self._choices(n_columns)
        if n_threads is not None:
            choices["n_threads"] = n_threads
        plan = _core.Plan(**choices)
        if isinstance(self.criterion, AlphaDivergence):
            self.criterion.set_on(plan)
        if self.softness is not None:
            self.softness.set_on(plan)
        if self.verification is not None:
            self.verification.set_on(plan)
        return plan

    def _choices(self, n_columns: int) -> dict[str, Any]:
        criterion = criterion_of(self.criterion)
        exact = self.compatibility
        if isinstance(exact, str):
            exact = COMPATIBILITY[exact]
        return {
            "criterion": criterion.score,
            "chooser": criterion.chooser,
            "nominal": self.nominal,
            "cut_at": self.cut_at,
            "penalty": bool(self.penalty),
            "c45_levels": self.c45_rules,
            "c45_minimum": self.c45_rules,
            "collapse": self.c45_rules,
            "empty_leaf_label": exact is not None,
            "min_samples_leaf": float(self.min_samples_leaf),
            "min_samples_split": float(self.min_samples_split),
            "max_depth": min(self.max_depth or _NO_LIMIT, _NO_LIMIT),
            "max_leaf_nodes": min(self.max_leaf_nodes or 0, _NO_LIMIT),
            "single_precision": exact is not None,
            "minimum_leak": exact is not None and exact.minimum_leak,
            "cost": [self.cost.get(i, 1.0) for i in range(n_columns)] if self.cost else [],
            "n_threads": self.n_threads,
        }


_NO_LIMIT = 2**31 - 1
_C45_SCORE = "information_gain"


def _require_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"{name} must be one of {', '.join(choices)}, got {value!r}")


def _require_switch(name: str, value: Any) -> None:
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name} must be True or False, got {value!r}")


def _require_number(name: str, value: Any, above: float) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not value > above:
        raise ParameterError(f"{name} must be a number above {above:g}, got {value!r}")


def _require_whole(name: str, value: Any, least: int) -> None:
    if value is None:
        return
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, got {value!r}")

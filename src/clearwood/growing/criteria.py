"""The menu of split criteria: what scores a candidate cut, and how a column is then chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from clearwood.errors import ParameterError

if TYPE_CHECKING:
    from clearwood import _core

REFERENCES = ("product", "uniform")


@dataclass(frozen=True, slots=True)
class Criterion:
    """A split criterion as the core composes it.

    Parameters
    ----------
    score : str
        Ranks the candidates within a column.
    chooser : str
        Picks a column: "best_score", or "gain_ratio" (among the columns whose gain is at least
        average, the highest gain divided by split information).
    source : str
        Where it is defined.
    """

    score: str
    chooser: str
    source: str


CRITERIA: Mapping[str, Criterion] = MappingProxyType(
    {
        "information_gain": Criterion(
            "information_gain", "best_score", "Quinlan, Induction of decision trees (1986)"
        ),
        "gain_ratio": Criterion(
            "information_gain", "gain_ratio", "Quinlan, C4.5: Programs for machine learning (1993)"
        ),
        "gini": Criterion(
            "gini", "best_score", "Breiman et al., Classification and regression trees (1984)"
        ),
        "discernibility": Criterion(
            "discernibility", "best_score", "Bazan et al., V-decision trees (2014), section 1.1"
        ),
    }
)


@dataclass(frozen=True, slots=True)
class AlphaDivergence:
    """Ranks splits by the alpha-divergence of the branches' class shares from a reference.

    ``D = (1 - sum_x P(x) sum_y P(y|x)**alpha * Q(y)**(1 - alpha)) / (alpha * (1 - alpha))``,
    x the branch and y the class. A low alpha prefers balanced branches, a high one prefers
    branches of one class, however small.

    Parameters
    ----------
    alpha : float, default=2
        1 is the Kullback-Leibler divergence (with either reference the order of information
        gain), 2 the order of Gini for two classes, and with the uniform reference for any
        number. At most 1e6.
    reference : {"product", "uniform"}, default="product"
        Q: the class shares of the node, or the same share for every class.
    smoothing : float, default=0
        Weight added to every class of a branch before its shares are taken. An alpha of 0 or
        below needs one above 0: without it every branch that lacks a class is infinitely far.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.

    Notes
    -----
    A tree stores the gain in D of each split (in nats for alpha 1), times the share of the rows
    whose value is known; above alpha 2 splits are compared by logarithms, so that they are told
    apart where D itself exceeds the largest float, which is then what is stored.

    References
    ----------
    Park and Ghosh, Ensembles of alpha-trees for imbalanced classification problems (2012).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from clearwood import AlphaDivergence, TreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> for alpha in (1, 64):
    ...     tree = TreeClassifier(criterion=AlphaDivergence(alpha), max_depth=1).fit(X, y).tree_
    ...     print(tree.masses[1:].tolist())
    [[17.0, 328.0], [195.0, 29.0]]
    [[76.0, 357.0], [136.0, 0.0]]
    """

    alpha: float = 2.0
    reference: Literal["product", "uniform"] = "product"
    smoothing: float = 0.0

    def __post_init__(self) -> None:
        if not _is_finite(self.alpha) or abs(self.alpha) > MOST_ALPHA:
            raise ParameterError(
                f"alpha must be a number between -{MOST_ALPHA:g} and {MOST_ALPHA:g}, "
                f"got {self.alpha!r}"
            )
        if self.reference not in REFERENCES:
            raise ParameterError(
                f"reference must be one of {', '.join(REFERENCES)}, got {self.reference!r}"
            )
        if not _is_finite(self.smoothing) or self.smoothing < 0:
            raise ParameterError(
                f"smoothing must be a number of at least 0, got {self.smoothing!r}"
            )
        if self.alpha <= SMALLEST_UNSMOOTHED and self.smoothing == 0:
            raise ParameterError(
                f"alpha={self.alpha!r} makes every branch that lacks a class infinitely far from "
                "the reference: give a smoothing above 0, or an alpha above 0"
            )

    def set_on(self, plan: _core.Plan) -> None:
        """Makes it the criterion of the core's plan."""
        plan.set_divergence(
            alpha=float(self.alpha), reference=self.reference, smoothing=float(self.smoothing)
        )


MOST_ALPHA = 1e6
SMALLEST_UNSMOOTHED = 1e-8
"""Up to here the core takes an alpha for 0."""

_BY_DIVERGENCE = Criterion(
    "alpha_divergence",
    "best_score",
    "Park and Ghosh, Ensembles of alpha-trees for imbalanced classification problems (2012)",
)


def criterion_of(given: str | AlphaDivergence) -> Criterion:
    """How the core composes a criterion given by name or as a value."""
    return _BY_DIVERGENCE if isinstance(given, AlphaDivergence) else CRITERIA[given]


def _is_finite(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)

"""Trees whose every cut has witnesses on other columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from clearwood._typing import BoolArray
from clearwood.errors import ParameterError
from clearwood.estimators.presets import with_defaults
from clearwood.estimators.soft import DEPTH_UNDER_PROPAGATION, NoiseChoices, propagates
from clearwood.estimators.tree_classifier import TreeClassifier
from clearwood.growing import Plan, Softness, Verification
from clearwood.pruning import TreeSize

DEPTH = 50
"""Rows that go both ways can make a path as long as there are rows."""

_PRUNING = (
    "a verified tree is pruned by 'tree_size' (without raising) or not at all, since other methods "
    "would count rows that go to both branches twice"
)

_OWN: Mapping[str, Any] = {
    "n_verifiers": 3,
    "agreement": 0.9,
    "orientation": "both",
    "disagreement": "any",
    "conflict": "paper",
    "min_purity": 1.0,
    "max_nodes": 100_000,
    "max_dup_fraction": 0.5,
    "min_confidence": None,
}


class VerifiedTreeClassifier(TreeClassifier):
    """V-decision tree (RS-V): every cut is confirmed by cuts on other columns.

    The cut of a node is the one that discerns most pairs of rows of different classes (times the
    known part of its column, where values are missing). Cuts on other columns that discern nearly
    the same pairs are its witnesses. A row on which they do not agree with the cut goes to both
    branches, in training and in use, where the two answers become one: a measurement that says
    what no other confirms does not decide alone.

    Parameters
    ----------
    n_verifiers : int, default=3
        Witnesses of a cut at most; 0 is the plain tree of local discretization, RS-C.
    agreement : float, default=0.9
        Of the pairs that a cut discerns, a witness must discern more than this share in the same
        way.
    orientation : {"both", "same"}, default="both"
        Whether a column that falls where the cut's column rises may witness too. "same" is the
        paper's algorithm, which never sees such columns.
    disagreement : {"any", "all"}, default="any"
        A training row goes to both branches where any witness, or all of them, contradict the cut.
    conflict : {"paper", "main", "probability"}, default="paper"
        Which answer counts where those of the two subtrees differ: that of the side with more
        witnesses, at a tie the second's; the same, the cut voting too and deciding ties; or the
        mean of both, weighted by the votes.
    min_purity : float, default=1
        Share of its largest class from which on a node is a leaf.
    max_nodes : int, default=100000
        The tree stops growing there, with a warning.
    max_dup_fraction : float, default=0.5
        Where the witnesses would send more of a node's weight both ways, the weakest is dropped.
    min_confidence : float or None, default=None
        Rows whose highest class probability is below it count as not covered in `coverage` and
        `is_covered`; `predict` answers for them all the same. None covers every row.

    Notes
    -----
    Other parameters as in `TreeClassifier`, with the defaults ``criterion="discernibility"`` and
    ``nominal="one_vs_rest"``; cuts are strict (``value < threshold``), and no `max_depth` is a
    depth of 50 (25 under `propagation_noise`). A witness abstains where its value is missing. A
    row without the value of the cut goes to both branches whole; in use its witnesses decide, at
    a tie the branch of more training rows. `search_noise` and `propagation_noise` are possible;
    pruning is by tree size or none, since the other methods would count rows that go both ways
    twice.

    References
    ----------
    Bazan, Bazan-Socha, Buregwa-Czuma, Pardel and Sokolowska (2014), V-decision trees.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = VerifiedTreeClassifier(n_verifiers=2, max_depth=1).fit(X, y)
    >>> print(model.tree_.path(X[0]))
    x22 = 184.6: x22 >= 105.95; both witnesses agree
    => "0" 0.84
    """

    _tried_in_core = False

    n_verifiers: int
    agreement: float
    orientation: str
    disagreement: str
    conflict: str
    min_purity: float
    max_nodes: int
    max_dup_fraction: float
    min_confidence: float | None
    __init__ = with_defaults(_OWN, criterion="discernibility", nominal="one_vs_rest")

    def is_covered(self, X: Any) -> BoolArray:
        """Which rows are answered with `min_confidence` at least; shape (n_rows,)."""
        least = self._least_confidence()
        highest = self.predict_proba(X).max(axis=1)
        covered: BoolArray = highest >= least - 1e-12
        return covered

    def coverage(self, X: Any) -> float:
        """Share of the rows of `X` that `is_covered` (COV of the paper); 1 by default."""
        return float(np.mean(self.is_covered(X)))

    def _least_confidence(self) -> float:
        given = self.min_confidence
        is_number = isinstance(given, int | float | np.number) and not isinstance(given, bool)
        if given is not None and (not is_number or not 0 <= given <= 1):
            raise ParameterError(
                f"min_confidence must be None or a number from 0 to 1, got {given!r}"
            )
        return 0.0 if given is None else float(given)

    def cost_complexity_pruning_path(self, *arguments: Any, **parameters: Any) -> NoReturn:
        """Not offered: rows that go both ways would count twice."""
        raise ParameterError(_PRUNING)

    def _pruning_value(self) -> Any:
        value = super()._pruning_value()
        if value is not None and (not isinstance(value, TreeSize) or value.raising):
            raise ParameterError(f"{_PRUNING}, got pruning={self.pruning!r}")
        return value

    def _noise_choices(self) -> NoiseChoices:
        choices = super()._noise_choices()
        self._least_confidence()
        if self.evaluation is not None or self.evaluation_noise is not None:
            raise ParameterError(
                "rows of a verified tree are decided by the vote of witnesses: leave evaluation "
                "and evaluation_noise out"
            )
        return choices

    def _plan(self, cost: Mapping[int, float], softness: Softness | None) -> Plan:
        verification = Verification(
            n_verifiers=self.n_verifiers,
            agreement=self.agreement,
            orientation=self.orientation,  # type: ignore[arg-type]  # checked by Verification
            disagreement=self.disagreement,  # type: ignore[arg-type]
            conflict=self.conflict,  # type: ignore[arg-type]
            max_nodes=self.max_nodes,
            max_dup_fraction=self.max_dup_fraction,
            min_purity=self.min_purity,
        )
        plan = super()._plan(cost, softness)
        if self.max_depth is None:
            grows_on = softness is not None and propagates(softness.propagation_noise)
            plan = replace(plan, max_depth=DEPTH_UNDER_PROPAGATION if grows_on else DEPTH)
        return replace(plan, verification=verification)

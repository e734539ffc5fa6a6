"""`TreeClassifier`, the composition itself: every choice a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from clearwood._typing import FloatArray
from clearwood.errors import ColumnNotFound, ParameterError
from clearwood.estimators.base import FittedTree, thread_count
from clearwood.estimators.provenance import provenance
from clearwood.estimators.pruning_step import divided, pruned, pruning_value
from clearwood.estimators.soft import DEPTH_UNDER_PROPAGATION, NoiseChoices, propagates
from clearwood.estimators.training import Training, read_training, warn_of_light_rows
from clearwood.growing import AlphaDivergence, C45Compatibility, Plan, Softness, grow
from clearwood.growing.criteria import criterion_of
from clearwood.pruning import CostComplexity
from clearwood.pruning.cost_complexity import (
    CostComplexityPath,
    Impurity,
    cost_complexity_path,
    node_risks,
)
from clearwood.table.column import Column
from clearwood.tree.structure import Tree
from clearwood.tree.with_settings import with_settings

WISHES_FOLLOWED = frozenset({"kind", "unit", "cost"})


class TreeClassifier(FittedTree):
    """A decision tree, every choice open.

    Parameters
    ----------
    criterion : {"information_gain", "gain_ratio", "gini"} or AlphaDivergence, \
            default="information_gain"
        What ranks splits. "gain_ratio" chooses the column as C4.5 does: among those whose
        information gain is at least average, by gain over split information.
        ``AlphaDivergence(alpha=4)`` prefers purer branches the higher its alpha.
    cut_at : {"midpoint", "observed", "upper"}, default="midpoint"
        Where in the gap between two values a cut lies: a short decimal near the middle; the
        largest value of the training table not above the middle; the upper value, tested with
        ``<``.
    nominal : {"branches", "grouped", "subset", "one_vs_rest"}, default="branches"
        How levels become branches: one each; C4.5's grouping; the best two sets (exact for up
        to ten levels in a node, and for two classes unless `min_samples_leaf` forbids the best;
        beyond that levels are ordered by the first principal component of the class shares);
        one level against the rest.
    penalty : bool, default=False
        C4.5 release 8: log2(number of cuts) / weight is taken off the gain of a numeric cut.
    pruning : None, str or value, default=None
        How the grown tree is cut back: a name ("error_based", "tree_size", "cost_complexity",
        "pessimistic_error", "minimum_error"), or a value of `clearwood.pruning` that sets the
        method's parameters, such as ``TreeSize(c=0.2)``, ``CriticalValue(value=0.1)``,
        ``OptimalSize(n_leaves=8)`` or ``ReducedError(fraction=0.3, seed=0)``, which keeps that
        part of the rows from growing.
    min_samples_leaf : float, default=1
        Weight that two branches of every split must reach.
    min_samples_split : float, default=2
        Weight below which a node is not split.
    max_depth, max_leaf_nodes : int or None, default=None
        Limits of the grown tree; under `propagation_noise` no depth is a depth of 25. With
        `max_leaf_nodes` the split that gains most comes first.
    search_noise, propagation_noise, evaluation_noise : None, float or mapping, default=None
        Measurement noise where thresholds are searched, where training weight is divided, and
        where rows are predicted: three separate choices. None reads values as exact; a fraction
        u is short for ``MeanFraction(u)`` on every numeric column, a standard deviation of u
        times its absolute training mean; a mapping gives single columns a model of
        `clearwood.noise`.
    search : None, SoftSearch or SampledSearch, default=None
        How thresholds are searched under noise; None is ``SoftSearch()``.
    evaluation : {None, "hard", "soft", "ramps"}, default=None
        How rows are predicted: each value takes one branch; both, by `evaluation_noise`; both
        near a threshold, by C4.5's probabilistic thresholds. None follows `evaluation_noise`.
    gate_coupling : {"independent", "joint"}, default="independent"
        Whether a value tested twice on a path counts as measured twice, as in the paper, or once.
    class_weight : dict, "balanced" or None, default=None
        Factors of the row weights by class.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are nominal: by their type (text, categories), none, or those given by
        position, name or mask.
    columns : mapping of column name to Column, optional
        Wishes about single columns; `kind`, `unit` and `cost` are followed.
    compatibility : "c45", C45Compatibility or None, default=None
        C4.5 release 8 to the bit: single precision and its rules for ties.
    n_jobs : int or None, default=None
        Threads; changes nothing but the time.
    random_state : None, int or RandomState, default=None
        Nothing here is random; accepted so that tools that set it work.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_columns,)
        Share of each column in the impurity that the splits remove.

    Notes
    -----
    A missing value is split over the branches in proportion to the known training weight, in
    training and in prediction (Quinlan 1993, C4.5: Programs for Machine Learning, chapter 3).
    Columns with equal scores: the one of lower `cost`, then the first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> tree = TreeClassifier(max_depth=1).fit(*load_iris(return_X_y=True))
    >>> tree.get_n_leaves()
    2
    """

    _c45_rules: ClassVar[bool] = False
    _tried_in_core: ClassVar[bool] = True
    """Whether `fit_many` knows all that `fit` and prediction do."""

    def __init__(
        self,
        *,
        criterion: str | AlphaDivergence = "information_gain",
        cut_at: str = "midpoint",
        nominal: str = "branches",
        penalty: bool = False,
        pruning: Any = None,
        min_samples_leaf: float = 1,
        min_samples_split: float = 2,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        search_noise: Any = None,
        propagation_noise: Any = None,
        evaluation_noise: Any = None,
        search: Any = None,
        evaluation: str | None = None,
        gate_coupling: str = "independent",
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        columns: Mapping[str, Column] | None = None,
        compatibility: str | C45Compatibility | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.cut_at = cut_at
        self.nominal = nominal
        self.penalty = penalty
        self.pruning = pruning
        self.min_samples_leaf = min_samples_leaf
        self.min_samples_split = min_samples_split
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.search_noise = search_noise
        self.propagation_noise = propagation_noise
        self.evaluation_noise = evaluation_noise
        self.search = search
        self.evaluation = evaluation
        self.gate_coupling = gate_coupling
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.columns = columns
        self.compatibility = compatibility
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grows and prunes a tree.

        Parameters
        ----------
        X : array, list of rows or data frame of shape (n_rows, n_columns)
            Measured values; missing where NaN, None or null. Infinite values are refused.
        y : array-like of shape (n_rows,)
            Labels of any kind.
        sample_weight : array-like of shape (n_rows,) or None
            Rows of weight 0 count as absent.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, TableError
            Names the parameter or column, the rule and the value.
        """
        pruning = self._pruning_value()
        choices = self._noise_choices()
        training = self._read(X, y, sample_weight, choices)
        to_grow, held_out = divided(training, pruning)
        softness = choices.softness(to_grow)
        tree = pruned(
            self._grown(to_grow, softness),
            pruning,
            to_grow,
            held_out,
            impurity=self._impurity,
            is_exact=self.compatibility is not None,
            is_grouped=self.nominal == "grouped",
            softness=softness,
        )
        tree = choices.evaluated(tree, to_grow, self.compatibility)
        self._remember(X, with_settings(tree, provenance(self, training)))
        return self

    def cost_complexity_pruning_path(
        self, X: Any, y: Any, sample_weight: Any = None, risk: str = "impurity"
    ) -> CostComplexityPath:
        """The sequence of trees of least cost, from a tree grown on these rows.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        risk : {"impurity", "error"}, default="impurity"
            See `CostComplexity`.

        Returns
        -------
        CostComplexityPath
            `ccp_alphas` and `impurities` are its alphas and risks under scikit-learn's names.
        """
        CostComplexity(risk=risk)  # type: ignore[arg-type]  # refuses an unknown risk
        choices = self._noise_choices()
        training = self._read(X, y, sample_weight, choices)
        grown = self._grown(training, choices.softness(training))
        return cost_complexity_path(grown, risk, self._impurity)  # type: ignore[arg-type]

    @property
    def feature_importances_(self) -> FloatArray:
        """Share of each column in the impurity that the splits remove."""
        check_is_fitted(self)
        return _importances(self.tree_, self._impurity)

    def _pruning_value(self) -> Any:
        return pruning_value(self.pruning)

    @property
    def _impurity(self) -> Impurity:
        ranks_as_gini = isinstance(self._criterion, AlphaDivergence) and self._criterion.alpha == 2
        return (
            "gini" if ranks_as_gini or criterion_of(self._criterion).score == "gini" else "entropy"
        )

    @property
    def _criterion(self) -> str | AlphaDivergence:
        return self.criterion

    def _noise_choices(self) -> NoiseChoices:
        return NoiseChoices(
            self.search_noise,
            self.propagation_noise,
            self.evaluation_noise,
            self.search,
            self.evaluation,
            self.gate_coupling,
        )

    def _read(self, X: Any, y: Any, sample_weight: Any, choices: NoiseChoices) -> Training:
        training = read_training(
            X, y, sample_weight, self.class_weight, self.categorical_features, _wishes(self.columns)
        )
        sizes = choices.size_columns(training.table)
        return training.set_beside(sizes) if sizes else training

    def _grown(self, training: Training, softness: Softness | None) -> Tree:
        plan = self._plan(growing_costs(self, training.table.names), softness)
        warn_of_light_rows(training, plan.min_samples_leaf)
        return grow(training.table, training.classes, training.codes, training.weights, plan)

    def _plan(self, cost: Mapping[int, float], softness: Softness | None) -> Plan:
        grows_on = softness is not None and propagates(softness.propagation_noise)
        limit = DEPTH_UNDER_PROPAGATION if grows_on and self.max_depth is None else self.max_depth
        return Plan(
            criterion=self._criterion,
            nominal=self.nominal,  # type: ignore[arg-type]  # checked by Plan
            cut_at=self.cut_at,  # type: ignore[arg-type]
            penalty=self.penalty,
            c45_rules=self._c45_rules,
            min_samples_leaf=self.min_samples_leaf,
            min_samples_split=self.min_samples_split,
            max_depth=limit,
            max_leaf_nodes=self.max_leaf_nodes,
            compatibility=self.compatibility,
            cost=cost,
            n_threads=thread_count(self.n_jobs),
            softness=softness,
        )


def growing_costs(estimator: Any, names: tuple[str, ...]) -> dict[int, float]:
    """Cost by column position, of an estimator's wishes about columns."""
    return _costs(_wishes(estimator.columns), names)


def _wishes(columns: Any) -> dict[str, Column]:
    if columns is not None and not isinstance(columns, Mapping):
        raise ParameterError(
            f"columns must be a mapping of column name to Column, or None, got {columns!r}"
        )
    return dict(columns or {})


def _costs(wishes: Mapping[str, Column], names: tuple[str, ...]) -> dict[int, float]:
    """Cost by column position; refuses wishes that training could only ignore."""
    costs = {}
    for name, wish in wishes.items():
        if name not in names:
            raise ColumnNotFound(name, names)
        ignored = [
            field
            for field in Column.__dataclass_fields__
            if field not in WISHES_FOLLOWED and getattr(wish, field) != getattr(Column(), field)
        ]
        if ignored:
            raise ParameterError(
                f"column {name!r}: {', '.join(ignored)} cannot be followed by this version; "
                f"leave it out (followed are {', '.join(sorted(WISHES_FOLLOWED))})"
            )
        if wish.cost is not None:
            costs[names.index(name)] = float(wish.cost)
    return costs


def _importances(tree: Tree, impurity: Impurity) -> FloatArray:
    """Impurity that each column's splits remove, as shares of all that is removed."""
    risks = node_risks(tree, "impurity", impurity)
    removed = np.zeros(len(tree.features))
    inner = np.flatnonzero(tree.column >= 0)
    below = np.zeros(tree.n_nodes)
    np.add.at(below, tree.parent[1:], risks[1:])
    np.add.at(removed, tree.column[inner], np.maximum(0.0, risks[inner] - below[inner]))
    total = removed.sum()
    return removed / total if total > 0 else removed

"""`DecisionChainClassifier`: a list of rules that carves away the safe, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError, TableError
from clearwood.estimators.base import FittedTree, thread_count
from clearwood.estimators.provenance import provenance
from clearwood.estimators.soft import NoiseChoices
from clearwood.estimators.training import Training, read_training, warn_of_light_rows
from clearwood.estimators.tree_classifier import growing_costs
from clearwood.growing import Carving, CarvingStep, Plan, carve
from clearwood.table.column import Column
from clearwood.tree.chain import MARK
from clearwood.tree.with_settings import with_settings

LEAST_ROWS = 10.0
LEAST_SHARE = 0.01


class DecisionChainClassifier(FittedTree):
    """A decision chain: rules in order, each of which carves away rows of low risk (ACDC).

    Every step finds the condition whose one side is purest, by an alpha-divergence whose alpha
    falls as the classes come into balance. The side at lower risk is a rule of its own; the rest
    goes on. What no rule takes is at the highest risk. Two classes only.

    Parameters
    ----------
    velocity : float, default=0.1
        Sets alpha in each step: the larger solution of
        ``velocity = a * (w**(a - 1) - (1 - w)**(a - 1))``, w the share of the larger class among
        the rows at hand; at most 256, and never above that of the step before. A low velocity
        makes longer chains of smaller, purer parts; useful are 0.01 to 1. Of rare events (at 0.1
        below 3 %, at 1 below 2 %) alpha begins at 256 whatever the velocity; a
        lower `start_alpha` then makes the first parts larger.
    start_alpha : float or None, default=None
        Alpha of the first step, above 1 and at most 256. Goes before `velocity`, which is then
        what this alpha has in the first step.
    max_length : int or None, default=8
        Rules at most, besides "otherwise".
    monotone_risk : {"both", "remaining"}, default="both"
        "remaining": a rule is below the risk of all rows at hand, so that the risk of the rest
        rises. "both": nor is it below the risk of the rule before, so that risks never fall.
    on_no_root : {"clamp", "stop"}, default="clamp"
        Where no alpha has that velocity, near balance: take the one that comes nearest, or end
        the chain.
    min_samples_leaf : float or None, default=None
        Weight that both sides of a condition must reach. None is the larger of 10 and 1 % of all.
    event : label or None, default=None
        The class whose risk is meant. None is the rarer one (of equals the second), by the rows'
        own weights; see `event_`.
    direction : {"rising", "falling"}, default="rising"
        "falling" carves the side at the highest risk first, so that risks never rise.
    cut_at : {"midpoint", "observed", "upper"}, default="midpoint"
        Where in the gap between two values a cut lies; see `TreeClassifier`.
    search_noise, propagation_noise, evaluation_noise : None, float or mapping, default=None
        Measurement noise where thresholds are searched, where training weight is divided, and
        where rows are predicted; see `TreeClassifier`.
    search : None, SoftSearch or SampledSearch, default=None
        How thresholds are searched under noise; None is ``SoftSearch()``.
    gate_coupling : {"independent", "joint"}, default="independent"
        Whether a value tested twice counts as measured twice or once.
    class_weight : dict, "balanced" or None, default=None
        Factors of the row weights by class. Balanced classes need no carving: leave it out unless
        you mean it.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are nominal; their conditions are one level against the rest.
    columns : mapping of column name to Column, optional
        Wishes about single columns; `kind`, `unit` and `cost` are followed.
    n_jobs : int or None, default=None
        Threads; changes nothing but the time.
    random_state : None, int or RandomState, default=None
        Nothing here is random; accepted so that tools that set it work.

    Attributes
    ----------
    event_ : label
        The class whose risk is meant; also in ``tree_.settings["training"]["event"]``.
    steps_ : tuple of CarvingStep
        How each rule was chosen: alpha, share of the larger class, velocity, events and weight;
        the first three also in ``tree_.settings["carving"]``.
    alphas_ : ndarray of shape (n_rules,)
        Alpha of each rule; never rises.

    Notes
    -----
    A missing value meets no condition: its row stays in the chain, so that nobody is taken for
    safe for want of a measurement, and counts among the rows that stay. A level that training
    has not seen there stays too. Among conditions of equal worth the first column's is taken,
    then the lowest threshold.

    References
    ----------
    Park, Ho and Ghosh, ACDC: alpha-carving decision chain for risk stratification (2016).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> chain = DecisionChainClassifier(max_length=2, event=0).fit(X, y)
    >>> [round(step.risk, 2) for step in chain.steps_]
    [0.03, 0.5]
    """

    event_: Any
    steps_: tuple[CarvingStep, ...]
    alphas_: FloatArray

    def __init__(
        self,
        *,
        velocity: float = 0.1,
        start_alpha: float | None = None,
        max_length: int | None = 8,
        monotone_risk: str = "both",
        on_no_root: str = "clamp",
        min_samples_leaf: float | None = None,
        event: Any = None,
        direction: str = "rising",
        cut_at: str = "midpoint",
        search_noise: Any = None,
        propagation_noise: Any = None,
        evaluation_noise: Any = None,
        search: Any = None,
        gate_coupling: str = "independent",
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        columns: Mapping[str, Column] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.velocity = velocity
        self.start_alpha = start_alpha
        self.max_length = max_length
        self.monotone_risk = monotone_risk
        self.on_no_root = on_no_root
        self.min_samples_leaf = min_samples_leaf
        self.event = event
        self.direction = direction
        self.cut_at = cut_at
        self.search_noise = search_noise
        self.propagation_noise = propagation_noise
        self.evaluation_noise = evaluation_noise
        self.search = search
        self.gate_coupling = gate_coupling
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.columns = columns
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Carves a chain.

        Parameters
        ----------
        X : array, list of rows or data frame of shape (n_rows, n_columns)
            Measured values; missing where NaN, None or null. Infinite values are refused.
        y : array-like of shape (n_rows,)
            Labels of any kind, two of them.
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
        carving = self._carving()
        choices = self._noise_choices()
        training = self._read(X, y, sample_weight, choices)
        _require_two_classes(training.classes)
        event = self._event(training, X, y, sample_weight)
        tree, steps = carve(
            training.table,
            training.classes,
            training.codes,
            training.weights,
            event=event,
            plan=self._plan(training, choices),
            carving=carving,
        )
        tree = choices.evaluated(tree, training, None)
        self.event_ = training.classes[event]
        self.steps_ = steps
        self.alphas_ = np.array([step.alpha for step in steps])
        self._remember(X, with_settings(tree, self._settings(training)))
        return self

    def _carving(self) -> Carving:
        return Carving(
            velocity=self.velocity,
            start_alpha=self.start_alpha,
            max_length=self.max_length,
            monotone_risk=self.monotone_risk,  # type: ignore[arg-type]  # checked by Carving
            on_no_root=self.on_no_root,  # type: ignore[arg-type]
            direction=self.direction,  # type: ignore[arg-type]
        )

    def _noise_choices(self) -> NoiseChoices:
        return NoiseChoices(
            self.search_noise,
            self.propagation_noise,
            self.evaluation_noise,
            self.search,
            None,
            self.gate_coupling,
        )

    def _read(self, X: Any, y: Any, sample_weight: Any, choices: NoiseChoices) -> Training:
        training = read_training(
            X, y, sample_weight, self.class_weight, self.categorical_features, self.columns
        )
        sizes = choices.size_columns(training.table)
        return training.set_beside(sizes) if sizes else training

    def _event(self, training: Training, X: Any, y: Any, sample_weight: Any) -> int:
        """Index of the event among the classes."""
        labels = training.classes.tolist()
        if self.event is not None:
            if self.event not in labels:
                raise ParameterError(
                    f"event must be one of the classes {labels}, got {self.event!r}"
                )
            return int(labels.index(self.event))
        if self.class_weight is not None:  # which is rarer, no factor decides
            training = read_training(X, y, sample_weight)
        mass = np.bincount(training.codes, training.weights, 2)
        return 0 if mass[0] < mass[1] else 1

    def _plan(self, training: Training, choices: NoiseChoices) -> Plan:
        least = self.min_samples_leaf
        if least is None:
            n_rows = len(training.codes)
            weight = n_rows if training.weights is None else training.weights.sum()
            least = max(LEAST_ROWS, LEAST_SHARE * float(weight))
        plan = Plan(
            cut_at=self.cut_at,  # type: ignore[arg-type]  # checked by Plan
            min_samples_leaf=least,
            cost=growing_costs(self, training.table.names),
            n_threads=thread_count(self.n_jobs),
            softness=choices.softness(training),
        )
        warn_of_light_rows(training, plan.min_samples_leaf)
        return plan

    def _settings(self, training: Training) -> dict[str, Any]:
        settings = provenance(self, training)
        event = self.event_
        settings["training"]["event"] = event.item() if isinstance(event, np.generic) else event
        settings[MARK] = "chain"  # text and pictures show it as one
        settings["carving"] = [
            {"alpha": step.alpha, "larger_share": step.larger_share, "velocity": step.velocity}
            for step in self.steps_
        ]
        return settings


def _require_two_classes(classes: Any) -> None:
    if len(classes) > 2:
        raise TableError(
            "Only binary classification is supported. The type of the target is multiclass: "
            f"a chain tells one event from the rest, but y has {len(classes)} classes; "
            "compare with the event first, as in fit(X, y == event)"
        )
    if len(classes) < 2:
        raise TableError(
            f"a chain needs rows of two classes, but y has one class only: {classes.tolist()[0]!r}"
        )

"""Classifiers for uncertain measurements: presets of `TreeClassifier` that set its noise."""

from __future__ import annotations

from typing import Any

from clearwood.errors import ParameterError
from clearwood.estimators.presets import with_defaults
from clearwood.estimators.soft import NoiseChoices
from clearwood.estimators.tree_classifier import TreeClassifier
from clearwood.growing import SampledSearch
from clearwood.noise.sampled import RangeFraction


class SoftTreeClassifier(TreeClassifier):
    """The first paper's learner: soft search and soft training propagation.

    Parameters
    ----------
    noise : None, float or mapping, default=None
        Measurement noise for both search and propagation: a fraction u of each numeric column's
        absolute training mean, or a mapping from column name to a model of `clearwood.noise`.
        None is the paper's baseline, its "C4.5". `search_noise` and `propagation_noise` go
        before it where they are given; an empty mapping turns one of them off.

    Notes
    -----
    Its other defaults: ``min_samples_leaf=2``, ``pruning="exact_error_based"`` (the limit of
    Clopper and Pearson, continued to parts of rows, after the Laplace correction); plain
    information gain, no penalty. Prediction is hard unless `evaluation_noise` is given. Trees
    that are grown under noise are smaller and change their mind less often about a patient who
    is measured again, at about the same accuracy. See `TreeClassifier` for the other parameters.

    References
    ----------
    Nunes et al., Decision tree learning for uncertain clinical measurements (2019), section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> [SoftTreeClassifier(noise=u).fit(X, y).get_n_leaves() for u in (None, 0.1)]
    [11, 7]
    """

    noise: Any
    __init__ = with_defaults({"noise": None}, min_samples_leaf=2, pruning="exact_error_based")

    def _noise_choices(self) -> NoiseChoices:
        own = {name: getattr(self, name) for name in ("search_noise", "propagation_noise")}
        search, propagation = (self.noise if given is None else given for given in own.values())
        return NoiseChoices(
            search,
            propagation,
            self.evaluation_noise,
            self.search,
            self.evaluation,
            self.gate_coupling,
            tuple(name for name, given in own.items() if given is None),
        )


class UDTClassifier(TreeClassifier):
    """UDT: every value is a distribution, in training and in use.

    Parameters
    ----------
    width : float, default=0.1
        Width of each value's distribution, as part of the range of its column in training.
    points : int, default=100
        Sample points that stand for a distribution.
    shape : {"gaussian", "uniform"}, default="gaussian"
        "gaussian" has a standard deviation of a quarter of the width and is cut off at its ends.

    Notes
    -----
    Thresholds are searched among the sample points, with bounds that spare most evaluations and
    change nothing (``search=SampledSearch(bounds="none")`` does without). A row is divided by a
    cut, and each part knows the interval it lies in. Stopping, pruning and missing values are as
    in `SoftTreeClassifier`, so that the two can be compared; see `TreeClassifier` for the other
    parameters. The noise parameters are set by `width`.

    References
    ----------
    Tsang, Kao, Yip, Ho and Lee, Decision trees for uncertain data, IEEE TKDE 23 (2011).
    """

    width: float
    points: int
    shape: str
    __init__ = with_defaults(
        {"width": 0.1, "points": 100, "shape": "gaussian"},
        min_samples_leaf=2,
        pruning="exact_error_based",
        gate_coupling="joint",
    )

    def _noise_choices(self) -> NoiseChoices:
        given = (self.search_noise, self.propagation_noise, self.evaluation_noise, self.evaluation)
        if any(value is not None for value in given):
            raise ParameterError(
                "UDTClassifier takes its noise from width, in training and in use: leave "
                "search_noise, propagation_noise, evaluation_noise and evaluation out"
            )
        model = RangeFraction(self.width, self.points, self.shape)  # type: ignore[arg-type]
        search = SampledSearch() if self.search is None else self.search
        return NoiseChoices(model, model, model, search, None, self.gate_coupling)

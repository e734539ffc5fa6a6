"""The named methods: `TreeClassifier` with their defaults, and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any

from clearwood.estimators.tree_classifier import TreeClassifier
from clearwood.growing import AlphaDivergence


def with_defaults(
    added: Mapping[str, Any] | None = None, without: Collection[str] = (), **changed: Any
) -> Any:
    """`TreeClassifier.__init__` with other defaults and, before its parameters, `added` ones.

    Those of its parameters that are `without` meaning for a method are not offered. scikit-learn
    reads the parameters of a class off the signature of its `__init__`.
    """
    signature = inspect.signature(TreeClassifier.__init__)
    own, *inherited = signature.parameters.values()
    inherited = [parameter for parameter in inherited if parameter.name not in without]
    new = dict(added or {})

    def __init__(self: TreeClassifier, **parameters: Any) -> None:
        _require_known(type(self).__name__, parameters, [*new, *(p.name for p in inherited)])
        for name, default in new.items():
            setattr(self, name, parameters.pop(name, default))
        TreeClassifier.__init__(self, **(changed | parameters))

    keyword = inspect.Parameter.KEYWORD_ONLY
    __init__.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[
            own,
            *(inspect.Parameter(name, keyword, default=default) for name, default in new.items()),
            *(p.replace(default=changed.get(p.name, p.default)) for p in inherited),
        ]
    )
    return __init__


def _require_known(owner: str, given: Mapping[str, Any], known: list[str]) -> None:
    """Refuses, as Python does, a keyword that is no parameter; in the name of the class asked."""
    unknown = next((name for name in given if name not in known), None)
    if unknown is None:
        return
    near = get_close_matches(unknown, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    if unknown == "noise":
        hint = "; give search_noise, propagation_noise or evaluation_noise"
        if "width" in known:
            hint = "; its noise is set by width (see SoftTreeClassifier for noise models)"
    raise TypeError(f"{owner}() has no parameter {unknown!r}{hint}")


class C45Classifier(TreeClassifier):
    """C4.5 release 8: gain ratio, error-based pruning, fractional missing values.

    `TreeClassifier` with C4.5's defaults and its rules for the minimum weight of a branch, for
    nominal columns that gain nothing, and for collapsing subtrees. With ``compatibility="c45"``
    the trees are those of the original program to the last node. Windowing and rule sets are
    not offered.

    Its defaults: ``criterion="gain_ratio"``, ``cut_at="observed"``, ``penalty=True``,
    ``pruning="error_based"``, ``min_samples_leaf=2``. See `TreeClassifier` for the parameters.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> C45Classifier().fit(*load_iris(return_X_y=True)).get_n_leaves()
    5
    """

    _c45_rules = True
    __init__ = with_defaults(
        criterion="gain_ratio",
        cut_at="observed",
        penalty=True,
        pruning="error_based",
        min_samples_leaf=2,
    )


class ID3Classifier(TreeClassifier):
    """ID3: information gain, a branch for each level, no pruning (Quinlan 1986).

    Numeric columns are cut at midpoints, which the original did not know. Its defaults are those
    of `TreeClassifier`; see there for the parameters.
    """

    __init__ = with_defaults(criterion="information_gain")


class CARTClassifier(TreeClassifier):
    """CART: Gini gain, binary splits, cost-complexity pruning (Breiman et al. 1984).

    Its defaults: ``criterion="gini"``, ``nominal="subset"``, ``pruning="cost_complexity"`` (alpha
    0: no cross-validation behind your back). See `TreeClassifier` for the parameters. Missing
    values are split over both branches, not sent by surrogate splits.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood.pruning import CostComplexity
    >>> CARTClassifier(pruning=CostComplexity(0.05)).fit(
    ...     *load_iris(return_X_y=True)
    ... ).get_n_leaves()
    3
    """

    __init__ = with_defaults(criterion="gini", nominal="subset", pruning="cost_complexity")


class AlphaTreeClassifier(TreeClassifier):
    """Alpha-tree: splits by alpha-divergence (Park and Ghosh 2012).

    Parameters
    ----------
    alpha : float, default=2
        1 grows the trees of information gain, 2 those of Gini; a higher one prefers branches of
        one class, however small, which suits rare classes. An alpha up to 0 needs a smoothing.
    reference : {"product", "uniform"}, default="product"
        What class shares are held against: those of the node, or the same for every class.
    smoothing : float, default=0
        Weight added to every class of a branch before its shares are taken.

    Notes
    -----
    Its other default: ``nominal="subset"``, so that all splits are binary. `criterion` is set by
    these parameters; see `TreeClassifier` for the others and `AlphaDivergence` for the formula.

    References
    ----------
    Park and Ghosh, Ensembles of alpha-trees for imbalanced classification problems (2012).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> AlphaTreeClassifier(alpha=8, max_depth=2).fit(X, y).get_n_leaves()
    4
    """

    alpha: float
    reference: str
    smoothing: float
    __init__ = with_defaults(
        {"alpha": 2, "reference": "product", "smoothing": 0},
        without=("criterion",),
        nominal="subset",
    )

    @property
    def _criterion(self) -> AlphaDivergence:
        return AlphaDivergence(self.alpha, self.reference, self.smoothing)  # type: ignore[arg-type]

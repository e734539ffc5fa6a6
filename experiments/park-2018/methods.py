"""What is compared, by name; a method whose class is not installed is left out and named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

import clearwood as cw


@dataclass(frozen=True, slots=True)
class Method:
    """How to make a classifier, and how many rules one has that was fitted.

    Parameters
    ----------
    make : callable of the least rows of a leaf
        A classifier that was not fitted yet.
    n_rules : callable of a fitted classifier
        Leaves of a tree; steps of a list, "otherwise" among them.
    is_tree_of_the_paper : bool
        Whether the paper holds its chain against it.
    """

    make: Callable[[float], Any]
    n_rules: Callable[[Any], int]
    is_tree_of_the_paper: bool = False


def leaves(model: Any) -> int:
    """Of a tree; a chain is one."""
    return int(model.get_n_leaves())


def chain(length: int, **carving: Any) -> Method:
    """A chain of so many rules at most; its least leaf is its own default."""
    return Method(lambda least: cw.DecisionChainClassifier(max_length=length, **carving), leaves)


def chains(options: Mapping[str, Any]) -> dict[str, Method]:
    """The chain, and the greedy falling list: carved from the highest risk, by the Gini index."""
    falling = {"start_alpha": options["falling_alpha"], "direction": "falling"}
    carvings = {"chain": {"velocity": options["velocity"]}, "falling list": falling}
    return {
        f"{name}, {length}": chain(length, **carving)
        for name, carving in carvings.items()
        for length in options["chain_lengths"]
    }


def trees(options: Mapping[str, Any]) -> dict[str, Method]:
    """Trees grown to the depth and not pruned, and C4.5 with the defaults it came with.

    The paper says C4.5 of a tree that gains most information, without C4.5's gain ratio and
    without its collapsing of subtrees that make no fewer training errors. C4.5 itself is a row of
    ours.
    """

    def method(cls: Any, is_of_the_paper: bool) -> Method:
        return Method(
            lambda least: cls(max_depth=options["depth"], min_samples_leaf=least, pruning=None),
            leaves,
            is_of_the_paper,
        )

    return {
        "information gain": method(cw.ID3Classifier, True),
        "CART": method(cw.CARTClassifier, True),
        "C4.5": method(cw.C45Classifier, False),
        "C4.5, pruned": Method(lambda least: cw.C45Classifier(), leaves),
    }


def alpha_tree(alpha: float, depth: int, reference: str = "product") -> Method:
    """A tree of one α throughout; the paper's have the product of the margins as reference."""

    def make(least: float) -> Any:
        return cw.AlphaTreeClassifier(
            alpha=alpha, reference=reference, max_depth=depth, min_samples_leaf=least
        )

    return Method(make, leaves, is_tree_of_the_paper=reference == "product")


def alpha_trees(options: Mapping[str, Any]) -> dict[str, Method]:
    """One of each α."""
    return {
        f"α-tree, {alpha:g}": alpha_tree(alpha, options["depth"]) for alpha in options["alphas"]
    }


def rule_lists(options: Mapping[str, Any]) -> dict[str, Method]:
    """The greedy list of stumps of imodels; it cannot read missing values, which become medians."""
    try:
        cls = import_module("imodels").GreedyRuleListClassifier
    except ImportError:
        return {}

    class Repeatable(cls):  # type: ignore[misc, valid-type]
        """The same list for the same rows: of equal cuts its stumps take one by chance."""

        def fit(self, X: Any, y: Any, **options: Any) -> Any:
            np.random.seed(0)  # noqa: NPY002  # the generator that its stumps draw from
            return super().fit(X, y, **options)

    def method(length: int) -> Method:
        def make(least: float) -> Any:
            return make_pipeline(SimpleImputer(strategy="median"), Repeatable(max_depth=length))

        return Method(make, lambda model: len(model[-1].rules_))

    return {f"imodels list, {length}": method(length) for length in options["chain_lengths"]}


def available(options: Mapping[str, Any]) -> dict[str, Method]:
    """Every method that can be run here."""
    groups = (chains, trees, alpha_trees, rule_lists)
    return {name: method for make in groups for name, method in make(options).items()}


def absent(options: Mapping[str, Any]) -> list[str]:
    """What is not installed."""
    return [] if rule_lists(options) else ["GreedyRuleListClassifier of imodels"]


def other_settings(options: Mapping[str, Any]) -> dict[str, Method]:
    """Chains of other velocities, by velocity or first α; α-trees of the uniform reference."""
    found = {}
    for length in options["chain_lengths"]:
        for velocity in options["other_velocities"]:
            found[f"chain, {length}, ν = {velocity:g}"] = chain(length, velocity=velocity)
        for alpha in options["start_alphas"]:
            found[f"chain, {length}, α from {alpha:g}"] = chain(length, start_alpha=alpha)
    for alpha in options["alphas"]:
        tree = alpha_tree(alpha, options["depth"], "uniform")
        found[f"α-tree, {alpha:g}, uniform"] = tree
    return found


def told(options: Mapping[str, Any], noise: Any) -> dict[str, Method]:
    """Told the noise where they search, divide weight and predict: chains, and the plain tree."""
    soft = dict.fromkeys(("search_noise", "propagation_noise", "evaluation_noise"), noise)
    found = {
        f"chain, {length}, told": chain(length, velocity=options["velocity"], **soft)
        for length in options["chain_lengths"]
    }

    def make(least: float) -> Any:
        return cw.ID3Classifier(
            max_depth=options["depth"], min_samples_leaf=least, pruning=None, **soft
        )

    return found | {"information gain, told": Method(make, leaves)}

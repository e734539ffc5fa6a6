"""What is compared, by name; a method whose class is not installed is left out and named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

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


def chains(options: Mapping[str, Any]) -> dict[str, Method]:
    """The chain, and the greedy falling list: carved from the highest risk, by the Gini index."""
    cls = getattr(cw, "DecisionChainClassifier", None)
    if cls is None:
        return {}

    carvings = {
        "chain": {"velocity": options["velocity"]},
        "falling list": {"start_alpha": options["falling_alpha"], "direction": "falling"},
    }

    def method(length: int, carving: Mapping[str, Any]) -> Method:
        return Method(lambda least: cls(max_length=length, **carving), leaves)

    return {
        f"{name}, {length}": method(length, carving)
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


def alpha_trees(options: Mapping[str, Any]) -> dict[str, Method]:
    """Trees of one α throughout."""
    cls = getattr(cw, "AlphaTreeClassifier", None)
    if cls is None:
        return {}

    def method(alpha: float) -> Method:
        return Method(
            lambda least: cls(alpha=alpha, max_depth=options["depth"], min_samples_leaf=least),
            leaves,
            is_tree_of_the_paper=True,
        )

    return {f"α-tree, {alpha:g}": method(alpha) for alpha in options["alphas"]}


def rule_lists(options: Mapping[str, Any]) -> dict[str, Method]:
    """The greedy list of stumps of imodels; it cannot read missing values, which become medians."""
    try:
        cls = import_module("imodels").GreedyRuleListClassifier
    except ImportError:
        return {}

    def method(length: int) -> Method:
        return Method(
            lambda least: make_pipeline(SimpleImputer(strategy="median"), cls(max_depth=length)),
            lambda model: len(model[-1].rules_),
        )

    return {f"imodels list, {length}": method(length) for length in options["chain_lengths"]}


GROUPS = {
    "DecisionChainClassifier": chains,
    "ID3Classifier, CARTClassifier and C45Classifier": trees,
    "AlphaTreeClassifier": alpha_trees,
    "GreedyRuleListClassifier of imodels": rule_lists,
}


def available(options: Mapping[str, Any]) -> dict[str, Method]:
    """Every method that can be run here."""
    return {name: method for make in GROUPS.values() for name, method in make(options).items()}


def absent(options: Mapping[str, Any]) -> list[str]:
    """The classes that are not installed."""
    return [name for name, make in GROUPS.items() if not make(options)]

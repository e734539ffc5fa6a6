"""Minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3).

The cost of a tree is its risk plus alpha for each leaf. As alpha rises, the tree of least cost
shrinks through a nested sequence: each step cuts the nodes whose subtree gains least per leaf,
g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.pruning.errors_below import errors_as_leaf
from clearwood.pruning.option_checks import require_choice, require_number
from clearwood.tree.rebuild import LEAF, rebuild
from clearwood.tree.structure import Tree

Risk = Literal["impurity", "error"]
Impurity = Literal["gini", "entropy"]
RISKS: tuple[Risk, ...] = ("impurity", "error")
IMPURITIES: tuple[Impurity, ...] = ("gini", "entropy")

TIE = 1e-12
"""Values of g this close, relative to the root's risk, are one step of the sequence."""


@dataclass(frozen=True, slots=True)
class CostComplexity:
    """Minimal cost-complexity pruning at one alpha.

    Parameters
    ----------
    alpha : float, default=0
        Price of a leaf, in units of risk; 0 cuts only what gains nothing.
    risk : {"impurity", "error"}, default="impurity"
        Risk of a leaf: its share of the training weight times its impurity (that of the
        criterion which grew the tree), or its share of misclassified weight.
    impurity : {"gini", "entropy"} or None, default=None
        Where risk is impurity. None is that of the criterion which grew the tree, and "gini"
        where the tree does not say.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.
    """

    alpha: float = 0.0
    risk: Risk = "impurity"
    impurity: Impurity | None = None

    def __post_init__(self) -> None:
        require_number("alpha", self.alpha)
        require_choice("risk", self.risk, RISKS)
        if self.impurity is not None:
            require_choice("impurity", self.impurity, IMPURITIES)


@dataclass(frozen=True, slots=True)
class CostComplexityPath:
    """The nested sequence of pruned trees, from the whole tree to its root.

    Parameters
    ----------
    alphas : ndarray of shape (n_steps,)
        Rising; tree i has the least cost for ``alphas[i] <= alpha < alphas[i + 1]``.
    risks : ndarray of shape (n_steps,)
        Risk of each tree.
    n_leaves : ndarray of shape (n_steps,)
        Size of each tree.
    step : ndarray of shape (n_nodes,)
        The first tree of the sequence in which a node is a leaf or gone; n_steps for the leaves
        of the whole tree.
    """

    alphas: FloatArray
    risks: FloatArray
    n_leaves: IntArray
    step: IntArray

    @property
    def ccp_alphas(self) -> FloatArray:
        """`alphas`, by scikit-learn's name."""
        return self.alphas

    @property
    def impurities(self) -> FloatArray:
        """`risks`, by scikit-learn's name."""
        return self.risks


def impurity_of(tree: Tree) -> Impurity:
    """The impurity of the criterion a tree says it was grown by; Gini where it says nothing.

    Of alpha-divergences, alpha 2 has Gini's and the others have entropy.
    """
    parameters = tree.settings.get("parameters", {})
    criterion = parameters.get("criterion", "gini")
    if tree.settings.get("classifier") == "AlphaTreeClassifier":
        criterion = parameters
    if isinstance(criterion, Mapping):
        criterion = "gini" if criterion.get("alpha") == 2 else "divergence"
    return "gini" if criterion == "gini" else "entropy"


def node_impurities(masses: FloatArray, impurity: Impurity) -> FloatArray:
    """Gini impurity, or entropy in bits, of each node; 0 without weight. Shape (n_nodes,)."""
    weight = masses.sum(axis=1)
    shares = np.divide(masses, weight[:, None], out=np.zeros_like(masses), where=masses > 0)
    if impurity == "gini":
        return np.where(weight > 0, 1.0 - (shares**2).sum(axis=1), 0.0)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    entropy: FloatArray = -(shares * logs).sum(axis=1)
    return entropy


def node_risks(
    tree: Tree, risk: Risk, impurity: Impurity = "gini", masses: FloatArray | None = None
) -> FloatArray:
    """Risk of each node as a leaf, as part of the whole weight; shape (n_nodes,).

    `masses` are the rows that reach each node; None is the training weight.
    """
    masses = tree.masses if masses is None else masses
    weight = masses.sum(axis=1)
    by_error = risk == "error"
    cost = errors_as_leaf(tree, masses) if by_error else node_impurities(masses, impurity) * weight
    risks: FloatArray = cost / (weight[0] if weight[0] > 0 else 1.0)
    return risks


def cost_complexity_path(
    tree: Tree,
    risk: Risk = "impurity",
    impurity: Impurity = "gini",
    masses: FloatArray | None = None,
) -> CostComplexityPath:
    """The sequence of subtrees of least cost as alpha rises from 0.

    Parameters
    ----------
    tree : Tree
        Any tree.
    risk : {"impurity", "error"}, default="impurity"
        See `CostComplexity`.
    impurity : {"gini", "entropy"}, default="gini"
        Where risk is impurity.
    masses : ndarray of shape (n_nodes, n_classes) or None
        The rows that reach each node; None is the training weight.
    """
    return _sequence(tree, node_risks(tree, risk, impurity, masses))


def replacement_at(tree: Tree, path: CostComplexityPath, alpha: float) -> IntArray:
    """What stands in the place of each node in the tree that has the least cost at `alpha`."""
    step = int(np.searchsorted(path.alphas, alpha, side="right")) - 1
    replacement = np.arange(tree.n_nodes, dtype=np.int32)
    replacement[path.step <= step] = LEAF
    return replacement


def prune_to(tree: Tree, path: CostComplexityPath, alpha: float) -> Tree:
    """The tree of the sequence that has the least cost at `alpha`."""
    return rebuild(tree, replacement_at(tree, path, alpha))


def cost_complexity(tree: Tree, options: CostComplexity, impurity: Impurity = "gini") -> Tree:
    """The tree pruned at ``options.alpha``."""
    risks = node_risks(tree, options.risk, options.impurity or impurity)
    return prune_to(tree, _sequence(tree, risks), options.alpha)


_Link = tuple[float, float, int, int]
"""A node that falls as alpha rises: minus alpha, risk gained, leaves lost, node; a heap's order."""


def _sequence(tree: Tree, risks: FloatArray) -> CostComplexityPath:
    """The path, from the leaves up: each node falls at the alpha where its subtree costs as much.

    What is below a node that falls first is forgotten, so every node is met twice at most,
    however deep the tree. The sequence is that of cutting the weakest links one by one.
    """
    starts, ids = tree.child_start.tolist(), tree.child_ids.tolist()
    risk = risks.tolist()
    falls_at = [math.inf] * tree.n_nodes
    below: dict[int, list[_Link]] = {}
    for node in tree.bottom_up():
        children = ids[starts[node] : starts[node + 1]]
        if children:
            links = _merged([below.pop(child) for child in children])
            link = _weakest(node, risk[node], [risk[child] for child in children], links)
            falls_at[node] = -link[0]
            heapq.heappush(links, link)
            below[node] = links
        else:
            below[node] = []
    return _path(tree, sorted(below[0], reverse=True), risk[0])


def _weakest(node: int, risk: float, risks_below: list[float], links: list[_Link]) -> _Link:
    """The link of a node; takes off the heap what would not fall before it."""
    as_subtree, n_leaves = math.fsum(risks_below), len(risks_below)
    alpha = (risk - as_subtree) / (n_leaves - 1)
    while links and -links[0][0] >= alpha:
        _, gained, lost, _ = heapq.heappop(links)
        as_subtree -= gained
        n_leaves += lost
        alpha = (risk - as_subtree) / (n_leaves - 1)
    return -max(0.0, alpha), risk - as_subtree, n_leaves - 1, node


def _merged(heaps: list[list[_Link]]) -> list[_Link]:
    """The heaps together; the smaller are put into the largest."""
    heaps.sort(key=len)
    largest = heaps.pop()
    for heap in heaps:
        for link in heap:
            heapq.heappush(largest, link)
    return largest


def _path(tree: Tree, links: list[_Link], root_risk: float) -> CostComplexityPath:
    """The path on which these links fall in turn; those that fall together are one step."""
    tolerance = TIE * max(root_risk, TIE)
    alphas = [0.0]
    risks = [root_risk - math.fsum(gained for _, gained, _, _ in links)]
    sizes = [1 + sum(lost for _, _, lost, _ in links)]
    falls_in = [tree.n_nodes] * tree.n_nodes
    for minus_alpha, gained, lost, node in links:
        if -minus_alpha > alphas[-1] + tolerance:
            alphas.append(-minus_alpha)
            risks.append(risks[-1])
            sizes.append(sizes[-1])
        risks[-1] += gained
        sizes[-1] -= lost
        falls_in[node] = len(alphas) - 1
    for node, parent in enumerate(tree.parent.tolist()[1:], start=1):
        falls_in[node] = min(falls_in[node], falls_in[parent])
    return CostComplexityPath(
        np.array(alphas),
        np.array(risks),
        np.array(sizes, dtype=np.int32),
        np.where(tree.is_leaf, len(alphas), falls_in).astype(np.int32),
    )

"""Minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3).

The cost of a tree is its risk plus alpha for each leaf. As alpha rises, the tree of least cost
shrinks through a nested sequence: each step cuts the nodes whose subtree gains least per leaf,
g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1).
"""

from __future__ import annotations

import heapq
import math
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
    """The impurity of the criterion a tree says it was grown by; Gini where it says nothing."""
    criterion = tree.settings.get("parameters", {}).get("criterion", "gini")
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
    return _WeakestLinks(tree, node_risks(tree, risk, impurity, masses)).path()


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
    return prune_to(tree, _WeakestLinks(tree, risks).path(options.alpha), options.alpha)


class _WeakestLinks:
    """Cuts the weakest nodes step by step; a heap with stale entries finds the next one."""

    def __init__(self, tree: Tree, risks: FloatArray) -> None:
        self.parent: list[int] = tree.parent.tolist()
        self.start: list[int] = tree.child_start.tolist()
        self.ids: list[int] = tree.child_ids.tolist()
        self.risk: list[float] = risks.tolist()
        self.below: list[float] = list(self.risk)
        self.leaves = [1] * tree.n_nodes
        self.cut_in = [-1] * tree.n_nodes
        self.tolerance = TIE * max(self.risk[0], TIE)
        for node in range(tree.n_nodes - 1, -1, -1):
            if children := self.children(node):
                self.below[node] = math.fsum(self.below[child] for child in children)
                self.leaves[node] = sum(self.leaves[child] for child in children)

    def children(self, node: int) -> list[int]:
        return self.ids[self.start[node] : self.start[node + 1]]

    def strength(self, node: int) -> float:
        """What a leaf of the subtree is worth; 0 where rounding makes it less."""
        return max(0.0, (self.risk[node] - self.below[node]) / (self.leaves[node] - 1))

    def path(self, highest: float = math.inf) -> CostComplexityPath:
        """The sequence as far as `highest` alpha; all steps beyond are cut off."""
        heap = [(self.strength(n), n) for n in range(len(self.risk)) if self.leaves[n] > 1]
        heapq.heapify(heap)
        alphas, risks, sizes = [0.0], [self.below[0]], [self.leaves[0]]
        while heap:
            alpha, node = heapq.heappop(heap)
            if self.cut_in[node] >= 0 or alpha != self.strength(node):
                continue
            if alpha > alphas[-1] + self.tolerance:
                if alpha > highest:
                    break
                alphas.append(alpha)
                risks.append(0.0)
                sizes.append(0)
            self.cut(node, len(alphas) - 1, heap)
            risks[-1], sizes[-1] = self.below[0], self.leaves[0]
        step = [len(alphas) if first < 0 else first for first in self.cut_in]
        return CostComplexityPath(
            np.array(alphas),
            np.array(risks),
            np.array(sizes, dtype=np.int32),
            np.array(step, dtype=np.int32),
        )

    def cut(self, node: int, step: int, heap: list[tuple[float, int]]) -> None:
        gained, lost = self.risk[node] - self.below[node], self.leaves[node] - 1
        self.mark(node, step)
        self.below[node], self.leaves[node] = self.risk[node], 1
        above = self.parent[node]
        while above >= 0:
            self.below[above] += gained
            self.leaves[above] -= lost
            if self.leaves[above] > 1:
                heapq.heappush(heap, (self.strength(above), above))
            above = self.parent[above]

    def mark(self, node: int, step: int) -> None:
        """All inner nodes below fall with a node; what fell earlier keeps its step."""
        open_nodes = [node]
        while open_nodes:
            current = open_nodes.pop()
            children = self.children(current)
            if children and self.cut_in[current] < 0:
                self.cut_in[current] = step
                open_nodes += children

"""Minimum error pruning (Niblett and Bratko 1986; Cestnik and Bratko 1991).

The error of a leaf on new rows is expected from its n rows, n_c of them of class c, and from a
prior p_c that weighs as much as m rows: the least of

    1 - (n_c + p_c m) / (n + m)

over the classes; with p_c = 1/K and m = K classes it is (e + K - 1) / (n + K). A subtree expects
the mean of its branches, by weight. From the leaves up, it gives way to a leaf that expects no
more. The theory covers any number of classes and branches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.pruning.errors_below import TIE
from clearwood.pruning.option_checks import require_choice, require_number
from clearwood.tree.rebuild import LEAF
from clearwood.tree.structure import Tree

Prior = Literal["uniform", "root"]
PRIORS: tuple[Prior, ...] = ("uniform", "root")


@dataclass(frozen=True, slots=True)
class MinimumError:
    """Minimum error pruning.

    Parameters
    ----------
    m : float or None, default=None
        Rows that the prior weighs; more prunes more, as a rule. None is the number of classes.
    prior : {"uniform", "root"} or None, default=None
        Every class alike (Niblett and Bratko), or the shares at the root (Cestnik and Bratko).
        None is "uniform" where `m` is None, else "root".

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.
    """

    m: float | None = None
    prior: Prior | None = None

    def __post_init__(self) -> None:
        if self.m is not None:
            require_number("m", self.m)
        if self.prior is not None:
            require_choice("prior", self.prior, PRIORS)


def minimum_error(tree: Tree, masses: FloatArray, options: MinimumError) -> IntArray:
    """What stands in the place of each node after minimum error pruning.

    Parameters
    ----------
    tree : Tree
        Any tree.
    masses : ndarray of shape (n_nodes, n_classes)
        The rows that reach each node, as a rule ``tree.masses``.
    options : MinimumError

    Returns
    -------
    ndarray of shape (n_nodes,)
    """
    return _pruned(tree, masses, options)[0]


def expected_error(tree: Tree, masses: FloatArray, options: MinimumError) -> float:
    """Expected error rate of the pruned tree on new rows."""
    return _pruned(tree, masses, options)[1]


def _pruned(tree: Tree, masses: FloatArray, options: MinimumError) -> tuple[IntArray, float]:
    """The replacement, and the expected error of what stands at the root."""
    replacement = np.arange(tree.n_nodes, dtype=np.int32)
    weight = masses.sum(axis=1)
    errors_if_leaf = (_static_errors(masses, options) * weight).tolist()
    is_leaf, parent = tree.is_leaf.tolist(), tree.parent.tolist()
    errors = [0.0] * tree.n_nodes  # expected errors, so that branches add up
    for node in tree.bottom_up():
        if not is_leaf[node] and errors_if_leaf[node] * (1 - TIE) <= errors[node]:
            replacement[node] = LEAF
        if replacement[node] == LEAF or is_leaf[node]:
            errors[node] = errors_if_leaf[node]
        if node > 0:
            errors[parent[node]] += errors[node]
    return replacement, errors[0] / weight[0] if weight[0] > 0 else np.nan


def _static_errors(masses: FloatArray, options: MinimumError) -> FloatArray:
    """Expected error rate of each node as a leaf."""
    n_classes = masses.shape[1]
    m = n_classes if options.m is None else options.m
    by_root = options.prior == "root" or (options.prior is None and options.m is not None)
    total = masses[0].sum()
    prior = masses[0] / total if by_root and total > 0 else np.full(n_classes, 1.0 / n_classes)
    weight = masses.sum(axis=1, keepdims=True) + m
    share = np.divide(masses + prior * m, weight, out=np.ones_like(masses), where=weight > 0)
    errors: FloatArray = 1.0 - share.max(axis=1)
    return errors

"""What each method varies along its size-error path: a parameter, its values, the tree at each.

Values rise from the weakest pruning to the strongest (of `confidence` and `n_leaves`: they fall).
Where a tree changes at known values these are taken, elsewhere a ladder of values that spans what
is useful.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.pruning.cost_complexity import (
    CostComplexity,
    cost_complexity_path,
    impurity_of,
    replacement_at,
)
from clearwood.pruning.critical_value import CriticalValue, best_below
from clearwood.pruning.error_based import HIGHEST_CONFIDENCE, ErrorBased
from clearwood.pruning.menu import METHODS, apply, deals_rows, name_of
from clearwood.pruning.minimum_error import MinimumError
from clearwood.pruning.optimal_size import OptimalSize, optimal_sizes
from clearwood.pruning.pessimistic_error import PessimisticError
from clearwood.pruning.reduced_error import ReducedError, reduced_error
from clearwood.pruning.rows import PruningRows, node_masses
from clearwood.pruning.tree_size import TreeSize
from clearwood.tree.rebuild import rebuild
from clearwood.tree.structure import Tree

CONFIDENCES = (
    1.0, 0.75, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.075, 0.05, 0.03, 0.02, 0.01, 5e-3, 2e-3,
    1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-8,
)  # fmt: skip
CS = (0.0, *np.geomspace(0.01, 2.0, 47).round(4).tolist())
MS = (0.0, *np.geomspace(0.1, 1000.0, 41).round(3).tolist())
STANDARD_ERRORS = (*np.linspace(0.0, 4.0, 41).round(2).tolist(), 5.0, 7.0, 10.0)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The prunings of one tree by one method.

    Parameters
    ----------
    parameter : str or None
        What is varied.
    values : ndarray of shape (n_steps,)
    own : float or None
        The value that the options hold; one of `values`.
    replacement : callable or None
        Value to replacement; None where rows are sent through the tree again.
    tree : callable
        Value to pruned tree.
    """

    parameter: str | None
    values: FloatArray
    own: float | None
    replacement: Callable[[float], IntArray] | None
    tree: Callable[[float], Tree]


def ladder(tree: Tree, options: Any, rows: PruningRows | None, max_steps: int) -> Ladder:
    """The prunings that `options` are one of.

    Parameters
    ----------
    tree : Tree
        Any tree.
    options : value of a method's type
    rows : PruningRows or None
        What a method that needs rows prunes with.
    max_steps : int
        Longer ladders are thinned out.
    """
    if isinstance(options, CostComplexity):
        return _by_alpha(tree, options, max_steps)
    if isinstance(options, OptimalSize):
        return _by_leaves(tree, options, max_steps)
    if isinstance(options, ReducedError):
        assert rows is not None
        return _unpruned_and_pruned(tree, options, rows)
    if isinstance(options, CriticalValue):
        found = np.unique(best_below(tree, options.measure)[~tree.is_leaf])
        all_cut = np.nextafter(found[-1:], np.inf)
        values = _thinned(np.concatenate((found, all_cut)), max_steps)
        return _by_options(tree, options, rows, "value", values, options.value)
    return _by_options(tree, options, rows, *_fixed_values(tree, options))


def _fixed_values(tree: Tree, options: Any) -> tuple[str, FloatArray, float]:
    """Parameter, values and the value in the options."""
    if isinstance(options, ErrorBased):
        highest = HIGHEST_CONFIDENCE[options.bound]
        values = np.array([value for value in CONFIDENCES if value <= highest])
        return "confidence", values, options.confidence
    if isinstance(options, TreeSize):
        return "c", np.array(CS), options.c
    if isinstance(options, PessimisticError):
        return "standard_errors", np.array(STANDARD_ERRORS), options.standard_errors
    assert isinstance(options, MinimumError)
    return "m", np.array(MS), float(tree.n_classes if options.m is None else options.m)


def _by_options(
    tree: Tree,
    options: Any,
    rows: PruningRows | None,
    parameter: str,
    values: FloatArray,
    own: float,
) -> Ladder:
    """A method that decides anew at every value."""
    if isinstance(options, MinimumError) and options.prior is None:
        options = replace(options, prior="uniform" if options.m is None else "root")
    decide = METHODS[name_of(options)].decide

    def at(value: float) -> Any:
        return replace(options, **{parameter: value})

    def replacement(value: float) -> IntArray:
        assert decide is not None
        return decide(tree, tree.masses, at(value))

    return Ladder(
        parameter,
        _with(values, own),
        own,
        None if deals_rows(options, tree) else replacement,
        lambda value: apply(tree, at(value), rows if deals_rows(options, tree) else None),
    )


def _by_alpha(tree: Tree, options: CostComplexity, max_steps: int) -> Ladder:
    path = cost_complexity_path(tree, options.risk, options.impurity or impurity_of(tree))

    def replacement(value: float) -> IntArray:
        return replacement_at(tree, path, value)

    values = _with(_thinned(path.alphas, max_steps), options.alpha)
    return _of_replacements(tree, "alpha", values, options.alpha, replacement)


def _by_leaves(tree: Tree, options: OptimalSize, max_steps: int) -> Ladder:
    sizes = optimal_sizes(tree, tree.masses)
    values = _thinned(sizes.n_leaves[::-1].astype(np.float64), max_steps)
    own = None
    if options.n_leaves is not None:
        within = sizes.n_leaves <= options.n_leaves
        own = float(sizes.n_leaves[sizes.errors[within].argmin()])
        values = _with(values, own)

    def replacement(value: float) -> IntArray:
        return sizes.replacement(int(value))

    return _of_replacements(tree, "n_leaves", values, own, replacement)


def _unpruned_and_pruned(tree: Tree, options: ReducedError, rows: PruningRows) -> Ladder:
    masses = node_masses(tree, rows)

    def replacement(value: float) -> IntArray:
        if value == 0:
            return np.arange(tree.n_nodes, dtype=np.int32)
        return reduced_error(tree, masses, options)

    return _of_replacements(tree, None, np.array([0.0, 1.0]), 1.0, replacement)


def _of_replacements(
    tree: Tree,
    parameter: str | None,
    values: FloatArray,
    own: float | None,
    replacement: Callable[[float], IntArray],
) -> Ladder:
    return Ladder(
        parameter, values, own, replacement, lambda value: rebuild(tree, replacement(value))
    )


def _with(values: FloatArray, own: float) -> FloatArray:
    """`values` and the options' own, in their order."""
    falls = values[0] > values[-1]
    together = np.unique(np.append(values, own))
    return together[::-1] if falls else together


def _thinned(values: FloatArray, max_steps: int) -> FloatArray:
    """At most about `max_steps` values, evenly by the logarithm of their place from the end."""
    if len(values) <= max_steps:
        return values
    places = np.unique(np.geomspace(1, len(values), max_steps).round().astype(int))
    kept: FloatArray = values[len(values) - places[::-1]]
    return kept

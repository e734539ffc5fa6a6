"""How a classifier prunes the tree that it has grown."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from clearwood.errors import ParameterError, TableError
from clearwood.estimators.training import Training
from clearwood.growing import Softness
from clearwood.pruning import CostComplexity, ErrorBased, ReducedError, cost_complexity, error_based
from clearwood.pruning.cost_complexity import Impurity
from clearwood.pruning.menu import METHODS, apply, deals_rows, options_of
from clearwood.pruning.possible_levels import keep_possible_levels
from clearwood.pruning.rows import PruningRows
from clearwood.tree.structure import Tree
from clearwood.tree.witnesses import Witnesses

EXACT = "exact_error_based"
"""The first paper's pruning: Clopper and Pearson's limit after the Laplace correction."""


def pruning_value(pruning: Any) -> Any:
    """The value of `pruning`: None, a method's defaults for its name, or a value as it is.

    Raises
    ------
    ParameterError
        Where it is none of these, or a method that needs parameters has none.
    """
    if pruning is None:
        return None
    if isinstance(pruning, str) and pruning == EXACT:
        return ErrorBased(bound="exact", laplace=True)
    known = isinstance(pruning, str) and pruning in METHODS
    if not known and not isinstance(pruning, tuple(method.options for method in METHODS.values())):
        raise ParameterError(
            f"pruning must be None, {', '.join(map(repr, (*METHODS, EXACT)))} or a value of "
            f"clearwood.pruning, got {pruning!r}"
        )
    options = options_of(pruning)
    if isinstance(options, ReducedError) and (options.fraction is None or options.seed is None):
        raise ParameterError(
            "reduced-error pruning keeps rows from growing: say how many, and the seed that draws "
            f"them, as in pruning={METHODS['reduced_error'].example}"
        )
    return options


def divided(training: Training, options: Any) -> tuple[Training, PruningRows | None]:
    """The rows to grow from, and those to prune with where they must be others.

    Raises
    ------
    TableError
        Where no class has rows enough to keep one.
    """
    if not isinstance(options, ReducedError):
        return training, None
    assert options.fraction is not None
    rng = np.random.default_rng(options.seed)
    parts = [_drawn(np.flatnonzero(training.codes == c), options.fraction, rng)
             for c in range(len(training.classes))]  # fmt: skip
    kept = np.sort(np.concatenate(parts))
    if kept.size == 0:
        raise TableError(
            f"X has {len(training.codes)} rows, of which fraction={options.fraction!r} keeps none "
            "to prune with; give more rows or a larger fraction"
        )
    to_prune = training.part(kept)
    to_grow = training.part(np.setdiff1d(np.arange(len(training.codes)), kept))
    return to_grow, PruningRows(to_prune.table, to_prune.codes, to_prune.weights)


def _drawn(rows: Any, fraction: float, rng: np.random.Generator) -> Any:
    """That part of the rows of a class; one at least stays to grow from."""
    n_drawn = min(round(len(rows) * fraction), max(len(rows) - 1, 0))
    return rng.permutation(rows)[:n_drawn]


def pruned(
    tree: Tree,
    options: Any,
    training: Training,
    held_out: PruningRows | None,
    *,
    impurity: Impurity,
    is_exact: bool,
    is_grouped: bool,
    softness: Softness | None = None,
) -> Tree:
    """The tree after pruning.

    Parameters
    ----------
    tree : Tree
        As it was grown from `training`.
    options : value of a method's type or None
    training : Training
    held_out : PruningRows or None
        Rows for reduced-error pruning.
    impurity : {"gini", "entropy"}
        Of the criterion that grew the tree.
    is_exact : bool
        C4.5 to the bit.
    is_grouped : bool
        Whether levels were grouped as C4.5 does.
    softness : Softness or None
        Noise that divides the rows, as in growing.
    """
    if options is None:
        return tree
    if isinstance(tree.evaluation, Witnesses):
        return apply(tree, options, PruningRows(training.table, training.codes, training.weights))
    if isinstance(options, CostComplexity):
        return cost_complexity(tree, options, impurity)
    if isinstance(options, ErrorBased):
        exact: Literal["c45"] | None = "c45" if is_exact else None
        tree = error_based(
            tree,
            training.table,
            training.codes,
            training.weights,
            options,
            exact,
            noise=None if softness is None else softness.propagation_noise,
            joint=softness is not None and softness.coupling == "joint",
            eta=0.0 if softness is None else softness.eta,
        ).tree
        return keep_possible_levels(tree) if is_grouped else tree
    rows = held_out
    if rows is None and deals_rows(options):
        rows = PruningRows(training.table, training.codes, training.weights)
    return apply(tree, options, rows)

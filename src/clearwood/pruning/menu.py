"""The menu of pruning methods by name, and the one call that carries any of them out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from clearwood._typing import FloatArray, IntArray
from clearwood.errors import ParameterError
from clearwood.pruning.cost_complexity import (
    CostComplexity,
    cost_complexity_path,
    impurity_of,
    replacement_at,
)
from clearwood.pruning.critical_value import CriticalValue, critical_value
from clearwood.pruning.error_based import ErrorBased, error_based
from clearwood.pruning.minimum_error import MinimumError, minimum_error
from clearwood.pruning.optimal_size import OptimalSize, optimal_size
from clearwood.pruning.option_checks import require_no_witnesses
from clearwood.pruning.pessimistic_error import PessimisticError, pessimistic_error
from clearwood.pruning.reduced_error import ReducedError, reduced_error
from clearwood.pruning.rows import PruningRows, node_masses
from clearwood.pruning.tree_size import TreeSize, log_columns, tree_size, tree_size_raising
from clearwood.pruning.verified_tree_size import verified_tree_size
from clearwood.tree.rebuild import rebuild
from clearwood.tree.structure import Tree
from clearwood.tree.witnesses import Witnesses


def _cost_complexity(tree: Tree, masses: FloatArray, options: CostComplexity) -> IntArray:
    path = cost_complexity_path(tree, options.risk, options.impurity or impurity_of(tree), masses)
    return replacement_at(tree, path, options.alpha)


@dataclass(frozen=True, slots=True)
class Method:
    """A pruning method.

    Parameters
    ----------
    options : type
        The frozen value that holds its parameters.
    decide : callable or None
        ``(tree, masses, options) -> replacement``; None where the rows themselves are needed.
    example : str
        How its value is written.
    """

    options: Any
    decide: Callable[[Tree, FloatArray, Any], IntArray] | None
    example: str


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "error_based": Method(ErrorBased, None, "ErrorBased(confidence=0.25)"),
        "tree_size": Method(TreeSize, tree_size, "TreeSize(c=0.5)"),
        "cost_complexity": Method(CostComplexity, _cost_complexity, "CostComplexity(alpha=0.01)"),
        "reduced_error": Method(ReducedError, reduced_error, "ReducedError(fraction=0.3, seed=0)"),
        "pessimistic_error": Method(PessimisticError, pessimistic_error, "PessimisticError()"),
        "minimum_error": Method(MinimumError, minimum_error, "MinimumError(m=2)"),
        "critical_value": Method(CriticalValue, critical_value, "CriticalValue(value=0.1)"),
        "optimal_size": Method(OptimalSize, optimal_size, "OptimalSize(n_leaves=8)"),
    }
)
"""Names that `pruning` and `prune` accept; a value of a method's type sets its parameters."""

NO_DEFAULT = ("critical_value", "optimal_size")
"""Methods for which no strength is better than any other before the data are seen."""


def method_named(name: Any) -> Method:
    """The method of that name.

    Raises
    ------
    ParameterError
        Names the methods there are.
    """
    if not isinstance(name, str) or name not in METHODS:
        raise ParameterError(
            f"pruning method must be {', '.join(map(repr, METHODS))} or a value such as "
            f"TreeSize(c=0.5), got {name!r}"
        )
    return METHODS[name]


def name_of(options: Any) -> str:
    """The name of the method that a value of options belongs to.

    Raises
    ------
    ParameterError
        Where it belongs to none.
    """
    for name, method in METHODS.items():
        if isinstance(options, method.options):
            return name
    method_named(options)
    raise AssertionError


def options_of(method: Any, **options: Any) -> Any:
    """A method's options: a value as it is, a name with its parameters.

    Raises
    ------
    ParameterError
        An unknown name or parameter, a value with parameters beside it, or a name alone where
        the method has no default.
    """
    if not isinstance(method, str):
        name = name_of(method)
        if options:
            raise ParameterError(
                f"{next(iter(options))} is set in the value {method!r}; give the name {name!r} "
                "to set it here"
            )
        return method
    found = method_named(method)
    known = tuple(found.options.__dataclass_fields__)
    for option in options:
        if option not in known:
            raise ParameterError(f"{option} is no parameter of {method}; it has {', '.join(known)}")
    if method in NO_DEFAULT and not options:
        raise ParameterError(f"{method} has no default strength; give a value: {found.example}")
    if method == "critical_value" and "value" not in options:
        raise ParameterError(f"critical_value needs its value: {found.example}")
    return found.options(**options)


def apply(tree: Tree, options: Any, rows: PruningRows | None = None) -> Tree:
    """The tree pruned by the method that `options` belong to.

    Parameters
    ----------
    tree : Tree
        Any tree.
    options : value of a method's type
    rows : PruningRows or None
        The rows to prune with; None is the training weight that the tree keeps.

    Raises
    ------
    ParameterError
        Where the method cannot do without rows, or would count rows of a tree with witnesses
        twice.
    """
    if isinstance(tree.evaluation, Witnesses):
        return _apply_to_verified(tree, options, rows)
    if isinstance(options, ErrorBased):
        rows = require_rows(options, rows)
        return error_based(tree, rows.table, rows.codes, rows.weights, options).tree
    if isinstance(options, TreeSize) and options.raising:
        return tree_size_raising(tree, require_rows(options, rows), options)
    if isinstance(options, ReducedError):
        require_rows(options, rows)
    decide = METHODS[name_of(options)].decide
    assert decide is not None
    masses = tree.masses if rows is None else node_masses(tree, rows)
    return rebuild(tree, decide(tree, masses, options))


def require_prunable(tree: Tree, options: Any) -> None:
    """Refuses a method that would count rows of a tree with witnesses twice.

    Raises
    ------
    ParameterError
    """
    if not isinstance(options, TreeSize) or options.raising:
        require_no_witnesses(tree, repr(options))


def _apply_to_verified(tree: Tree, options: Any, rows: PruningRows | None) -> Tree:
    require_prunable(tree, options)
    if rows is None:
        raise ParameterError(
            "a tree with witnesses is pruned with the rows that it was grown from, each counted "
            "once: give X and y"
        )
    return rebuild(tree, verified_tree_size(tree, rows, options, log_columns(tree)))


def deals_rows(options: Any, tree: Tree | None = None) -> bool:
    """Whether pruning sends rows through the tree again: their masses will not do.

    So do the methods that raise branches, and every method where witnesses copy rows.
    """
    if tree is not None and isinstance(tree.evaluation, Witnesses):
        return True
    return isinstance(options, ErrorBased) or (isinstance(options, TreeSize) and options.raising)


def require_rows(options: Any, rows: PruningRows | None) -> PruningRows:
    """The rows that a method cannot do without.

    Raises
    ------
    ParameterError
    """
    if rows is not None:
        return rows
    if isinstance(options, ReducedError):
        raise ParameterError(
            "reduced-error pruning needs rows that the tree was not grown from: give X and y"
        )
    raise ParameterError(
        f"{options!r} sends rows through the tree again: give X and y, the rows that the tree "
        "was grown from"
    )

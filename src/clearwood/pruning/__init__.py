"""Pruning: one method a file; each decides, `tree.rebuild` carries out."""

from clearwood.pruning.cost_complexity import CostComplexity, cost_complexity
from clearwood.pruning.critical_value import CriticalValue, critical_value
from clearwood.pruning.error_based import ErrorBased, error_based
from clearwood.pruning.minimum_error import MinimumError, minimum_error
from clearwood.pruning.optimal_depth_two import optimal_depth_two
from clearwood.pruning.optimal_size import OptimalSize, OptimalSizes, optimal_size, optimal_sizes
from clearwood.pruning.path import PruningPath, pruning_path
from clearwood.pruning.pessimistic_error import PessimisticError, pessimistic_error
from clearwood.pruning.prune import prune
from clearwood.pruning.reduced_error import ReducedError, reduced_error
from clearwood.pruning.rows import PruningRows, node_masses, read_rows
from clearwood.pruning.tree_size import TreeSize, error_bound, tree_size

__all__ = [
    "CostComplexity",
    "CriticalValue",
    "ErrorBased",
    "MinimumError",
    "OptimalSize",
    "OptimalSizes",
    "PessimisticError",
    "PruningPath",
    "PruningRows",
    "ReducedError",
    "TreeSize",
    "cost_complexity",
    "critical_value",
    "error_based",
    "error_bound",
    "minimum_error",
    "node_masses",
    "optimal_depth_two",
    "optimal_size",
    "optimal_sizes",
    "pessimistic_error",
    "prune",
    "pruning_path",
    "read_rows",
    "reduced_error",
    "tree_size",
]

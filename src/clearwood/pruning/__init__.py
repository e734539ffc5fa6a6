"""Pruning: one method a file; each decides, `tree.rebuild` carries out."""

from clearwood.pruning.cost_complexity import CostComplexity, cost_complexity
from clearwood.pruning.error_based import ErrorBased, error_based

__all__ = ["CostComplexity", "ErrorBased", "cost_complexity", "error_based"]

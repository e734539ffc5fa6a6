"""Which part of a tree is shown where the whole is too much: whole levels first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearwood.errors import ParameterError

if TYPE_CHECKING:
    from clearwood._typing import BoolArray
    from clearwood.tree.structure import Tree


def opened(tree: Tree, max_nodes: int | None, max_depth: int | None) -> BoolArray:
    """Which inner nodes are shown with their branches: as many as fit, highest first."""
    require_at_least("max_nodes", max_nodes, 1)
    require_at_least("max_depth", max_depth, 0)
    shown = ~tree.is_leaf
    if max_depth is not None:
        shown &= tree.depth_of < max_depth
    if max_nodes is None:
        return shown
    n_children = np.diff(tree.child_start)
    order = np.argsort(tree.depth_of, kind="stable")
    order = order[shown[order]]  # a prefix holds every ancestor of its nodes
    fits = 1 + np.cumsum(n_children[order]) <= max_nodes
    shown[order[~fits]] = False
    return shown


def require_at_least(name: str, value: int | None, least: int) -> None:
    """Refuses a limit that would show nothing."""
    if value is not None and value < least:
        raise ParameterError(f"{name} must be at least {least} or None, got {value!r}")

"""Refuses arrays that are not a tree, naming the node and the array.

The core checks the same before it runs on a tree; here the words are for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clearwood._typing import BoolArray
from clearwood.errors import InvalidTreeError

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

_TOLERANCE = 1e-6
_LEAF, _CUT, _LEVELS = 0, 1, 2


def check(tree: Tree) -> None:
    """Raise `InvalidTreeError` unless `tree` is one tree in pre-order that can predict."""
    _check_lengths(tree)
    _check_starts(tree, "child_start", "child_ids")
    _check_starts(tree, "level_start", "level_branch")
    _check_kinds(tree)
    _check_shape(tree)
    _check_conditions(tree)
    _check_level_maps(tree)
    check_numbers(tree)
    if tree.evaluation is not None:
        tree.evaluation.require_fit(tree)


def _check_lengths(tree: Tree) -> None:
    n_nodes, n_classes = len(tree.kind), len(tree.classes)
    if n_nodes == 0:
        raise InvalidTreeError("a tree needs at least one node, kind is empty")
    if n_classes == 0:
        raise InvalidTreeError("a tree needs at least one class, classes is empty")
    if len(tree.class_names) != n_classes:
        raise InvalidTreeError(
            f"class_names must name each of the {n_classes} classes, has {len(tree.class_names)}"
        )
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(
        ("column", "threshold", "strict", "label", "score", "gain", "n_rows"), (n_nodes,)
    )
    shapes |= dict.fromkeys(("child_start", "level_start"), (n_nodes + 1,))
    shapes |= dict.fromkeys(("masses", "distribution"), (n_nodes, n_classes))
    shapes |= {"missing_share": tree.child_ids.shape}
    for name, shape in shapes.items():
        if getattr(tree, name).shape != shape:
            raise InvalidTreeError(
                f"{name} must have shape {shape} in a tree of {n_nodes} nodes and {n_classes} "
                f"classes, has {getattr(tree, name).shape}"
            )


def _check_starts(tree: Tree, starts_name: str, values_name: str) -> None:
    starts, values = getattr(tree, starts_name), getattr(tree, values_name)
    if starts[0] != 0 or starts[-1] != len(values):
        raise InvalidTreeError(
            f"{starts_name} must run from 0 to the length of {values_name}, {len(values)}; "
            f"it runs from {starts[0]} to {starts[-1]}"
        )
    refuse(np.diff(starts) < 0, starts_name, "must not fall", starts[1:])


def _check_kinds(tree: Tree) -> None:
    n_children = np.diff(tree.child_start)
    refuse(~np.isin(tree.kind, (_LEAF, _CUT, _LEVELS)), "kind", "must be 0, 1 or 2", tree.kind)
    leaf, cut, levels = (tree.kind == kind for kind in (_LEAF, _CUT, _LEVELS))
    refuse(leaf & (n_children != 0), "child_start", "gives a leaf children", n_children)
    refuse(cut & (n_children != 2), "child_start", "must give a cut two children", n_children)
    refuse(
        levels & (n_children < 2),
        "child_start",
        "must give a condition on levels two children or more",
        n_children,
    )


def _check_shape(tree: Tree) -> None:
    """Each node but the root has one parent, and the nodes are numbered in pre-order."""
    n_nodes = len(tree.kind)
    children = tree.child_ids
    owners = np.repeat(np.arange(n_nodes), np.diff(tree.child_start))
    outside = (children <= 0) | (children >= n_nodes)
    refuse(outside, "child_ids", f"must lie in 1 ... {n_nodes - 1}", children, owners)
    n_parents = np.bincount(children, minlength=n_nodes)
    refuse(n_parents[1:] != 1, "child_ids", "must name each node but the root once", n_parents[1:],
            np.arange(1, n_nodes))  # fmt: skip
    refuse(children <= owners, "child_ids", "must come after their parent", children, owners)
    unsorted = (np.diff(children) <= 0) & (np.diff(owners) == 0)
    refuse(unsorted, "child_ids", "must rise from branch to branch", children[1:], owners[1:])
    parent, depth = tree.parent[1:], tree.depth_of
    # Pre-order: a node hangs on the last earlier node that is one level higher, and the depth
    # never rises by more than one from a node to the next.
    step = np.int64(n_nodes)
    keys = np.sort(depth.astype(np.int64) * step + np.arange(n_nodes))
    wanted = (depth[1:].astype(np.int64) - 1) * step + np.arange(1, n_nodes)
    last_above = keys[np.searchsorted(keys, wanted) - 1] % step
    broken = (last_above != parent) | (np.diff(depth) > 1)
    refuse(broken, "child_ids", "must follow pre-order", parent, np.arange(1, n_nodes))


def _check_conditions(tree: Tree) -> None:
    column, leaf, cut = tree.column, tree.kind == _LEAF, tree.kind == _CUT
    refuse(leaf & (column != -1), "column", "must be -1 at a leaf", column)
    outside = ~leaf & ((column < 0) | (column >= len(tree.features)))
    rule = f"must be one of the {len(tree.features)} features"
    refuse(outside, "column", rule, column)
    nominal = np.array([feature.kind == "nominal" for feature in tree.features] + [False])
    refuse(cut & nominal[column], "kind", "is a cut but its column is nominal", tree.kind)
    refuse(
        (tree.kind == _LEVELS) & ~nominal[column],
        "kind",
        "is a condition on levels but its column is not nominal",
        tree.kind,
    )
    refuse(cut & ~np.isfinite(tree.threshold), "threshold", "of a cut must be finite",
            tree.threshold)  # fmt: skip
    refuse(tree.strict > 1, "strict", "must be 0 or 1", tree.strict)


def _check_level_maps(tree: Tree) -> None:
    n_levels = np.array([len(feature.levels) for feature in tree.features] + [0])
    lengths = np.diff(tree.level_start)
    allowed = np.where(tree.kind == _LEVELS, n_levels[tree.column], 0)
    refuse(lengths > allowed, "level_start", "gives a node more levels than its column has",
            lengths)  # fmt: skip
    owners = np.repeat(np.arange(len(tree.kind)), lengths)
    n_branches = np.diff(tree.child_start)[owners]
    outside = (tree.level_branch < -1) | (tree.level_branch >= n_branches)
    refuse(outside, "level_branch", "must be -1 or a branch of its node", tree.level_branch,
            owners)  # fmt: skip


def check_numbers(tree: Tree) -> None:
    """The part of `check` that is about what nodes hold, not about how they hang together."""
    for name in ("masses", "distribution"):
        values = getattr(tree, name)
        bad = ~(np.isfinite(values) & (values >= 0)).all(axis=1)
        refuse(bad, name, "must be finite and not negative", values)
    total = tree.distribution.sum(axis=1)
    refuse(abs(total - 1) > _TOLERANCE, "distribution", "must add up to 1", total)
    owners = np.repeat(np.arange(len(tree.kind)), np.diff(tree.child_start))
    share = tree.missing_share
    bad = ~(np.isfinite(share) & (share >= 0))
    refuse(bad, "missing_share", "must be finite and not negative", share, owners)
    total = np.bincount(owners, share, minlength=len(tree.kind))
    inner = tree.kind != _LEAF
    refuse(inner & (abs(total - 1) > _TOLERANCE), "missing_share", "must add up to 1", total)
    label = tree.label
    bad = (label < 0) | (label >= len(tree.classes))
    refuse(bad, "label", f"must lie in 0 ... {len(tree.classes) - 1}", label)
    refuse(tree.n_rows < 0, "n_rows", "must not be negative", tree.n_rows)


def refuse(
    bad: BoolArray,
    name: str,
    rule: str,
    values: NDArray[np.generic],
    nodes: NDArray[np.int64] | None = None,
) -> None:
    """Raise `InvalidTreeError` of the first bad entry; `nodes` names the node of each."""
    if not bad.any():
        return
    at = int(np.flatnonzero(bad)[0])
    node = at if nodes is None else int(nodes[at])
    raise InvalidTreeError(f"node {node}: {name} {rule}, got {values[at]}")

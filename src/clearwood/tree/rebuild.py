"""Carries out a pruning decision: the same tree with some nodes replaced."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray, RowCounts
from clearwood.errors import ParameterError
from clearwood.tree.frozen import frozen
from clearwood.tree.structure import ARRAYS, KIND_LEAF, Tree
from clearwood.tree.validation import check_numbers

LEAF = -1
"""In a replacement: the node becomes a leaf."""

BLANK = MappingProxyType(
    {
        "kind": KIND_LEAF,
        "column": -1,
        "threshold": np.nan,
        "strict": 0,
        "score": np.nan,
        "gain": np.nan,
    }
)
"""What stands at a leaf in the arrays of conditions."""


def rebuild(
    tree: Tree,
    replacement: IntArray,
    *,
    masses: FloatArray | None = None,
    distribution: FloatArray | None = None,
    label: IntArray | None = None,
    missing_share: FloatArray | None = None,
    n_rows: RowCounts | None = None,
) -> Tree:
    """The tree in which each node has given way to its replacement.

    Parameters
    ----------
    tree : Tree
        The tree to prune.
    replacement : ndarray of int, shape (n_nodes,)
        What stands in the place of each node: the node itself, `LEAF`, or a node below it, whose
        own replacement then counts in turn.
    masses, distribution, label, missing_share, n_rows : ndarray, optional
        Take the place of the tree's arrays of that name. They are indexed as those are: by old
        node, or by old branch.

    Returns
    -------
    Tree
        In pre-order. A node that became a leaf keeps its masses, distribution and label; a cut
        that remains keeps its ramp.

    Raises
    ------
    ParameterError
        Where a replacement is neither the node, `LEAF`, nor a node below it, or an array given
        has another shape than the tree's.
    InvalidTreeError
        Where an array given holds what no tree holds.
    """
    given = {
        "masses": masses,
        "distribution": distribution,
        "label": label,
        "missing_share": missing_share,
        "n_rows": n_rows,
    }
    new = {name: frozen(v, ARRAYS[name]) for name, v in given.items() if v is not None}
    _require_shapes(tree, new)
    rebuilt = rebuild_as_told(tree, _checked(tree, replacement), new)
    if new:
        check_numbers(rebuilt)
    return rebuilt


def rebuild_as_told(tree: Tree, replacement: IntArray, given: Mapping[str, AnyArray]) -> Tree:
    """`rebuild` by what the core has decided, which needs no check.

    Parameters
    ----------
    tree : Tree
    replacement : ndarray of int, shape (n_nodes,)
    given : mapping
        Arrays of the tree's dtypes that take the place of its own, by name.
    """
    kept, becomes_leaf, child_ids = _kept(tree, replacement)
    arrays = _gathered({**tree.arrays(), **given}, kept, becomes_leaf, child_ids)
    for values in arrays.values():
        values.flags.writeable = False
    evaluation = tree.evaluation
    return Tree.of_core(
        arrays,
        tree.features,
        tree.classes,
        class_names=tree.class_names,
        settings=tree.settings,
        evaluation=None if evaluation is None else evaluation.gathered(kept, becomes_leaf),
    )


def _require_shapes(tree: Tree, given: Mapping[str, AnyArray]) -> None:
    for name, values in given.items():
        if values.shape != getattr(tree, name).shape:
            raise ParameterError(
                f"{name} must have the shape of the tree's, {getattr(tree, name).shape}, "
                f"has {values.shape}"
            )


def _checked(tree: Tree, replacement: IntArray) -> IntArray:
    replacement = np.asarray(replacement)
    nodes = np.arange(tree.n_nodes)
    if replacement.shape != nodes.shape:
        raise ParameterError(
            f"replacement must have one entry for each of the {tree.n_nodes} nodes, "
            f"has shape {replacement.shape}"
        )
    if ((replacement == nodes) | (replacement == LEAF)).all():
        return replacement
    allowed = (replacement >= nodes) & (replacement < tree.subtree_end)
    bad = np.flatnonzero(~(allowed | (replacement == LEAF)))
    if bad.size:
        raise ParameterError(
            f"replacement of node {bad[0]} must be the node, LEAF (-1) or a node below it "
            f"(up to {tree.subtree_end[bad[0]] - 1}), got {replacement[bad[0]]}"
        )
    return replacement


def _resolved(tree: Tree, replacement: IntArray) -> tuple[list[int], list[bool]]:
    """For each node: which node stands in its place in the end, and whether as a leaf."""
    stands = list(range(tree.n_nodes))
    as_leaf = tree.is_leaf.tolist()
    told = replacement.tolist()
    for node in np.flatnonzero(replacement != np.arange(tree.n_nodes))[::-1].tolist():
        to = told[node]
        if to == LEAF:
            as_leaf[node] = True
        else:  # a node below, which has been here before
            stands[node], as_leaf[node] = stands[to], as_leaf[to]
    return stands, as_leaf


def _kept(tree: Tree, replacement: IntArray) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Old ids of the new nodes in pre-order, which are leaves, and the new `child_ids`."""
    stands, as_leaf = _resolved(tree, replacement)
    starts, children = tree.child_start.tolist(), tree.child_ids.tolist()
    kept: list[int] = []
    leaf: list[bool] = []
    new_child: dict[int, int] = {}  # by old branch
    open_branches = [(0, -1)]
    while open_branches:
        place, branch = open_branches.pop()
        node = stands[place]
        new_child[branch] = len(kept)
        kept.append(node)
        leaf.append(as_leaf[place])
        if not as_leaf[place]:
            branches = range(starts[node], starts[node + 1])
            open_branches.extend((children[b], b) for b in reversed(branches))
    order = (b for n, is_leaf in zip(kept, leaf, strict=True) if not is_leaf
             for b in range(starts[n], starts[n + 1]))  # fmt: skip
    return np.array(kept), np.array(leaf), np.array([new_child[b] for b in order], np.int32)


def _gathered(
    arrays: dict[str, AnyArray], kept: AnyArray, leaf: AnyArray, child_ids: AnyArray
) -> dict[str, Any]:
    """The arrays of the kept nodes, with the conditions of new leaves taken away."""
    by_node = [name for name in ARRAYS if len(arrays[name]) == len(arrays["kind"])]
    new = {name: arrays[name][kept] for name in by_node}
    for name, value in BLANK.items():
        new[name][leaf] = value
    for starts_name, values_name in (
        ("child_start", "missing_share"),
        ("level_start", "level_branch"),
    ):
        starts = arrays[starts_name]
        lengths = np.where(leaf, 0, starts[kept + 1] - starts[kept])
        new[starts_name] = np.zeros(len(kept) + 1, np.int32)
        np.cumsum(lengths, out=new[starts_name][1:])
        first = np.repeat(starts[kept] - new[starts_name][:-1], lengths)
        new[values_name] = arrays[values_name][first + np.arange(len(first))]
    new["child_ids"] = child_ids
    return new

"""C4.5's last step after pruning a tree with grouped levels: keep only levels that can occur.

A grouped condition sends the levels that hardly occurred in its node down one last branch of
their own. Some of them cannot reach the node at all, since a condition above on the same column
sent them elsewhere (C4.5 release 8, option -s; Quinlan 1993, section 7.2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood._typing import AnyArray, BoolArray, IntArray
from clearwood.tree.structure import ARRAYS, KIND_LEVELS, NO_BRANCH, Tree

_Possible = dict[int, AnyArray]  # by column, where a condition above has narrowed its levels


def keep_possible_levels(tree: Tree) -> Tree:
    """The tree without levels, and last branches, that nothing can reach.

    Parameters
    ----------
    tree : Tree
        A tree with grouped levels, pruned or not.

    Returns
    -------
    Tree
        At each condition on a nominal column of more than two levels, the last branch has lost
        the levels that the conditions above rule out: they now count as missing. A last branch
        without levels is gone, with everything below it. Other branches and the shares of
        missing values stay as they were.
    """
    level_branch = tree.level_branch.copy()
    kept = np.ones(tree.n_nodes, np.bool_)
    possible: list[_Possible] = [{}] * tree.n_nodes
    for node in range(tree.n_nodes):  # parents come first
        children = tree.children(node)
        kept[children] = kept[node]
        for child in children:
            possible[child] = possible[node]
        if not _may_be_grouped(tree, node):
            continue
        column = int(tree.column[node])
        branches = level_branch[tree.level_start[node] : tree.level_start[node + 1]]
        _narrow_last(branches, len(children) - 1, possible[node].get(column))
        levels = [np.flatnonzero(branches == branch) for branch in range(len(children))]
        for child, left in zip(children, levels, strict=True):
            possible[child] = possible[node] | {column: left}
        kept[children[-1]] &= levels[-1].size > 0
    return _without(tree, kept, level_branch)


def _may_be_grouped(tree: Tree, node: int) -> bool:
    """Columns of two levels are never grouped."""
    return bool(
        tree.kind[node] == KIND_LEVELS and tree.features[int(tree.column[node])].n_levels > 2
    )


def _narrow_last(branches: IntArray, last: int, possible: AnyArray | None) -> None:
    """Takes impossible levels off the last branch, in place."""
    if possible is not None:
        is_possible = np.isin(np.arange(len(branches)), possible)
        branches[(branches == last) & ~is_possible] = NO_BRANCH


def _without(tree: Tree, kept: BoolArray, level_branch: IntArray) -> Tree:
    """The tree of the kept nodes; of each that goes, everything below goes too."""
    of_branch = kept[tree.child_ids]
    n_levels = np.diff(tree.level_start)
    n_branches = np.bincount(tree.parent[tree.child_ids[of_branch]], minlength=tree.n_nodes)
    new_id = np.cumsum(kept) - 1
    arrays: dict[str, Any] = {
        name: values[kept] for name, values in tree.arrays().items() if len(values) == len(kept)
    }
    arrays |= {
        "child_start": np.concatenate(([0], np.cumsum(n_branches[kept]))),
        "child_ids": new_id[tree.child_ids[of_branch]],
        "missing_share": tree.missing_share[of_branch],
        "level_start": np.concatenate(([0], np.cumsum(n_levels[kept]))),
        "level_branch": level_branch[np.repeat(kept, n_levels)],
    }
    arrays = {name: np.asarray(arrays[name]).astype(dtype) for name, dtype in ARRAYS.items()}
    return Tree(
        **arrays,
        features=tree.features,
        classes=tree.classes,
        class_names=tree.class_names,
        settings=tree.settings,
    )

"""Prediction the slow and obvious way: one row, one node at a time.

Source: C4.5 release 8 (Quinlan), as the core says: a known value follows its branch, a
missing one follows all of them, its weight divided by the shares of the branches.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

CUT = 1

TreeArrays = Mapping[str, NDArray[Any]]


def branch_of(tree: TreeArrays, node: int, value: float) -> int | None:
    """Branch of the value (a number, or a level code) at an inner node; None if it is missing."""
    if tree["kind"][node] == CUT:
        threshold = tree["threshold"][node]
        if np.isnan(value):
            return None
        is_first = value < threshold if tree["strict"][node] else value <= threshold
        return 0 if is_first else 1
    levels = tree["level_branch"][tree["level_start"][node] : tree["level_start"][node + 1]]
    if not 0 <= value < len(levels) or levels[int(value)] < 0:
        return None
    return int(levels[int(value)])


def shares(tree: TreeArrays, node: int, row: NDArray[Any]) -> NDArray[np.float64]:
    """Share of the row's weight for each branch of the node; empty at a leaf."""
    branches = slice(tree["child_start"][node], tree["child_start"][node + 1])
    missing: NDArray[np.float64] = tree["missing_share"][branches]
    if len(missing) == 0:
        return missing
    branch = branch_of(tree, node, row[tree["column"][node]])
    return missing if branch is None else np.eye(len(missing))[branch]


def visits(
    tree: TreeArrays, row: NDArray[Any], node: int = 0, weight: float = 1.0
) -> Iterator[tuple[int, float, bool]]:
    """(node, weight, whether the row ends there) of all nodes with weight, in pre-order."""
    weights = weight * shares(tree, node, row)
    yield node, weight, not np.any(weights > 0)
    for branch in np.flatnonzero(weights > 0):
        child = tree["child_ids"][tree["child_start"][node] + branch]
        yield from visits(tree, row, int(child), float(weights[branch]))


def decision_path(tree: TreeArrays, row: NDArray[Any]) -> list[int]:
    """Nodes that the row reaches, in pre-order."""
    return [node for node, _, _ in visits(tree, row)]


def leaf_weights(tree: TreeArrays, row: NDArray[Any]) -> dict[int, float]:
    """Share of the row in each node where it ends; they sum to 1."""
    ends = {node: weight for node, weight, ends_here in visits(tree, row) if ends_here}
    total = sum(ends.values())
    return {node: weight / total for node, weight in ends.items()}


def predict_proba(tree: TreeArrays, row: NDArray[Any]) -> NDArray[np.float64]:
    """Class probabilities of the row (n_classes,)."""
    weights = leaf_weights(tree, row)
    return np.asarray(sum(share * tree["distribution"][leaf] for leaf, share in weights.items()))


def apply(tree: TreeArrays, row: NDArray[Any]) -> int:
    """The node where most of the row ends; among equals the first in pre-order."""
    weights = leaf_weights(tree, row)
    return max(weights, key=lambda leaf: weights[leaf])

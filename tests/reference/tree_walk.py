"""Sends one row through a tree's arrays by the letter of tree.hpp."""

import math

import numpy as np


def leaf_shares(tree, row):
    """Each leaf (node id) that a row reaches and its share.

    `row` holds a number or level code for each column; NaN, or a negative code, is missing.
    """
    found, todo = {}, [(0, 1.0)]
    while todo:
        node, share = todo.pop()
        children = tree.child_ids[tree.child_start[node] : tree.child_start[node + 1]]
        if tree.kind[node] == 0:
            found[node] = share
            continue
        branch = branch_of(tree, node, row[tree.column[node]])
        if branch >= 0:
            todo.append((int(children[branch]), share))
            continue
        shares = tree.missing_share[tree.child_start[node] : tree.child_start[node + 1]]
        todo.extend((int(c), share * s) for c, s in zip(children, shares, strict=True) if s > 0)
    return found


def branch_of(tree, node, value):
    if tree.kind[node] == 1:
        if math.isnan(value):
            return -1
        threshold = tree.threshold[node]
        return 0 if (value < threshold if tree.strict[node] else value <= threshold) else 1
    levels = tree.level_branch[tree.level_start[node] : tree.level_start[node + 1]]
    return int(levels[int(value)]) if 0 <= value < len(levels) else -1


def probabilities(tree, row):
    """Class probabilities of one row: the leaves' distributions, averaged by share."""
    return sum(
        (share * tree.distribution[leaf] for leaf, share in leaf_shares(tree, row).items()),
        np.zeros(len(tree.classes)),
    )

"""The fewest errors of a tree of depth two, by trying all of them; slow and obvious."""

import numpy as np


def fewest_errors(table, codes, weights, n_classes, depth=2):
    """Of all trees of at most that depth over the rows of `table`."""
    rows = np.arange(table.n_rows)
    return _fewest(table, rows, codes, weights, n_classes, depth)


def _fewest(table, rows, codes, weights, n_classes, depth):
    masses = np.bincount(codes[rows], weights[rows], n_classes)
    best = masses.sum() - masses.max()
    if depth == 0:
        return best
    for branches in _conditions(table, rows):
        errors = sum(
            _fewest(table, branch, codes, weights, n_classes, depth - 1) for branch in branches
        )
        best = min(best, errors)
    return best


def _conditions(table, rows):
    """Every way to divide the rows: their missing ones go to any one branch."""
    for feature, column in zip(table.features, table.columns, strict=True):
        values = column[rows]
        missing = rows[values < 0] if feature.is_nominal else rows[np.isnan(values)]
        if feature.is_nominal:
            ways = [[rows[values == level] for level in range(feature.n_levels)]]
        else:
            known = np.unique(values[~np.isnan(values)])
            ways = [[rows[values <= cut], rows[values > cut]] for cut in known]
        for parts in ways:
            for home in range(len(parts)):
                yield [
                    np.concatenate((part, missing)) if place == home else part
                    for place, part in enumerate(parts)
                ]

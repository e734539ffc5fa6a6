"""Soft search by the letter: every threshold of the grid, every row, no bound and no shortcut.

Nunes et al., Decision tree learning for uncertain clinical measurements (2019), equations 11-13.
Errors are normal or uniform; scales are one number, or one a row (0 is exact).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

EDGE = 1e-9
"""A row whose window ends at a threshold, up to this many scales, is outside it."""


@dataclass(frozen=True)
class Noise:
    """Errors of one column, "normal" or "uniform" (on -1 to 1), times their scale."""

    cdf: str
    scale: np.ndarray | float

    def probability(self, z):
        return ndtr(z) if self.cdf == "normal" else np.clip((z + 1) / 2, 0, 1)

    def reach(self, window):
        return window / 2 if self.cdf == "normal" else 1.0


@dataclass(frozen=True)
class Column:
    """Values (NaN missing) with codes and weights of the rows, and the two noises."""

    values: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    search: Noise
    propagation: Noise | None = None
    window: float = 6.0
    step: float = 0.1
    one_grid: bool = False
    least: float = 1.0

    def known(self):
        """Known values in rising order, with everything else of these rows."""
        order = np.argsort(self.values, kind="stable")
        order = order[~np.isnan(self.values[order])]
        scale = np.broadcast_to(self.search.scale, self.values.shape)[order]
        return self.values[order], self.codes[order], self.weights[order], scale


def grid_of(column):
    """Thresholds to try: steps inside what is uncertain, one in each gap between."""
    values, _, _, scale = column.known()
    half = column.search.reach(column.window) * scale
    above_zero = np.sort(scale[scale > 0])
    step = column.step * (above_zero[len(above_zero) // 2] if len(above_zero) else 0.0)
    clusters = []
    for start, end in sorted(zip(values - half, values + half, strict=True)):
        if clusters and (column.one_grid or start <= clusters[-1][1]):
            clusters[-1][1] = max(clusters[-1][1], end)
        else:
            clusters.append([start, end])
    grid = []
    for i, (start, end) in enumerate(clusters):
        n_steps = int(np.floor((end - start) / step + 1e-9)) if step > 0 else 0
        grid.extend(start + step * np.arange(n_steps + 1))
        if i + 1 < len(clusters):
            if step > 0 and (end - start) / step - n_steps > 1e-9:
                grid.append(end)
            grid.append((end + clusters[i + 1][0]) / 2)
    return np.array(grid)


def masses_below(column, thresholds):
    """Class masses of true values up to each threshold, (n_thresholds, n_classes)."""
    values, codes, weights, scale = column.known()
    n_classes = column.codes.max() + 1
    result = np.zeros((len(thresholds), n_classes))
    reach = column.search.reach(column.window)
    for i, threshold in enumerate(thresholds):
        z = (threshold - values) / np.where(scale > 0, scale, 1)
        share = column.search.probability(z)
        share = np.where(z >= reach - EDGE, 1.0, np.where(z <= -reach + EDGE, 0.0, share))
        share = np.where(scale > 0, share, values <= threshold)
        result[i] = np.bincount(codes, weights * share, n_classes)
    return result


def entropy(masses):
    """Times the mass, in bits."""
    masses = np.maximum(masses, 0.0)
    total = masses.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(masses > 0, masses * np.log2(masses / total), 0.0)
    return -parts.sum(axis=-1)


def gains(column, thresholds):
    """Information gain at each threshold; rows with a missing value gain nothing."""
    left = masses_below(column, thresholds)
    _, codes, weights, _ = column.known()
    whole = np.bincount(codes, weights, left.shape[1])
    return (entropy(whole) - entropy(left) - entropy(whole - left)) / column.weights.sum()


def admissible(column, thresholds):
    """Whether both sides have enough mass: as searched, and as the rows will be divided (D9)."""
    values, _, weights, _ = column.known()
    searched = masses_below(column, thresholds).sum(axis=1)
    if column.propagation is None:
        divided = np.array([weights[values <= t].sum() for t in thresholds])
    else:
        shares = [column.propagation.probability((t - values) / column.propagation.scale)
                  for t in thresholds]  # fmt: skip
        shares = [np.where(s < 1e-6, 0, np.where(s > 1 - 1e-6, 1, s)) for s in shares]
        divided = np.array([(weights * share).sum() for share in shares])
    lowest = column.least * (1 - 1e-9)
    enough = [(m >= lowest) & (weights.sum() - m >= lowest) for m in (searched, divided)]
    return enough[0] & enough[1]


def best(column):
    """Highest gain on the grid and the middles of the widest plateaus that have it (D8).

    More than one only where rounding decides. None where nothing is gained.
    """
    if is_settled(column):
        return None
    grid = grid_of(column)
    gain = np.where(admissible(column, grid), gains(column, grid), -np.inf)
    if not gain.max() > 1e-9:
        return None
    middles = []
    for tolerance in (0.9e-9, 1e-9, 1.1e-9):
        runs = runs_of(np.flatnonzero(gain >= gain.max() - tolerance))
        widths = np.array([grid[last] - grid[first] for first, last in runs])
        widest = [run for run, w in zip(runs, widths, strict=True) if w >= widths.max() - 1e-9]
        middles += [(grid[first] + grid[last]) / 2 for first, last in widest]
    return float(gain.max()), middles


def is_settled(column):
    """Whether noise leaves the other classes so little that no leaf below could be theirs."""
    masses = np.bincount(column.codes, column.weights)
    return column.propagation is not None and masses.sum() - masses.max() < column.least / 2


def runs_of(indices):
    """Runs of consecutive numbers, first and last of each."""
    parts = np.split(indices, np.flatnonzero(np.diff(indices) > 1) + 1)
    return [(part[0], part[-1]) for part in parts]

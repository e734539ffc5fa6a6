"""Noise put into a table on purpose, at the levels of a grid.

Each draw is made by a generator that is handed in: with a seed of (data set, repeat, fold, level)
all methods get the same noisy values, and their differences are paired.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal
from zlib import crc32

import numpy as np
import pandas as pd

LEVELS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


def scales(
    training: pd.DataFrame, level: float, of: Literal["mean", "sd"] = "mean"
) -> dict[str, float]:
    """Standard deviation of the noise of each numeric column.

    Parameters
    ----------
    training : pandas.DataFrame
        The rows whose means or standard deviations count, before any noise.
    level : float
        0.1 is a standard deviation of a tenth of it.
    of : {"mean", "sd"}, default="mean"
        Of the absolute mean of the column, or of its standard deviation.
    """
    numbers = training.select_dtypes("number")
    size = numbers.mean().abs() if of == "mean" else numbers.std(ddof=0)
    return {str(name): level * float(value) for name, value in size.items()}


def with_measurement_noise(
    X: pd.DataFrame, scale_of: dict[str, float], rng: np.random.Generator
) -> pd.DataFrame:
    """X with normal noise on its numeric columns; what is missing stays missing.

    Every column draws, whatever its scale, so that the noise of one does not depend on others.
    """
    noisy = {
        name: X[name].to_numpy(dtype=float) + scale * rng.standard_normal(len(X))
        for name, scale in scale_of.items()
    }
    return X.assign(**noisy)


def with_class_noise(y: Any, share: float, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Labels of which a share, on average, has given way to one of the other classes."""
    labels = np.asarray(y)
    classes, codes = np.unique(labels, return_inverse=True)
    is_hit = rng.random(len(labels)) < share
    shift = rng.integers(1, max(len(classes), 2), len(labels))
    changed: np.ndarray[Any, Any] = classes[(codes + np.where(is_hit, shift, 0)) % len(classes)]
    return changed


def seed_of(*parts: Any) -> list[int]:
    """A seed of names and numbers that is the same on every machine."""
    return [crc32(str(part).encode()) for part in _flat(parts)]


def _flat(parts: Iterable[Any]) -> Iterable[Any]:
    for part in parts:
        yield from _flat(part) if isinstance(part, tuple | list) else (part,)

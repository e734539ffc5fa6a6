"""The classifiers under test, and the tables they are tested on."""

import numpy as np
import pandas as pd

import clearwood as cw
from clearwood.tree.structure import ARRAYS

CLASSIFIERS = [cw.TreeClassifier, cw.C45Classifier, cw.ID3Classifier, cw.CARTClassifier]
NOMINAL = ["branches", "grouped", "subset", "one_vs_rest"]


def name_of(value):
    return value.__name__ if isinstance(value, type) else repr(value)


def same_bits(left, right, *, but=()):
    """Whether two trees agree in every array to the last bit, whatever -0.0 and NaN."""
    return all(
        getattr(left, name).tobytes() == getattr(right, name).tobytes()
        for name in ARRAYS
        if name not in but
    )


def same_shape(left, right):
    """Whether two trees hold the same conditions and labels, and masses equal up to rounding."""
    exact = ("kind", "column", "strict", "child_start", "child_ids", "level_start", "level_branch")
    return (
        all(np.array_equal(getattr(left, name), getattr(right, name)) for name in exact)
        and np.array_equal(left.threshold, right.threshold, equal_nan=True)
        and np.allclose(left.masses, right.masses, rtol=0, atol=1e-9 * left.masses[0].sum())
    )


def mixed_frame(rng, n_rows=200, missing=0.1, n_levels=4):
    """Numbers, few-valued numbers, texts and an ordered category, with missing cells."""
    frame = pd.DataFrame(
        {
            "ef": rng.normal(50, 10, n_rows).round(1),
            "visits": rng.integers(0, 5, n_rows).astype(float),
            "ward": [f"w{k}" for k in rng.integers(0, n_levels, n_rows)],
            "stage": pd.Categorical.from_codes(
                rng.integers(0, 3, n_rows), ["I", "II", "III"], ordered=True
            ),
        }
    )
    return frame.mask(rng.random(frame.shape) < missing)


def labels_of(frame, rng, noise=0.1):
    """Three classes that depend on a number, a level and chance."""
    y = (frame["ef"].fillna(50) > 52).astype(int) + (frame["ward"] == "w1").astype(int)
    return np.where(rng.random(len(frame)) < noise, rng.integers(0, 3, len(frame)), y)

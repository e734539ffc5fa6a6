"""Labels of any kind become sorted classes and codes; weights are checked."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from clearwood.errors import TableError
from clearwood.table import read_labels, read_weights


@pytest.mark.parametrize(
    ("y", "classes", "codes", "dtype"),
    [
        ([True, False, True], [False, True], [1, 0, 1], bool),
        ([5, 2, 5], [2, 5], [1, 0, 1], np.int64),
        (np.array([5, 2], "u1"), [2, 5], [1, 0], np.uint8),
        (np.array([127, -128, 127], "i1"), [-128, 127], [1, 0, 1], np.int8),
        (np.array([2**64 - 1, 2**64 - 3], "u8"), [2**64 - 3, 2**64 - 1], [1, 0], np.uint64),
        ([10**12, -5, 10**12], [-5, 10**12], [1, 0, 1], np.int64),
        (np.array([3, 1], ">i4"), [1, 3], [1, 0], np.dtype(">i4")),
        ([1.0, 0.0], [0.0, 1.0], [1, 0], np.float64),
        (["yes", "no"], ["no", "yes"], [1, 0], np.dtype("<U3")),
        ([np.str_("yes"), np.str_("no")], ["no", "yes"], [1, 0], np.dtype("<U3")),
        (pd.Series(["yes", "no", "yes"]), ["no", "yes"], [1, 0, 1], object),
        (pd.Categorical(["yes", "no"], ["yes", "no"]), ["no", "yes"], [1, 0], object),
        (pd.Series([2, 1], dtype="Int64"), [1, 2], [1, 0], np.int64),
        (pd.Series([True, False], dtype="boolean"), [False, True], [1, 0], bool),
        (pl.Series(["b", "a"]), ["a", "b"], [1, 0], np.dtype("<U1")),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ["a", "b"], [1, 0], object),
        (pa.chunked_array([["b"], ["a"]]), ["a", "b"], [1, 0], object),
        (np.array([3, 1, 3], dtype=object), [1, 3], [1, 0, 1], np.int64),
        (np.array(["b", "a"], dtype=object), ["a", "b"], [1, 0], object),
        (["b"], ["b"], [0], np.dtype("<U1")),
    ],
)
def test_classes_are_sorted_and_keep_their_kind(y, classes, codes, dtype):
    found, found_codes = read_labels(y)
    assert found.tolist() == classes
    assert found.dtype == dtype
    assert found_codes.dtype == np.int32
    np.testing.assert_array_equal(found_codes, codes)


@pytest.mark.parametrize(
    ("y", "says"),
    [
        (None, "requires y to be passed, but the target y is None"),
        ([], "at least one label"),
        ([1.0, float("nan"), float("nan")], "missing value in 2 row"),
        (["a", None], "missing value in 1 row"),
        (pd.Series(["a", None]), "missing value in 1 row"),
        (pl.Series(["a", None]), "missing value in 1 row"),
        (pd.Series([1, None], dtype="Int64"), "missing value in 1 row"),
        ([1.0, np.inf], "Input y contains infinity"),
        ([0.5, 1.0], "Unknown label type: continuous.*0.5"),
        (np.array([0.5, 1], dtype=object), "Unknown label type: continuous"),
        (["a", 1], "Unknown label type: unknown.*int, str"),
        (np.array(["2020-01-01"], "M8[D]"), "Unknown label type: unknown"),
        ([1 + 1j], "Complex data not supported"),
        (np.ones((3, 2)), r"y should be a 1d array, got an array of shape \(3, 2\)"),
    ],
)
def test_labels_that_are_no_classes_are_refused(y, says):
    with pytest.raises(TableError, match=says):
        read_labels(y)


def test_a_column_vector_is_read_with_a_warning_of_scikit_learns_class():
    from sklearn.exceptions import DataConversionWarning

    with pytest.warns(DataConversionWarning, match="A column-vector y was passed when a 1d array"):
        classes, codes = read_labels(np.array([[1], [0]]))
    assert (classes.tolist(), codes.tolist()) == ([0, 1], [1, 0])


def test_no_weights_stay_none():
    assert read_weights(None, 3) is None


@pytest.mark.parametrize(
    "given", [[1, 0, 2], np.array([1, 9, 0, 9, 2, 9])[::2], pd.Series([1, 0, 2])]
)
def test_weights_become_contiguous_float64(given):
    weights = read_weights(given, 3)
    assert weights.dtype == np.float64
    assert weights.flags.c_contiguous
    np.testing.assert_array_equal(weights, [1.0, 0.0, 2.0])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([1, 2], r"shape \(3,\), got shape \(2,\)"),
        (np.ones((3, 1)), r"got shape \(3, 1\)"),
        (1.0, r"got shape \(\)"),
        ([1, -1, 1], "Negative values in data passed to `sample_weight`.*-1.0 in row 1"),
        ([1, float("nan"), 1], "NaN or infinity, the first in row 1"),
        ([1, 1, np.inf], "NaN or infinity, the first in row 2"),
        ([0, 0, 0], "every weight is zero"),
        (["a", "b", "c"], "sample_weight must hold numbers"),
    ],
)
def test_weights_that_cannot_weigh_are_refused(given, says):
    with pytest.raises(TableError, match=says):
        read_weights(given, 3)


def test_reading_labels_of_numbers_needs_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_labels(np.array([0, 1]))[1].tolist() == [0, 1]

"""Reading tables for prediction: the features of training decide."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from clearwood.errors import ColumnNotFound, TableError, UnseenLevelWarning
from clearwood.table import Feature, encode_table, read_table

NAN = float("nan")
AGE, SEX = Feature("age", "numeric"), Feature("sex", "nominal", ("f", "m"))
DOSE = Feature("dose", "ordinal", (2, 5, 10))


def test_frames_are_read_by_name_whatever_their_order():
    frame = pd.DataFrame({"id": [9, 8], "sex": ["m", None], "age": [50, 60]})
    table = encode_table(frame, (AGE, SEX))
    assert table.features == (AGE, SEX)
    np.testing.assert_array_equal(table.columns[0], [50.0, 60.0])
    np.testing.assert_array_equal(table.columns[1], [1, -1])


def test_float_frames_in_another_order_are_read_by_name():
    frame = pd.DataFrame({"b": [1.0, 2.0], "a": [3.0, 4.0]})
    table = encode_table(frame, (Feature("a", "numeric"), Feature("b", "numeric")))
    np.testing.assert_array_equal(table.matrix, [[3.0, 1.0], [4.0, 2.0]])


def test_frames_are_read_by_position_where_asked():
    frame = pd.DataFrame({"p": [1.0], "q": ["f"]})
    table = encode_table(frame, (AGE, SEX), by="position")
    assert (table.columns[0][0], table.columns[1][0]) == (1.0, 0)


def test_a_missing_column_is_named():
    with pytest.raises(ColumnNotFound, match="no column 'age'; did you mean 'agee'"):
        encode_table(pd.DataFrame({"agee": [1.0]}), (AGE,))


def test_arrays_need_the_columns_of_training():
    with pytest.raises(TableError, match=r"X has 1 features .* but 2 are expected"):
        encode_table(np.ones((2, 1)), (AGE, AGE))


def test_a_float64_array_is_borrowed():
    X = np.array([[1.0, 2.0]])
    features = read_table(X).features
    assert np.shares_memory(encode_table(X, features).matrix, X)


@pytest.mark.parametrize(
    "column",
    [
        ["Z", "f", "Y", "Z", None],
        pd.Categorical(["Z", "f", "Y", "Z", None], categories=["Z", "m", "f", "Y", "unused"]),
    ],
)
def test_unseen_levels_are_missing_with_one_warning_that_names_them(column):
    frame = pd.DataFrame({"sex": column})
    with pytest.warns(UnseenLevelWarning) as caught:
        table = encode_table(frame, (SEX,))
    np.testing.assert_array_equal(table.columns[0], [-1, 0, -1, -1, -1])
    (warning,) = caught
    assert "column 'sex' holds 2 level(s)" in str(warning.message)
    assert "'Y'" in str(warning.message)
    assert "'Z'" in str(warning.message)
    assert "3 row(s)" in str(warning.message)


def test_unseen_levels_can_be_read_in_silence():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = encode_table(pl.DataFrame({"sex": ["Z"]}), (SEX,), warn_unseen=False)
    np.testing.assert_array_equal(table.columns[0], [-1])


def test_unobserved_categories_are_no_unseen_levels():
    frame = pd.DataFrame({"sex": pd.Categorical(["m"], categories=["other", "m"])})
    np.testing.assert_array_equal(encode_table(frame, (SEX,)).columns[0], [1])


def test_levels_are_found_by_label_whatever_carries_it():
    for column in ([10, 2], [10.0, 2.0], pd.Categorical([10, 2], [10, 2]), np.array([10, 2], "u1")):
        table = encode_table(pd.DataFrame({"dose": column}), (DOSE,))
        np.testing.assert_array_equal(table.columns[0], [2.0, 0.0])


def test_a_level_between_two_known_ones_is_unseen():
    with pytest.warns(UnseenLevelWarning, match="'3'"):
        table = encode_table(pd.DataFrame({"dose": [3, 5]}), (DOSE,))
    np.testing.assert_array_equal(table.columns[0], [NAN, 1.0])


def test_text_where_training_had_numbers_is_refused():
    with pytest.raises(TableError, match=r"column 'age' held numbers in training.*'old'"):
        encode_table(pd.DataFrame({"age": ["old"]}), (AGE,))


def test_an_empty_column_of_any_type_is_missing():
    for column in ([None], [NAN], pd.array([None], "str"), pd.array([None], "Int64")):
        frame = pd.DataFrame({"age": column, "sex": column})
        table = encode_table(frame, (AGE, SEX))
        assert np.isnan(table.columns[0][0])
        assert table.columns[1][0] == -1


def test_infinite_values_are_refused_in_prediction_too():
    with pytest.raises(TableError, match="infinity: column 'age'"):
        encode_table(np.array([[np.inf]]), (AGE,))

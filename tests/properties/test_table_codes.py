"""Laws of reading: codes and labels are two writings of the same column, in every library."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from clearwood.table import encode_table, read_labels, read_table

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)
cells = st.lists(st.none() | texts, min_size=1, max_size=20)
numbers = st.lists(st.none() | st.floats(allow_infinity=False), min_size=1, max_size=20)


def in_every_library(column, dtype):
    yield pd.DataFrame({"c": pd.Series(column, dtype=dtype)})
    yield pd.DataFrame({"c": pd.Series(column, dtype=object)})
    yield pl.DataFrame({"c": pl.Series(column, dtype=pl.String if dtype == "str" else pl.Float64)})
    yield pa.table({"c": pa.array(column, pa.string() if dtype == "str" else pa.float64())})


@given(cells)
def test_labels_of_codes_are_the_cells_in_every_library(column):
    for frame in in_every_library(column, "str"):
        table = read_table(frame, ["c"])
        levels = table.features[0].levels
        assert levels == tuple(sorted({cell for cell in column if cell is not None}))
        assert [levels[c] if c >= 0 else None for c in table.columns[0]] == column


@given(numbers)
def test_numbers_are_the_same_bits_in_every_library(column):
    expected = np.array([np.nan if x is None else x for x in column])
    for frame in in_every_library(column, "float64"):
        np.testing.assert_array_equal(read_table(frame).columns[0], expected)


@given(numbers)
def test_labels_of_coded_numbers_are_the_numbers(column):
    expected = np.array([np.nan if x is None else x for x in column])
    for frame in in_every_library(column, "float64"):
        table = read_table(frame, [0])
        values = np.array([*table.features[0].levels, np.nan], dtype=np.float64)
        np.testing.assert_array_equal(values[table.columns[0]], expected)


@given(cells, st.booleans())
def test_encoding_the_training_table_gives_its_codes_again(column, is_ordered):
    levels = sorted({cell for cell in column if cell is not None}, reverse=True)
    frame = pd.DataFrame({"c": pd.Categorical(column, levels, ordered=is_ordered)})
    table = read_table(frame)
    for again in in_every_library(column, "str"):
        encoded = encode_table(again, table.features)
        np.testing.assert_array_equal(encoded.columns[0], table.columns[0])
        assert encoded.columns[0].dtype == table.columns[0].dtype


@given(st.lists(texts, min_size=1) | st.lists(st.integers(-5, 5), min_size=1))
def test_classes_are_those_of_numpy(y):
    labels = np.array(y, dtype=object if isinstance(y[0], str) else None)
    classes, codes = read_labels(labels)
    np.testing.assert_array_equal(classes, np.unique(labels))
    np.testing.assert_array_equal(classes[codes], labels)

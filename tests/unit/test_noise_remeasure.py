"""Another reading of a table: what changes, and that nothing else does."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

from clearwood.errors import ColumnNotFound
from clearwood.noise import Normal, PerRow, remeasure

COLUMNS = {
    "ef": [35.0, None, 61.5],
    "age": [40, 50, 60],
    "sex": ["f", None, "m"],
    "device": [0.0, 2.0, None],
}
NOISE = {"ef": PerRow(Normal(5.0), "device"), "age": Normal(10.0)}

FRAMES = {
    "pandas": pd.DataFrame(COLUMNS, index=[7, 8, 9]),
    "pandas nullable": pd.DataFrame(COLUMNS).convert_dtypes(),
    "polars": pl.DataFrame(COLUMNS),
    "arrow": pa.table(COLUMNS),
}


def columns_of(frame):
    if isinstance(frame, pa.Table):
        return frame.to_pydict()
    return (
        frame.to_dict(as_series=False) if isinstance(frame, pl.DataFrame) else frame.to_dict("list")
    )


def dtypes_of(frame):
    return list(frame.schema if isinstance(frame, pl.DataFrame | pa.Table) else frame.dtypes)


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_stays_of_its_kind_and_its_columns_of_their_types(kind):
    frame = FRAMES[kind]
    again = remeasure(frame, NOISE, 0)
    assert type(again) is type(frame)
    assert dtypes_of(again) == dtypes_of(frame)


@pytest.mark.parametrize("kind", FRAMES)
def test_only_known_values_with_noise_change(kind):
    again = columns_of(remeasure(FRAMES[kind], NOISE, 0))
    assert again["ef"][0] == 35.0  # its device is exact
    assert pd.isna(again["ef"][1])
    assert again["ef"][2] != 61.5
    assert all(new != old for new, old in zip(again["age"], COLUMNS["age"], strict=True))
    assert again["sex"][0] == "f"
    assert again["device"][1] == 2.0


def test_every_library_gets_the_same_reading():
    first, *others = (columns_of(remeasure(frame, NOISE, 3)) for frame in FRAMES.values())
    for other in others:
        assert other["ef"][2] == first["ef"][2]
        assert other["age"] == first["age"]


def test_a_pandas_frame_keeps_its_index_and_is_not_changed_itself():
    frame = FRAMES["pandas"].copy()
    again = remeasure(frame, NOISE, 0)
    assert_frame_equal(frame, FRAMES["pandas"])
    assert list(again.index) == [7, 8, 9]
    assert_series_equal(again["sex"], frame["sex"])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, object])
def test_an_array_keeps_its_type_and_is_not_changed_itself(dtype):
    values = np.array([[10, 1], [20, 2]], dtype=dtype)
    before = values.copy()
    again = remeasure(values, {"x0": Normal(5.0)}, 0)
    assert again.dtype == values.dtype
    np.testing.assert_array_equal(values, before)
    np.testing.assert_array_equal(again[:, 1], values[:, 1])
    assert (again[:, 0] != values[:, 0]).all()


def test_whole_numbers_are_rounded_as_the_first_reading_was():
    values = np.full((20_000, 1), 50)
    again = remeasure(values, {"x0": Normal(3.0)}, 0)
    assert again.mean() == pytest.approx(50.0, abs=0.2)
    assert again.std() == pytest.approx(np.sqrt(9.0 + 1.0 / 12.0), rel=0.02)


def test_rows_and_mappings_stay_what_they_are():
    assert remeasure([[1.0, "a"], [None, "b"]], {"x0": Normal(0.0)}, 0) == [[1.0, "a"], [None, "b"]]
    again = remeasure({"a": [1.0, None], "b": np.array([1.0, 2.0])}, {"a": Normal(1.0)}, 0)
    assert isinstance(again["a"], list)
    assert again["a"][1] is None
    np.testing.assert_array_equal(again["b"], [1.0, 2.0])


def test_a_fraction_remeasures_every_numeric_column():
    again = remeasure(FRAMES["pandas"], 0.1, 0)
    assert (again["age"] != FRAMES["pandas"]["age"]).all()
    assert again["device"][8] != 2.0


def test_the_same_seed_gives_the_same_reading_and_a_generator_goes_on():
    values = np.ones((3, 1))
    one, same = (remeasure(values, {"x0": Normal(1.0)}, 5) for _ in range(2))
    np.testing.assert_array_equal(one, same)
    rng = np.random.default_rng(5)
    first, second = (remeasure(values, {"x0": Normal(1.0)}, rng) for _ in range(2))
    np.testing.assert_array_equal(first, one)
    assert (first != second).all()
    assert remeasure(values, {"x0": Normal(1.0)}, np.random.RandomState(0)).shape == (3, 1)


def test_a_column_that_is_not_there_is_an_error():
    with pytest.raises(ColumnNotFound, match="did you mean 'ef'"):
        remeasure(FRAMES["polars"], {"eff": Normal(1.0)})

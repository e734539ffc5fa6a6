"""Reading tables for training: the same table in any library is the same table."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from clearwood.errors import ColumnNotFound, NotATableError, ParameterError, TableError
from clearwood.table import Column, Feature, read_table
from clearwood.table.source import FEW_ROWS

NAN = float("nan")
FEATURES = (
    Feature("age", "numeric"),
    Feature("visits", "numeric"),
    Feature("smoker", "numeric"),
    Feature("sex", "nominal", ("", "?", "NA", "é")),
    Feature("grade", "ordinal", ("low", "mid", "high")),
)
AGE = [70.5, None, 61.0, 1e300]
VISITS = [3, 1, None, 2]
SMOKER = [True, None, False, True]
SEX = ["é", None, "NA", "?"]
GRADE = ["high", "low", None, "low"]
LEVELS = ["low", "mid", "high"]


def in_pandas():
    return pd.DataFrame(
        {
            "age": AGE,
            "visits": VISITS,
            "smoker": pd.Series(SMOKER, dtype=object),
            "sex": pd.Series([*SEX[:1], "", *SEX[1:]], dtype="str").drop(1).reset_index(drop=True),
            "grade": pd.Categorical(GRADE, LEVELS, ordered=True),
        }
    )


def in_pandas_nullable():
    return in_pandas().convert_dtypes()


def in_pandas_arrow():
    return in_pandas().convert_dtypes(dtype_backend="pyarrow")


def in_pandas_objects():
    frame = in_pandas()
    return frame.assign(
        age=pd.Series(AGE, dtype=object),
        visits=pd.Series([3, 1, pd.NA, 2], dtype=object),
        sex=pd.Series(SEX, dtype=object),
    )


def in_polars():
    return pl.DataFrame(
        {
            "age": AGE,
            "visits": VISITS,
            "smoker": SMOKER,
            "sex": SEX,
            "grade": pl.Series(GRADE, dtype=pl.Enum(LEVELS)),
        }
    )


def in_polars_categories():
    return in_polars().with_columns(pl.col("sex").cast(pl.Categorical))


def in_arrow():
    return pa.table(
        {
            "age": AGE,
            "visits": VISITS,
            "smoker": SMOKER,
            "sex": SEX,
            "grade": pa.DictionaryArray.from_arrays(
                pa.array([2, 0, None, 0], pa.uint8()), LEVELS, ordered=True
            ),
        }
    )


def in_a_mapping():
    return {
        "age": np.array([70.5, NAN, 61.0, 1e300]),
        "visits": VISITS,
        "smoker": SMOKER,
        "sex": SEX,
        "grade": pd.Series(pd.Categorical(GRADE, LEVELS, ordered=True)),
    }


@pytest.mark.parametrize(
    "frame",
    [
        in_pandas,
        in_pandas_nullable,
        in_pandas_arrow,
        in_pandas_objects,
        in_polars,
        in_polars_categories,
        in_arrow,
        in_a_mapping,
    ],
)
def test_every_library_gives_the_same_table(frame):
    table = read_table(frame())
    assert table.features == tuple(
        Feature("sex", "nominal", ("?", "NA", "é")) if f.name == "sex" else f for f in FEATURES
    )
    age, visits, smoker, sex, grade = table.columns
    np.testing.assert_array_equal(age, [70.5, NAN, 61.0, 1e300])
    np.testing.assert_array_equal(visits, [3, 1, NAN, 2])
    np.testing.assert_array_equal(smoker, [1, NAN, 0, 1])
    np.testing.assert_array_equal(sex, [2, -1, 1, 0])
    np.testing.assert_array_equal(grade, [2, 0, NAN, 0])
    assert [column.dtype for column in table.columns] == [np.float64] * 3 + [np.int32, np.float64]


def test_text_that_looks_missing_is_a_level():
    table = read_table(pd.DataFrame({'x<y "1"': ["NA", "", "?", " ", "D, east", "a:b", '"', None]}))
    assert table.features[0].levels == ("", " ", '"', "?", "D, east", "NA", "a:b")
    np.testing.assert_array_equal(table.columns[0], [5, 0, 3, 1, 4, 6, 2, -1])


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_float64_array_is_borrowed_in_any_order_even_if_read_only(order):
    X = np.array([[1.0, NAN], [3.0, 4.0], [5.0, 6.0]], order=order)
    X.flags.writeable = False
    table = read_table(X)
    assert np.shares_memory(table.matrix, X)
    assert all(np.shares_memory(column, X) for column in table.columns)
    assert table.names == ("x0", "x1")
    np.testing.assert_array_equal(table.columns[1], [NAN, 4, 6])


def test_a_float64_frame_of_one_block_is_borrowed():
    frame = pd.DataFrame(np.arange(6.0).reshape(3, 2), columns=["a", "b"], copy=False)
    assert np.shares_memory(read_table(frame).matrix, frame.to_numpy())


@pytest.mark.parametrize("library", [pd, pl])
def test_numbers_of_several_types_are_the_same_in_few_rows_and_in_many(library):
    columns = {
        "whole": np.arange(2 * FEW_ROWS),
        "half": np.arange(2 * FEW_ROWS) / 2,
        "single": np.arange(2 * FEW_ROWS).astype(np.float32),
        "flag": np.arange(2 * FEW_ROWS) % 2 == 0,
    }
    many = library.DataFrame(columns)
    few = read_table(many[:FEW_ROWS])
    assert few.names == ("whole", "half", "single", "flag")
    for column, all_rows in zip(few.columns, read_table(many).columns, strict=True):
        np.testing.assert_array_equal(column, all_rows[:FEW_ROWS])


def test_a_field_between_elements_is_copied():
    records = np.zeros(3, dtype=np.dtype([("flag", "i1"), ("values", "f8", (2,))]))
    records["values"] = [[1, 2], [3, 4], [5, 6]]
    matrix = read_table(records["values"]).matrix
    assert matrix.flags.aligned
    np.testing.assert_array_equal(matrix, [[1, 2], [3, 4], [5, 6]])


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.uint64, bool, ">f8", object])
def test_arrays_of_any_number_type_are_numbers(dtype):
    table = read_table(np.array([[0, 1], [1, 0]]).astype(dtype))
    assert [feature.kind for feature in table.features] == ["numeric", "numeric"]
    np.testing.assert_array_equal(table.columns[0], [0.0, 1.0])
    assert table.columns[0].dtype == np.dtype("float64")


def test_what_a_mask_hides_is_missing():
    X = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    np.testing.assert_array_equal(read_table(X).columns[1], [NAN, 4.0])


def test_rows_keep_the_type_of_each_cell():
    table = read_table([[1, "a", None], [2.5, "b", Decimal("0.5")]], names=["n", "t", "d"])
    assert table.features == (
        Feature("n", "numeric"),
        Feature("t", "nominal", ("a", "b")),
        Feature("d", "numeric"),
    )
    np.testing.assert_array_equal(table.columns[2], [NAN, 0.5])


def test_text_arrays_are_nominal():
    assert read_table(np.array([["b"], ["a"]])).features[0].levels == ("a", "b")


def test_integer_column_names_become_text():
    frame = pd.DataFrame({0: [1, 2], 7: ["a", "b"]})
    assert read_table(frame).names == ("0", "7")


def test_declared_categories_are_levels_in_their_order_even_if_unobserved():
    frame = pd.DataFrame({"c": pd.Categorical(["b", "a", None], categories=["z", "b", "a"])})
    assert read_table(frame).features[0] == Feature("c", "nominal", ("z", "b", "a"))
    np.testing.assert_array_equal(read_table(frame).columns[0], [1, 2, -1])


def test_ordered_numbers_as_categories_keep_their_order():
    frame = pd.DataFrame({"d": pd.Categorical([100, 2], [2, 5, 10, 25, 50, 100], ordered=True)})
    table = read_table(frame)
    assert table.features[0] == Feature("d", "ordinal", (2, 5, 10, 25, 50, 100))
    np.testing.assert_array_equal(table.columns[0], [5, 0])


def test_intervals_are_levels_by_their_text():
    frame = pd.DataFrame({"age": pd.cut([30, 70], [0, 50, 100])})
    assert read_table(frame).features[0].levels == ("(0, 50]", "(50, 100]")


def test_categories_of_another_polars_frame_are_no_levels():
    pl.Series(["elsewhere"], dtype=pl.Categorical)
    frame = pl.DataFrame({"c": pl.Series(["b", "a"], dtype=pl.Categorical)})
    assert read_table(frame).features[0].levels == ("a", "b")


def test_arrow_chunks_with_different_dictionaries_share_levels():
    first, second = (pa.array(v).dictionary_encode() for v in (["b", None], ["c", "b"]))
    table = read_table(pa.table({"c": pa.chunked_array([first, second])}))
    assert table.features[0].levels == ("b", "c")
    np.testing.assert_array_equal(table.columns[0], [0, -1, 1, 0])


def test_a_text_column_that_pandas_holds_in_pieces_is_read():
    pieces = [pd.Series(["b", "a"], dtype="str"), pd.Series(["c", None], dtype="str")]
    table = read_table(pd.DataFrame({"x": pd.concat(pieces, ignore_index=True)}))
    assert table.features == (Feature("x", "nominal", ("a", "b", "c")),)
    assert table.columns[0].tolist() == [1, 0, 2, -1]


def test_a_label_twice_or_null_in_an_arrow_dictionary_is_one_level_or_missing():
    indices, labels = pa.array([0, 1, 2, None]), pa.array(["a", None, "a"])
    column = pa.DictionaryArray.from_arrays(indices, labels)
    table = read_table(pa.table({"c": column}))
    assert table.features[0].levels == ("a",)
    np.testing.assert_array_equal(table.columns[0], [0, -1, 0, -1])


def test_columns_without_any_value_are_missing_throughout():
    frame = pl.DataFrame({"null": [None, None], "text": pl.Series([None, None], dtype=pl.String)})
    table = read_table(frame)
    assert table.features == (Feature("null", "numeric"), Feature("text", "nominal", ()))
    np.testing.assert_array_equal(table.columns[0], [NAN, NAN])
    np.testing.assert_array_equal(table.columns[1], [-1, -1])


# --- categorical_features -------------------------------------------------------------------


@pytest.mark.parametrize("given", [["code"], [1], [False, True], np.array([1])])
def test_numbers_are_nominal_where_asked_by_name_position_or_mask(given):
    frame = pd.DataFrame({"age": [50.0, 60.0, 70.0], "code": [7.0, NAN, 2.5]})
    table = read_table(frame, given)
    assert table.features == (Feature("age", "numeric"), Feature("code", "nominal", (2.5, 7)))
    np.testing.assert_array_equal(table.columns[1], [1, -1, 0])


def test_an_ordered_category_is_nominal_where_asked():
    frame = pd.DataFrame({"g": pd.Categorical(["b", "a"], ["b", "a"], ordered=True)})
    assert read_table(frame, ["g"]).features[0].kind == "nominal"
    assert read_table(frame, None).features[0].kind == "ordinal"


@pytest.mark.parametrize("given", [None, [], ["age"]])
def test_text_that_is_not_asked_to_be_nominal_is_an_error(given):
    with pytest.raises(TableError, match=r"column 'sex' holds levels.*categorical_features"):
        read_table(pd.DataFrame({"age": [1.0], "sex": ["f"]}), given)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("sex", "'from_dtype', None or a list"),
        ([2], "positions from 0 to 1, got 2"),
        ([-1], "positions from 0 to 1, got -1"),
        ([True], "one boolean per column: 2 columns, got 1"),
        ([0.5], "only positions, only names or only booleans"),
        ([[0]], "flat list"),
    ],
)
def test_categorical_features_that_fit_no_column_are_refused(given, says):
    with pytest.raises(ParameterError, match=says):
        read_table(pd.DataFrame({"age": [1.0], "sex": [2.0]}), given)


def test_a_name_that_is_no_column_is_refused_with_the_nearest_one():
    with pytest.raises(ColumnNotFound, match="did you mean 'sex'"):
        read_table(pd.DataFrame({"age": [1.0], "sex": [2.0]}), ["sexx"])


def test_names_need_an_input_with_names():
    with pytest.raises(ParameterError, match="X has no column names"):
        read_table(np.ones((2, 2)), ["x0"])
    assert read_table(np.ones((2, 1)), ["a"], names=["a"]).features[0].kind == "nominal"


def test_names_do_not_override_those_of_a_frame():
    with pytest.raises(ParameterError, match="X has its own"):
        read_table(pd.DataFrame({"a": [1.0]}), names=["b"])
    with pytest.raises(ParameterError, match="one name per column: 2 columns, got 1"):
        read_table(np.ones((2, 2)), names=["b"])


def test_wishes_set_unit_and_kind():
    frame = pd.DataFrame({"sbp": [120.0, 130.0], "nyha": [3, 1]})
    wishes = {"sbp": Column(unit="mm Hg"), "nyha": Column(kind="ordinal")}
    table = read_table(frame, columns=wishes)
    assert table.features == (
        Feature("sbp", "numeric", unit="mm Hg"),
        Feature("nyha", "ordinal", (1, 3)),
    )
    np.testing.assert_array_equal(table.columns[1], [1.0, 0.0])


@pytest.mark.parametrize(
    ("kind", "says"), [("ordinal", "ordered category"), ("numeric", "turn them into numbers")]
)
def test_text_without_order_cannot_be_wished_into_one(kind, says):
    with pytest.raises(TableError, match=says):
        read_table(pd.DataFrame({"g": ["b", "a"]}), columns={"g": Column(kind=kind)})


# --- refusals -------------------------------------------------------------------------------


def object_column(*cells):
    array = np.empty((len(cells), 1), dtype=object)
    array[:, 0] = cells
    return array


@pytest.mark.parametrize(
    ("X", "says"),
    [
        (np.array([1.0, 2.0]), "Expected 2D array, got 1D array instead.*Reshape your data"),
        (pd.Series([1.0, 2.0]), "Expected 2D array, got 1D array instead"),
        (np.float64(1.0), "Expected 2D array, got scalar"),
        (np.ones((1, 1, 1)), "Expected 2D array, got 3D array"),
        (np.ones((0, 3)), r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\."),
        (np.ones((12, 0)), r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required"),
        (pd.DataFrame({"a": []}), r"0 sample\(s\)"),
        (pl.DataFrame(), r"0 sample\(s\)"),
        ({}, r"0 sample\(s\)"),
        (np.ones((2, 2)) + 1j, "Complex data not supported"),
        (pd.DataFrame({"z": [1j]}), "Complex data not supported: column 'z'"),
        (object_column(1j, 1.0), "Complex data not supported: column 'x0'"),
        ([[1, 2], [3]], r"same number of columns, got lengths \[1, 2\]"),
        ({"a": [1, 2], "b": [1]}, r"same length, got \[1, 2\]"),
        ({"a": [[1, 2]] * 2, "b": np.ones((2, 2))}, "must be one-dimensional"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), "dates and times"),
        (pd.DataFrame({"seen": pd.to_datetime(["2020-01-01"])}), "column 'seen'.*days since"),
        (pl.DataFrame({"seen": [datetime.date(2020, 1, 1)]}), "column 'seen'.*days since"),
        (pl.DataFrame({"lag": [datetime.timedelta(1)]}), "column 'lag'.*days since"),
        (object_column(datetime.date(2020, 1, 1)), "column 'x0'.*days since"),
        (pl.DataFrame({"ecg": [[1, 2]]}), "column 'ecg'.*one value"),
        (pa.table({"lab": [{"k": 1}]}), "column 'lab'.*one value"),
        (object_column("a", 1), "column 'x0' mixes texts and numbers, such as 'a' and 1"),
        (object_column("a", {"b": 1}), "argument must be a string or a real number, not 'dict'"),
        (object_column(10**400), "too large for float64"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "names must differ, but 'a'"),
        (pa.table([[1], [2]], names=["a", "a"]), "names must differ, but 'a'"),
        (pl.LazyFrame({"a": [1]}), "collect it"),
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(X, says):
    with pytest.raises(TableError, match=says):
        read_table(X)


def test_cells_and_containers_of_a_wrong_kind_are_type_errors():
    from scipy import sparse

    for X in (sparse.csr_array(np.eye(2)), object_column(1.0, {"a": 1}), pl.LazyFrame({"a": [1]})):
        with pytest.raises(NotATableError) as caught:
            read_table(X)
        assert isinstance(caught.value, TypeError)
    with pytest.raises(TypeError, match="sparse"):
        read_table(sparse.csc_matrix(np.eye(2)))


@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
@pytest.mark.parametrize("neighbour", [0.0, NAN, 1e300])
def test_infinite_values_are_refused_by_column_name(infinite, neighbour):
    frame = pd.DataFrame({"a": [1.0, neighbour], "ef": [infinite, neighbour]})
    for X in (frame, frame.assign(a=[1, 2]), pl.from_pandas(frame)):
        with pytest.raises(TableError, match="Input X contains infinity: column 'ef' holds 1 "):
            read_table(X)


def test_huge_finite_values_are_accepted():
    X = np.full((3, 2), 1e308)
    np.testing.assert_array_equal(read_table(X).matrix, X)

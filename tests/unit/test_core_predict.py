"""The compiled predictor and table: the same as the slow reference, whatever lies in memory how."""

import gc
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood._core import InfiniteValueError, Predictor, Table
from clearwood.errors import InvalidTreeError
from reference import predict as slow
from reference.random_trees import FEATURES, random_row, random_tree

NODE_TYPES = {
    "kind": np.int8,
    "column": np.int32,
    "threshold": np.float64,
    "strict": np.uint8,
    "label": np.int32,
}


def stump(shares=(0.5, 0.5)):
    """The first of three columns cut at 5; the first leaf is of class 0, the second of class 1."""
    nodes = {"kind": [1, 0, 0], "column": [0, -1, -1], "threshold": [5, np.nan, np.nan]}
    nodes |= {"strict": [0, 0, 0], "label": [0, 0, 1]}
    arrays = {name: np.array(values, NODE_TYPES[name]) for name, values in nodes.items()}
    return arrays | {
        "child_start": np.array([0, 2, 2, 2], np.int32),
        "child_ids": np.array([1, 2], np.int32),
        "missing_share": np.array(shares, float),
        "level_start": np.zeros(4, np.int32),
        "level_branch": np.zeros(0, np.int32),
        "masses": np.array([[3.0, 3.0], [3.0, 0.0], [0.0, 3.0]]),
        "distribution": np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]),
    }


def three_columns(first):
    X = np.zeros((len(first), 3))
    X[:, 0] = first
    return X


def table_of_coded(rows):
    columns = [
        np.array(values, np.int32 if feature.is_nominal else np.float64)
        for feature, values in zip(FEATURES, zip(*rows, strict=True), strict=True)
    ]
    return Table.from_columns(columns, [feature.n_levels for feature in FEATURES])


@given(seed=st.integers(0, 2**32 - 1), n_inner=st.integers(1, 30))
def test_every_answer_is_that_of_the_slow_reference(seed, n_inner):
    rng = np.random.default_rng(seed)
    cuts = rng.normal(size=6)
    arrays = random_tree(rng, cuts, n_inner).arrays()
    rows = [random_row(rng, cuts)[1] for _ in range(21)]
    predictor, table = Predictor(arrays, len(FEATURES)), table_of_coded(rows)
    expected = np.array([slow.predict_proba(arrays, row) for row in rows])
    assert predictor.predict_proba(table) == pytest.approx(expected, abs=1e-12)
    indptr, nodes = predictor.decision_path(table)
    _, leaves, shares = predictor.leaf_weights(table)
    ends = [slow.leaf_weights(arrays, row) for row in rows]
    paths = [slow.decision_path(arrays, row) for row in rows]
    assert [part.tolist() for part in np.split(nodes, indptr[1:-1])] == paths
    assert leaves.tolist() == [leaf for end in ends for leaf in end]
    assert shares == pytest.approx([share for end in ends for share in end.values()], abs=1e-12)
    for leaf, end in zip(predictor.apply(table), ends, strict=True):
        assert end[leaf] == pytest.approx(max(end.values()), abs=1e-12)


def test_probabilities_are_those_written_by_hand():
    X = three_columns([4.0, 5.0, 6.0, np.nan])
    expected = [[1, 0], [1, 0], [0, 1], [0.25, 0.75]]
    predictor = Predictor(stump(shares=(0.25, 0.75)), 3)
    assert predictor.predict_proba_matrix(X).tolist() == expected
    assert predictor.predict_proba(Table.from_matrix(X)).tolist() == expected
    assert predictor.apply(Table.from_matrix(X)).tolist() == [1, 1, 2, 2]


def transposed(X):
    return np.ascontiguousarray(X.T).T


def reversed_twice(X):
    return np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]


def every_second(X):
    wide = np.full((2 * X.shape[0], 2 * X.shape[1]), np.inf)
    wide[::2, ::2] = X
    return wide[::2, ::2]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


@pytest.mark.parametrize("lay_out", [transposed, reversed_twice, every_second, read_only])
def test_the_layout_of_a_matrix_changes_nothing(lay_out):
    X = three_columns([4.0, 6.0, np.nan, 7.0, 1.0])
    predictor = Predictor(stump(), 3)
    expected = [[1, 0], [0, 1], [0.5, 0.5], [0, 1], [1, 0]]
    assert predictor.predict_proba_matrix(lay_out(X)).tolist() == expected
    assert predictor.predict_proba(Table.from_matrix(lay_out(X))).tolist() == expected
    columns = list(lay_out(X).T)
    assert predictor.predict_proba(Table.from_columns(columns, [0] * 3)).tolist() == expected


def test_a_table_keeps_its_arrays_alive():
    table = Table.from_matrix(three_columns(np.arange(10_000.0)))
    parts = Table.from_columns([np.arange(10_000.0) for _ in range(3)], [0] * 3)
    gc.collect()
    np.zeros((10_000, 3))
    expected = [1] * 6 + [2] * 9_994
    assert Predictor(stump(), 3).apply(table).tolist() == expected
    assert Predictor(stump(), 3).apply(parts).tolist() == expected


def test_a_table_views_its_arrays_in_place():
    X = three_columns([1.0])
    table = Table.from_matrix(X)
    X[0, 0] = 6.0
    assert Predictor(stump(), 3).apply(table).tolist() == [2]


def test_a_predictor_keeps_its_own_copy_of_the_tree():
    arrays = stump()
    predictor = Predictor(arrays, 3)
    arrays["threshold"][0] = 100.0
    assert predictor.predict_proba_matrix(three_columns([6.0])).tolist() == [[0, 1]]


def test_answers_are_read_only_and_typed():
    predictor, table = Predictor(stump(), 3), Table.from_matrix(three_columns([1.0, 2.0]))
    answers = [
        predictor.predict_proba(table),
        predictor.predict_proba_matrix(three_columns([1.0])),
        predictor.apply(table),
        *predictor.decision_path(table),
        *predictor.leaf_weights(table),
    ]
    assert not any(answer.flags.writeable for answer in answers)
    kinds = "float64 float64 int32 int64 int32 int64 int32 float64"
    assert [str(answer.dtype) for answer in answers] == kinds.split()


def test_an_empty_table_has_empty_answers():
    predictor, table = Predictor(stump(), 3), Table.from_matrix(np.zeros((0, 3)))
    assert predictor.predict_proba(table).shape == (0, 2)
    assert predictor.predict_proba_matrix(np.zeros((0, 3))).shape == (0, 2)
    assert predictor.apply(table).shape == (0,)
    assert [part.tolist() for part in predictor.decision_path(table)] == [[0], []]
    assert [part.tolist() for part in predictor.leaf_weights(table)] == [[0], [], []]


def test_sizes_of_a_table_are_those_of_its_arrays():
    matrix = Table.from_matrix(np.zeros((4, 12_000)))
    columns = Table.from_columns([np.zeros(4), np.zeros(4, np.int32)], [0, 2])
    nothing = Table.from_columns([], [])
    sizes = [(table.n_rows, table.n_columns) for table in (matrix, columns, nothing)]
    assert sizes == [(4, 12_000), (4, 2), (0, 0)]


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_infinite_value_is_told_by_its_place(value, order):
    X = np.zeros((400, 3), order=order)
    X[300, 2] = value
    with pytest.raises(InfiniteValueError) as caught:
        Predictor(stump(), 3).predict_proba_matrix(X)
    assert caught.value.args == (300, 2)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "wrong",
    [
        *(np.zeros(2, dtype) for dtype in ("f4", "i8", "u4", "?", ">f8", "c16", "U1", "O")),
        np.zeros((2, 1)),
        [0.0, 0.0],
        None,
    ],
)
def test_a_column_of_the_wrong_kind_is_a_type_error_that_names_it(wrong):
    with pytest.raises(TypeError, match=r"column 1 must be .* float64 .* int32"):
        Table.from_columns([np.zeros(2), wrong], [0, 0])


@pytest.mark.parametrize("wrong", [np.zeros((2, 3), np.float32), np.zeros(3), [[0.0] * 3]])
def test_a_matrix_of_the_wrong_kind_is_a_type_error(wrong):
    with pytest.raises(TypeError):
        Table.from_matrix(wrong)
    with pytest.raises(TypeError):
        Predictor(stump(), 3).predict_proba_matrix(wrong)


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="column 1 must have 2 rows as column 0, got 3"):
        Table.from_columns([np.zeros(2), np.zeros(3)], [0, 0])
    with pytest.raises(ValueError, match="n_levels must have one entry a column, 2, got 1"):
        Table.from_columns([np.zeros(2), np.zeros(2)], [0])


def test_a_table_that_does_not_fit_the_tree_is_refused():
    predictor = Predictor(stump(), 3)
    with pytest.raises(ValueError, match="made for 3 columns, the table has 2"):
        predictor.predict_proba_matrix(np.zeros((1, 2)))
    codes = Table.from_columns([np.zeros(1, np.int32)] * 3, [2] * 3)
    with pytest.raises(ValueError, match="wants numbers in column 0"):
        predictor.apply(codes)


@pytest.mark.parametrize("name", list(stump()))
def test_an_absent_array_of_a_tree_is_named(name):
    arrays = stump()
    del arrays[name]
    with pytest.raises(InvalidTreeError, match=f"{name} is missing"):
        Predictor(arrays, 3)


@pytest.mark.parametrize("name", list(stump()))
def test_an_array_of_the_wrong_type_is_named(name):
    arrays = stump()
    arrays[name] = arrays[name].astype(np.float32)
    with pytest.raises(TypeError, match=f"{name} must be a C-contiguous array of"):
        Predictor(arrays, 3)


def test_a_tree_that_contradicts_itself_is_an_invalid_tree():
    arrays = stump()
    arrays["child_ids"] = np.array([1, 1], np.int32)
    with pytest.raises(InvalidTreeError, match="child_ids"):
        Predictor(arrays, 3)
    with pytest.raises(InvalidTreeError, match="masses must have one column a class"):
        Predictor(stump() | {"masses": np.zeros((3, 1))}, 3)


def test_threads_of_python_and_of_the_core_get_the_same_answer():
    rng = np.random.default_rng(0)
    X = three_columns(rng.choice([1.0, 6.0, np.nan], 4_000))
    predictor, table = Predictor(stump(), 3), Table.from_matrix(X)
    expected, answers = predictor.predict_proba(table), []
    threads = [
        threading.Thread(target=lambda: answers.append(predictor.predict_proba(table, n_threads=3)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(np.array_equal(answer, expected) for answer in answers)

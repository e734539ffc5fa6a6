"""A tree predicts by itself, and as the letter of its arrays says."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import ColumnNotFound, TableError, UnseenLevelWarning
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from golden.trees import NASTY_COLUMN, NASTY_LEVELS, binary, deep_chain, many_branches, nasty_names
from reference import tree_walk
from reference.random_trees import FEATURES, random_row, random_tree


def frame_of(rows):
    """A pandas frame whose columns with levels are objects, so that None stays None."""
    columns = {}
    for feature in FEATURES:
        values = [row[feature.name] for row in rows]
        numeric = feature.kind == "numeric"
        columns[feature.name] = np.array(values, float if numeric else object)
    return pd.DataFrame(columns)


@given(seed=st.integers(0, 2**32 - 1))
def test_probabilities_and_leaves_are_those_of_the_walk(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=6)
    tree = random_tree(rng, values)
    rows, coded = zip(*(random_row(rng, values) for _ in range(12)), strict=True)
    X = frame_of(rows)
    expected = np.array([tree_walk.probabilities(tree, row) for row in coded])
    assert tree.predict_proba(X) == pytest.approx(expected, abs=1e-12)
    for leaf_id, row in zip(tree.apply(X), coded, strict=True):
        shares = tree_walk.leaf_shares(tree, row)
        assert shares[leaf_id] == pytest.approx(max(shares.values()), abs=1e-12)


def test_explaining_a_row_and_predicting_it_agree_where_values_are_missing():
    tree = binary()
    row = {"ef": None, "age": 70.0}
    X = pd.DataFrame([row]).astype(float)
    assert tree.predict_proba(X)[0] == pytest.approx(tree.path(row).probabilities, abs=1e-12)


def test_a_value_at_the_cut_follows_the_strictness():
    features = [Feature("x", "numeric")]
    X = np.array([[35.0], [np.nextafter(35, 0)]])
    for strict, expected in ((False, [1, 1]), (True, [2, 1])):
        tree = build(cut("x", 35, leaf([1, 0]), leaf([0, 1]), strict=strict), features, ["a", "b"])
        assert tree.apply(X).tolist() == expected


def test_predict_gives_the_labels_of_training_and_the_first_of_equals():
    tree = build(cut("x", 0, leaf([2, 2]), leaf([0, 1])), [Feature("x", "numeric")], ["no", "yes"])
    assert tree.predict(np.array([[-1.0], [1.0]])).tolist() == ["no", "yes"]
    assert binary().predict(np.array([[50.0, 1.0]])).dtype == bool


def test_arrays_and_frames_of_any_column_order_give_the_same():
    tree = binary()
    X = np.array([[30.0, 50.0], [30.0, 70.0], [60.0, np.nan]])
    expected = tree.predict_proba(X).tolist()
    assert tree.predict_proba(np.asfortranarray(X)).tolist() == expected
    assert tree.predict_proba(pd.DataFrame(X, columns=["ef", "age"])).tolist() == expected
    assert tree.predict_proba(pl.DataFrame({"age": X[:, 1], "ef": X[:, 0]})).tolist() == expected


def test_awkward_levels_find_their_branch():
    rows = {
        "code": list(NASTY_LEVELS),
        NASTY_COLUMN: [0.0] * len(NASTY_LEVELS),
        "ward": [3] * len(NASTY_LEVELS),
        "flag": [True] * len(NASTY_LEVELS),
    }
    leaves = nasty_names().apply(pd.DataFrame(rows)).tolist()
    assert leaves == [3, 4, 4, 4, 4, 4, 7, 7, 7, 7, 7]  # "a:b" has no branch in node 2


def test_an_unknown_level_is_announced_and_goes_where_the_missing_go():
    tree = many_branches()
    with pytest.warns(UnseenLevelWarning, match="column 'site'"):
        unknown = tree.predict_proba(pd.DataFrame({"site": ["moon"]}))
    missing = tree.predict_proba(pd.DataFrame({"site": np.array([None], object)}))
    assert np.array_equal(unknown, missing)


def test_a_table_without_a_tested_column_is_refused():
    with pytest.raises(ColumnNotFound, match="no column 'ef'"):
        binary().predict(pd.DataFrame({"age": [1.0]}))
    with pytest.raises(TableError, match="3 features"):
        binary().predict(np.zeros((1, 3)))


def test_a_tree_that_came_out_of_a_pickle_predicts_the_same():
    X = np.array([[30.0, 50.0], [np.nan, np.nan]])
    again = pickle.loads(pickle.dumps(binary()))
    assert again.predict_proba(X).tolist() == binary().predict_proba(X).tolist()


def test_a_chain_of_a_hundred_thousand_cuts_predicts():
    tree = deep_chain(100_000)
    X = np.array([[0.0], [1.0], [99_999.0], [1e6]])
    assert tree.predict(X).tolist() == ["even", "odd", "odd", "even"]

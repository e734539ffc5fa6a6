"""Rules and paths say of a row what the tree does with it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import ColumnNotFound, TableError
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels
from golden.trees import TREES, binary, deep_chain
from reference import tree_walk
from reference.random_trees import random_row, random_tree

CHOL = Feature("chol", "numeric", unit="mg/dL")
THAL = Feature("thal", "nominal", ("fixed", "normal", "reversible"))


def two_columns():
    below = levels("thal", {("normal", "fixed"): leaf([7, 46]), "reversible": leaf([5, 5])})
    return build(
        cut("chol", 300, cut("chol", 240, below, leaf([9, 1])), leaf([4, 4])),
        [CHOL, THAL],
        ["healthy", "disease"],
    )


def test_a_rule_reads_as_a_sentence_with_one_condition_a_column():
    rules = two_columns().rules()
    assert [str(rule) for rule in rules] == [
        'if chol <= 240 mg/dL and thal in {"fixed", "normal"} then disease 0.87 (n = 53)',
        'if chol <= 240 mg/dL and thal in {"reversible"} then healthy 0.50 (n = 10)',
        "if 240 < chol <= 300 mg/dL then healthy 0.90 (n = 10)",
        "if chol > 300 mg/dL then healthy 0.50 (n = 8)",
    ]


def test_a_rule_knows_its_leaf_weight_and_share():
    rule = two_columns().rules()[0]
    assert (rule.leaf, rule.label, rule.weight) == (3, "disease", 53)
    assert rule.share == pytest.approx(53 / 81)
    assert rule.probabilities.tolist() == [7 / 53, 46 / 53]


def test_the_rule_of_a_single_leaf_always_holds():
    assert [str(rule) for rule in TREES["one_leaf"]().rules()] == ["always no 0.70 (n = 10)"]


def test_strictness_survives_in_merged_intervals():
    root = cut("chol", 300, cut("chol", 240, leaf([1, 0]), leaf([0, 1]), strict=True), leaf([1, 0]))
    tree = build(root, [CHOL], ["a", "b"])
    assert [rule.conditions for rule in tree.rules()] == [
        "chol < 240 mg/dL",
        "240 <= chol <= 300 mg/dL",
        "chol > 300 mg/dL",
    ]


@given(seed=st.integers(0, 2**32 - 1))
def test_a_known_row_meets_the_rule_of_its_leaf_and_no_other(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=6)
    tree = random_tree(rng, values)
    row, coded = random_row(rng, values)
    reached = tree_walk.leaf_shares(tree, coded)
    met = [
        rule.leaf
        for rule in tree.rules()
        if all(part.holds(row[part.feature.name]) for part in rule.restrictions)
    ]
    assert len(met) <= 1
    if met:
        assert reached == {met[0]: 1.0}


@given(seed=st.integers(0, 2**32 - 1))
def test_a_path_ends_in_the_leaves_of_the_walk_with_shares_that_sum_to_one(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=6)
    tree = random_tree(rng, values)
    row, coded = random_row(rng, values)
    path = tree.path(row)
    assert dict(path.leaves) == tree_walk.leaf_shares(tree, coded)
    assert sum(share for _, share in path.leaves) == pytest.approx(1, abs=1e-12)
    assert path.probabilities == pytest.approx(tree_walk.probabilities(tree, coded), abs=1e-12)


def test_a_path_reads_as_the_steps_of_the_row():
    path = two_columns().path({"chol": 200, "thal": "normal"})
    assert str(path).splitlines() == [
        "chol = 200 mg/dL: chol <= 300 mg/dL",
        "chol = 200 mg/dL: chol <= 240 mg/dL",
        'thal = "normal": thal in {"fixed", "normal"}',
        "=> disease 0.87",
    ]
    assert (path.label, path.class_name) == ("disease", "disease")


def test_a_missing_value_takes_several_branches_with_their_shares():
    path = two_columns().path({"chol": 200, "thal": None})
    step = path.steps[-1]
    assert step.text() == (
        'thal = missing: thal in {"fixed", "normal"} (0.84) or thal in {"reversible"} (0.16)'
    )
    assert path.leaves == ((3, 53 / 63), (4, 10 / 63))
    assert path.probabilities == pytest.approx([12 / 63, 51 / 63])


def test_a_row_may_be_a_mapping_a_series_or_an_array():
    tree = binary()
    leaves = ((4, 1.0),)
    assert tree.path({"ef": 50, "age": 1, "other": 2}).leaves == leaves
    assert tree.path(pd.Series({"age": 1.0, "ef": 50.0})).leaves == leaves
    assert tree.path(np.array([50.0, np.nan])).leaves == leaves
    assert tree.path([50, None]).leaves == leaves


def test_a_row_that_lacks_a_tested_column_is_refused_with_the_nearest_name():
    with pytest.raises(ColumnNotFound, match="no column 'ef'; did you mean 'lvef'"):
        binary().path({"lvef": 1, "age": 2})
    with pytest.raises(ColumnNotFound, match=r"the table has 'age' .give None if unknown.$"):
        binary().path({"age": 2})
    assert len(binary().path({"ef": None, "age": 2}).leaves) > 1


def test_more_than_one_row_or_too_few_values_are_refused():
    with pytest.raises(TableError, match="path follows one row, got a table of shape"):
        binary().path(np.zeros((2, 2)))
    with pytest.raises(TableError, match="row must have 2 values, has 1"):
        binary().path([1.0])


def test_a_chain_of_2999_cuts_is_explained_and_ruled():
    tree = deep_chain()
    assert len(tree.path([2999.0]).steps) == 2999
    assert len(tree.path([None]).leaves) == 3000
    rules = tree.rules()
    assert str(rules[1]) == "if 0.5 < x <= 1.5 then odd 1.00 (n = 1)"
    assert len(rules) == 3000

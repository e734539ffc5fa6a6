"""Conditions know their words and their branch."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import ParameterError
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, leaf, levels
from clearwood.tree.conditions import CutCondition, LevelsCondition, condition_at, possible_levels
from golden.trees import binary, ordinal

EF = Feature("ef", "numeric", unit="%")
SITE = Feature("site", "nominal", ("a", "b", "c", "d"))
STAGE = Feature("stage", "ordinal", ("I", "II", "III"))


def test_a_cut_sends_its_threshold_to_the_first_branch_unless_it_is_strict():
    assert CutCondition(EF, 35, strict=False).branch_of(35) == 0
    assert CutCondition(EF, 35, strict=True).branch_of(35) == 1
    assert CutCondition(EF, 35, strict=True).branch_of(np.nextafter(35, 0)) == 0


def test_a_cut_writes_its_strictness():
    assert [CutCondition(EF, 35, strict=False).text(b) for b in (0, 1)] == [
        "ef <= 35 %",
        "ef > 35 %",
    ]
    assert [CutCondition(EF, 35, strict=True).text(b) for b in (0, 1)] == [
        "ef < 35 %",
        "ef >= 35 %",
    ]


@pytest.mark.parametrize("missing", [None, math.nan, np.float64("nan"), pd.NA, pd.NaT])
def test_a_missing_value_has_no_branch(missing):
    assert CutCondition(EF, 35, strict=False).branch_of(missing) is None
    assert LevelsCondition(SITE, (0, 0, 1, -1), 2).branch_of(missing) is None


def test_a_word_in_a_numeric_column_is_refused_by_name():
    with pytest.raises(ParameterError, match="column 'ef' is numeric, got 'high'"):
        CutCondition(EF, 35, strict=False).branch_of("high")


def test_levels_go_to_their_branch_and_strangers_to_none():
    condition = LevelsCondition(SITE, (0, 1, 0), 2)
    assert [condition.branch_of(label) for label in ("a", "b", "c", "d", "e")] == [
        0,
        1,
        0,
        None,
        None,
    ]
    assert [condition.text(b) for b in (0, 1)] == ['site in {"a", "c"}', 'site in {"b"}']


def test_levels_are_limited_to_those_possible():
    condition = LevelsCondition(SITE, (0, 1, 0, 1), 2, possible=(2, 3))
    assert [condition.text(b) for b in (0, 1)] == ['site in {"c"}', 'site in {"d"}']


def test_a_cut_on_an_ordered_column_takes_and_names_levels():
    condition = CutCondition(STAGE, 0.5, strict=False)
    assert [condition.branch_of(label) for label in ("I", "II", "III", "IV")] == [0, 1, 1, None]
    assert [condition.text(b) for b in (0, 1)] == ['stage in {"I"}', 'stage in {"II", "III"}']


@given(value=st.floats(allow_nan=False), threshold=st.floats(-1e9, 1e9), strict=st.booleans())
def test_the_words_of_a_branch_hold_for_exactly_the_values_that_take_it(value, threshold, strict):
    condition = CutCondition(Feature("x", "numeric"), threshold, strict)
    holds = [eval(condition.text(branch), {"x": value}) for branch in (0, 1)]
    assert holds.index(True) == condition.branch_of(value)
    assert sum(holds) == 1


def test_a_leaf_has_no_condition():
    with pytest.raises(ParameterError, match="node 2 is a leaf"):
        condition_at(binary(), 2)
    assert binary().nodes[2].condition is None


def test_levels_possible_in_a_node_follow_from_its_path():
    tree = ordinal()
    assert tree.nodes[4].condition.codes(0) == (3, 4)
    assert possible_levels(tree, 5)[0].tolist() == [False, False, False, True, True, False]


def test_a_level_without_a_branch_stays_possible_where_the_missing_go():
    below = levels("site", {"a": leaf([1, 0]), "d": leaf([0, 1])})
    root = levels("site", {("a", "b"): below, "c": leaf([1, 1])}, missing=(1, 0))
    tree = build(root, [SITE], ["x", "y"])
    assert tree.nodes[1].condition.text(1) == 'site in {"d"}'
    assert possible_levels(tree, 1)[0].tolist() == [True, True, False, True]

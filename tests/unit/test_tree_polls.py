"""Rows that both branches of a node answer are found, and told where no single rule holds."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.tree.disputed_rules import disputed_rules
from clearwood.tree.polls import disputed_rows
from clearwood.tree.rules import way_text
from clearwood.tree.wording import short_number_text
from reference import witness_votes
from reference.random_trees import random_row
from reference.random_witnesses import random_verified_tree
from reference.verified_example import OBJECTS, worked_example

NAN = np.nan


def frame(*rows):
    return pd.DataFrame(rows, columns=["a0", "a1", "a2"], dtype=float)


def is_disputed(tree, row, node=0):
    """Whether a row is disputed at `node` or, coming from there, below it."""
    if tree.is_leaf[node]:
        return False
    main = witness_votes.main_branch(tree, node, row)
    places = range(tree.evaluation.start[node], tree.evaluation.start[node + 1])
    said = [witness_votes.says(tree, place, row) for place in places]
    if main is None or any(vote not in (None, main) for vote in said):
        return True
    return is_disputed(tree, row, int(tree.children(node)[main]))


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_disputed_are_the_rows_that_some_node_sends_to_both_branches(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=4)
    tree = random_verified_tree(rng, values)
    rows = [random_row(rng, values)[0] for _ in range(12)]
    names = [feature.name for feature in tree.features]
    table = pd.DataFrame(rows, columns=names, dtype=object)
    expected = [is_disputed(tree, row) for row in rows]
    assert disputed_rows(tree, table).tolist() == expected
    assert [text != "" for text in disputed_rules(tree, table)] == expected


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ((1, 10, 9), ""),
        ((7, 21, 4), ""),
        ((4, 19, 6), "disputed at a0 < 4.5: 1 of 2 witnesses agrees"),
        ((7, 10, 9), "disputed at a0 >= 4.5: neither witness agrees"),
        ((7, 10, NAN), "disputed at a0 >= 4.5: none of 2 witnesses agrees, 1 is missing"),
        ((NAN, 10, 9), "both branches asked at a0: its value is not known"),
        (
            (5, 13, 3),
            "a0 >= 4.5 and witnesses agree; disputed at a0 >= 4.5: 1 of 2 witnesses agrees",
        ),
    ],
)
@pytest.mark.parametrize("conflict", ["paper", "main", "probability"])
def test_the_first_dispute_stands_in_the_place_of_a_rule(row, rule, conflict):
    others = frame(*OBJECTS)
    table = pd.concat([others, frame(row)])
    assert disputed_rules(worked_example(conflict), table)[-1] == rule


def test_no_row_is_disputed_in_a_tree_without_witnesses():
    hard = worked_example().with_evaluation(None)
    assert disputed_rows(hard, frame(*OBJECTS)).tolist() == [False] * 8
    assert disputed_rules(hard, frame(*OBJECTS)).tolist() == [""] * 8


def test_a_way_that_no_value_fits_is_told_condition_by_condition():
    tree = worked_example()
    assert way_text(tree, 0) == ""
    assert way_text(tree, 2) == "a0 >= 4.5"
    assert way_text(tree, 3) == "a0 >= 4.5 and a0 < 4.5"


@pytest.mark.parametrize(
    ("value", "threshold", "text"),
    [
        (0.2762864162464414, 0.3893, "0.276286"),
        (116.2, 117.45, "116.2"),
        (1234567.891, 5.0, "1234568"),
        (250000, None, "250000"),
        (0.38930000000000003, 0.3893, "0.38930000000000003"),
        (0.389299971, 0.3893, "0.38929997"),
        (-1e-9, 0.0, "-1e-09"),
        (float("inf"), 1.0, "inf"),
    ],
)
def test_a_shortened_value_lies_on_its_side_of_the_threshold(value, threshold, text):
    assert short_number_text(value, threshold) == text


def test_path_shortens_values_unless_every_digit_is_asked_for():
    row = {"a0": 2.123456789, "a1": 20.0, "a2": 5.000000001}
    path = worked_example().path(row)
    assert path.text().startswith("a0 = 2.12346: a0 < 4.5; 1 of 2 witnesses agrees\n")
    assert "a2 = 5.000000001 (>= 5) speaks for a0 < 4.5" in path.text()
    assert path.text(digits=None).startswith("a0 = 2.123456789: ")


def test_path_indents_the_steps_of_each_side_below_its_condition():
    """At the root one witness each: averaged 2/3 to 1/3, where node 2 gives 2/3 of class 0."""
    path = worked_example("probability").path({"a0": 2.0, "a1": 20.0, "a2": 9.0})
    assert path.text() == (
        "a0 = 2: a0 < 4.5; 1 of 2 witnesses agrees\n"
        "    a2 = 9 (>= 5) speaks for a0 < 4.5\n"
        "    a1 = 20 (>= 12.5) speaks for a0 >= 4.5\n"
        "    both sides are asked\n"
        '    if a0 < 4.5 => "0" 1.00\n'
        "    if a0 >= 4.5:\n"
        "        a0 = 2: a0 < 4.5; 1 of 2 witnesses agrees\n"
        "            a2 = 9 (>= 5) speaks for a0 < 4.5\n"
        "            a1 = 20 (>= 19.5) speaks for a0 >= 4.5\n"
        "            both sides are asked\n"
        "            if a0 < 4.5:\n"
        "                a0 = 2: a0 < 4.5; both witnesses agree\n"
        '                => "0" 1.00\n'
        '            if a0 >= 4.5 => "1" 1.00\n'
        "            they say different classes and are averaged by the votes: "
        '"0" 0.67 * 1.00 + 0.33 * 0.00 = 0.67\n'
        '        => "0" 0.67\n'
        "    they say the same class and are averaged by the votes: "
        '"0" 0.67 * 1.00 + 0.33 * 0.67 = 0.89\n'
        '=> "0" 0.89'
    )


def test_path_of_an_unknown_value_is_averaged_by_training_weight_where_no_witness_knows():
    path = worked_example("probability").path({"a0": None, "a1": None, "a2": None})
    assert "are averaged by training weight: " in path.text()
    some = worked_example("probability").path({"a0": None, "a1": 10.0, "a2": None})
    assert "are averaged by votes and training weight: " in some.text()

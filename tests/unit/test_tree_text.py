"""What is printed is what is executed: text read back sends every row to the same leaf."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import ParameterError
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels
from clearwood.tree.wording import (
    level_text,
    name_text,
    number_text,
    share_text,
    unit_text,
    weight_text,
)
from golden.compare import assert_golden
from golden.trees import NASTY_COLUMN, NASTY_LEVELS, TREES, deep_chain, nasty_names
from reference import tree_text, tree_walk
from reference.random_trees import random_row, random_tree


def shares_by_text(tree, root, row):
    """Leaf shares by the printed tree, under the leaves' node ids."""
    leaves = [leaf.id for leaf in tree.leaves]
    return {leaves[at]: share for at, share in tree_text.leaf_shares(root, row).items()}


@pytest.mark.parametrize("name", TREES)
def test_text_of_a_hand_made_tree_is_unchanged(name):
    assert_golden(TREES[name]().to_text(max_nodes=60), "tree", f"{name}.txt")


def test_str_is_the_text():
    tree = nasty_names()
    assert str(tree) == tree.to_text()


@given(seed=st.integers(0, 2**32 - 1), power=st.integers(-6, 6))
def test_printed_tree_sends_rows_at_and_beside_every_cut_to_the_same_leaves(seed, power):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=8) * 10.0**power
    tree = random_tree(rng, values)
    root = tree_text.parse_text(tree.to_text(max_nodes=None, digits=None))
    for _ in range(20):
        row, coded = random_row(rng, values)
        assert shares_by_text(tree, root, row) == tree_walk.leaf_shares(tree, coded)


@given(seed=st.integers(0, 2**32 - 1))
def test_rounded_shares_do_not_change_where_known_values_go(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=8)
    tree = random_tree(rng, values)
    root = tree_text.parse_text(tree.to_text(max_nodes=None, digits=1))
    row, coded = random_row(rng, values)
    by_text = shares_by_text(tree, root, row)
    assert by_text.keys() == tree_walk.leaf_shares(tree, coded).keys()


@given(threshold=st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_number_reads_back_as_the_same_number(threshold):
    assert float(number_text(threshold)) == threshold


@pytest.mark.parametrize("label", NASTY_LEVELS)
def test_rows_with_awkward_levels_find_their_leaf_by_the_text(label):
    tree = nasty_names()
    root = tree_text.parse_text(tree.to_text(digits=None))
    for x in (1e-7, np.nextafter(1e-7, 1)):
        for ward in (0, 1, 2):
            row = {"code": label, NASTY_COLUMN: x, "ward": (3, 7, 11)[ward], "flag": True}
            coded = [NASTY_LEVELS.index(label), x, float(ward), 1]
            assert shares_by_text(tree, root, row) == tree_walk.leaf_shares(tree, coded)


@given(label=st.text(), name=st.text(min_size=1), unit=st.text())
def test_any_level_column_and_unit_read_back_from_one_line(label, name, unit):
    other = label + "x"
    features = [Feature(name, "nominal", (label, other), unit or None)]
    tree = build(levels(name, {label: leaf([1, 0]), other: leaf([0, 1])}), features, ["a", "b"])
    text = tree.to_text()
    assert text.count("\n") == 3
    root = tree_text.parse_text(text)
    assert [branch.column for branch in root.branches] == [name, name]
    assert tree_text.leaf_shares(root, {name: label}) == {0: 1.0}
    assert tree_text.leaf_shares(root, {name: other}) == {1: 1.0}


@given(names=st.lists(st.text(), min_size=2, max_size=2, unique=True))
def test_any_class_name_reads_back(names):
    tree = build(leaf([1, 3]), [], [0, 1], class_names=names)
    assert tree_text.parse_text(tree.to_text()).label == names[1]


def test_text_says_where_missing_values_go():
    tree = build(
        cut("ef", 35, leaf([3, 0]), cut("age", 60, leaf([1, 0]), leaf([0, 1]), missing=(0, 1))),
        [Feature("ef", "numeric"), Feature("age", "numeric")],
        ["a", "b"],
    )
    lines = tree.to_text().splitlines()
    assert lines[2].startswith("|   ef <= 35 or missing (0.60) => a")
    assert lines[3].startswith("|   ef > 35 or missing (0.40): n = 2")
    assert lines[4].startswith("|   |   age <= 60 => a")
    assert lines[5].startswith("|   |   age > 60 or missing => b")


def test_a_chain_of_2999_cuts_prints_some_hundred_lines_and_says_what_is_left_out():
    lines = deep_chain().to_text().splitlines()
    assert 199 <= len(lines) <= 215
    assert max(map(len, lines)) < 200
    assert lines[-1] == "(5800 of 5999 nodes are not shown; to_text(max_nodes=None) shows all)"
    assert lines[-2].endswith(" ... 5800 nodes below")


def test_a_chain_of_2999_cuts_prints_whole_and_reads_back():
    tree = deep_chain()
    text = tree.to_text(max_nodes=None, digits=None)
    root = tree_text.parse_text(text)
    for x in (0.5, 0.6, 1500.5, 2998.5, 2998.6):
        assert shares_by_text(tree, root, {"x": x}) == tree_walk.leaf_shares(tree, [x])


def test_max_depth_prints_nothing_below_it():
    text = TREES["ordinal"]().to_text(max_depth=1)
    assert text.splitlines()[2:] == [
        '|   dose in {"2", "5", "10"} mg or missing (0.44): n = 20; alive 0.65, dead 0.35'
        " ... 2 nodes below",
        '|   dose in {"25", "50", "100"} mg or missing (0.56): n = 25; alive 0.24, dead 0.76'
        " ... 4 nodes below",
        "(6 of 9 nodes are not shown; to_text(max_nodes=None) shows all)",
    ]


@pytest.mark.parametrize(("name", "value"), [("max_nodes", 0), ("max_depth", -1), ("digits", -1)])
def test_a_limit_below_its_least_value_is_refused(name, value):
    with pytest.raises(ParameterError, match=f"{name} must be at least"):
        TREES["binary"]().to_text(**{name: value})


def test_of_many_classes_the_most_probable_are_printed_and_the_rest_summed():
    tree = build(leaf([9, 1, 2, 3, 4, 5, 6, 1]), [], list("abcdefgh"))
    line = tree.to_text().splitlines()[1]
    assert line == (
        "all rows => a: n = 31; a 0.29, c 0.06, d 0.10, e 0.13, f 0.16, g 0.19, others 0.06"
    )


def test_an_ordered_column_names_the_levels_still_possible():
    stages = ("2", "5", "10", "25", "50", "100")
    root = cut("dose", "10", leaf([1, 0]), cut("dose", "50", leaf([0, 1]), leaf([1, 0])))
    tree = build(root, [Feature("dose", "ordinal", stages)], ["a", "b"])
    words = [line.split(" or missing")[0].strip("| ") for line in tree.to_text().splitlines()[2:]]
    assert words == [
        'dose in {"2", "5", "10"}',
        'dose in {"25", "50", "100"}',
        'dose in {"25", "50"}',
        'dose in {"100"}',
    ]


def test_shares_are_rounded_but_never_to_certainty():
    assert share_text(0.624) == "0.62"
    assert share_text(0.0) == "0.00"
    assert share_text(1.0) == "1.00"
    assert share_text(0.0004) == "0.0004"
    assert share_text(0.9996) == "0.9996"
    assert share_text(1 / 3, None) == "0.3333333333333333"


def test_weights_keep_the_digits_they_need():
    assert weight_text(24.56) == "24.56"
    assert weight_text(24.5) == "24.5"
    assert weight_text(166.00000000000003) == "166"
    assert weight_text(0.00123) == "0.0012"
    assert weight_text(0.0) == "0"


def test_numbers_names_and_units_are_written_bare_only_where_that_is_plain():
    assert [number_text(x) for x in (35.0, 62.5, 1e-7, 1e22, -0.0)] == [
        "35", "62.5", "1e-07", "1e+22", "0"
    ]  # fmt: skip
    assert [name_text(name) for name in ("ef", "sepal.length", "é", "max hr", "or", "1", "")] == [
        "ef", "sepal.length", "é", '"max hr"', '"or"', '"1"', '""'
    ]  # fmt: skip
    assert [unit_text(unit) for unit in ("%", "mL/min/1.73 m²", "or so", "a:b", None)] == [
        " %", " mL/min/1.73 m²", ' "or so"', ' "a:b"', ""
    ]  # fmt: skip
    labels = ("normal", 3, 3.0, 2.5, True, np.float64(4), 2**60 + 1, "\u202ea")
    assert [level_text(label) for label in labels] == [
        '"normal"', "3", "3", "2.5", "True", "4", "1152921504606846977", '"\\u202ea"'
    ]  # fmt: skip

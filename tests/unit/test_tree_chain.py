"""A chain as data: which trees are one, what is carved at each step, and in which words."""

import math

import numpy as np
import pytest

from clearwood.errors import ParameterError
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels
from clearwood.tree.chain import is_chain, is_falling, require_chain, shown_as_chain, steps
from golden.chains import CHAINS, falling, four_rules, long_rules, no_rule, one_rule
from golden.trees import TREES, binary, deep_chain, many_branches, ordinal

X = [Feature("x", "numeric"), Feature("y", "numeric")]
SEX = [Feature("sex", "nominal", ("f", "m"))]
SITES = [Feature("site", "nominal", ("A", "B", "3", 3, True, "of us"))]


def conditions(tree, **options):
    return [step.condition for step in steps(tree, **options)]


@pytest.mark.parametrize("name", CHAINS)
def test_a_spine_is_a_chain(name):
    assert is_chain(CHAINS[name]())


def test_a_tree_is_a_chain_however_it_was_grown():
    found = {name: is_chain(make()) for name, make in TREES.items()}
    assert found == {
        "one_leaf": True, "binary": True, "many_branches": False, "ordinal": False,
        "nasty_names": False, "deep_chain": True,
    }  # fmt: skip


def test_a_tree_that_is_no_chain_is_refused_with_its_node():
    with pytest.raises(ParameterError, match="node 0 has two that go on"):
        require_chain(ordinal())
    with pytest.raises(ParameterError, match="node 0 has 4 branches"):
        steps(many_branches())


def test_only_a_tree_that_says_so_is_shown_as_a_chain():
    assert shown_as_chain(four_rules(), "auto")
    assert not shown_as_chain(four_rules(), "tree")
    assert not shown_as_chain(binary(), "auto")
    assert shown_as_chain(binary(), "chain")
    with pytest.raises(ParameterError, match="must be a chain"):
        shown_as_chain(ordinal(), "chain")
    with pytest.raises(ParameterError, match="form must be one of 'auto', 'tree', 'chain', got 1"):
        shown_as_chain(binary(), 1)


def test_steps_name_the_carved_side():
    assert conditions(four_rules()) == [
        "heart_rate <= 90 bpm", "spo2 >= 96 %", 'ward in {"A", "B", "C"}', "lactate <= 4.05 mmol/L",
        "otherwise",
    ]  # fmt: skip


def test_steps_count_what_is_carved_and_what_remains():
    found = steps(four_rules())
    assert [step.carved.tolist() for step in found] == [
        [470, 10], [299, 14], [48, 5], [28, 6], [13, 20],
    ]  # fmt: skip
    assert [step.remaining.tolist() for step in found] == [
        [388, 45], [89, 31], [41, 26], [13, 20], [0, 0],
    ]  # fmt: skip
    assert [step.n_rows for step in found] == [480, 313, 53, 34, 33]
    assert [step.share_carved for step in found] == [480 / 913, 313 / 433, 53 / 120, 34 / 67, 1]
    assert {step.total for step in found} == {913}


def test_steps_know_their_nodes_and_the_name_that_pages_use():
    tree = four_rules()
    found = steps(tree)
    assert [step.rule for step in found] == ["step-1", "step-2", "step-3", "step-4", "step-5"]
    assert all(tree.is_leaf[step.leaf] for step in found)
    assert [tree.parent[step.leaf] for step in found[:-1]] == [step.node for step in found[:-1]]
    assert found[-1].node is None
    assert found[-1].is_otherwise
    assert sorted(step.leaf for step in found) == np.flatnonzero(tree.is_leaf).tolist()


def test_a_single_leaf_is_only_otherwise():
    (step,) = steps(no_rule())
    assert (step.condition, step.number, step.node, step.leaf) == ("otherwise", 1, None, 0)
    assert math.isnan(step.missing_carved)
    assert step.missing_text == ""


def test_of_two_leaves_the_one_with_the_lower_risk_is_carved():
    assert conditions(one_rule()) == ["systolic > 96 mmHg", "otherwise"]
    assert conditions(one_rule(), event="alive") == ["systolic <= 96 mmHg", "otherwise"]


def test_of_equal_risks_the_first_branch_is_carved():
    tree = build(cut("x", 1, leaf([5, 5]), leaf([7, 7])), X, ["no", "yes"])
    assert conditions(tree) == ["x <= 1", "otherwise"]


def test_a_falling_list_carves_the_higher_risk_to_its_end():
    assert is_falling(falling(), 1)
    assert not is_falling(four_rules(), 1)
    assert conditions(falling()) == ["x <= 1", "y <= 1", "z > 1", "otherwise"]


def test_a_chain_for_the_other_class_falls():
    assert is_falling(four_rules(), 0)
    assert conditions(four_rules(), event="alive") == conditions(four_rules())


def test_with_more_classes_the_first_of_two_leaves_is_carved():
    tree = build(cut("x", 1, leaf([0, 1, 9]), leaf([9, 0, 0])), X, ["a", "b", "c"])
    assert conditions(tree) == ["x <= 1", "otherwise"]
    assert conditions(tree, event="c") == ["x > 1", "otherwise"]


@pytest.mark.parametrize(
    ("carved", "rest", "words"),
    [
        (("A",), ("B", "3", 3, True, "of us"), "site is A"),
        (("B", "3", 3, True, "of us"), ("A",), "site is not A"),
        (("3",), ("A", "B", 3, True, "of us"), 'site is "3"'),
        ((3,), ("A", "B", "3", True, "of us"), "site is 3"),
        ((True,), ("A", "B", "3", 3, "of us"), "site is True"),
        (("of us",), ("A", "B", "3", 3, True), 'site is "of us"'),
        (("A", "B"), ("3", 3, True, "of us"), 'site in {"A", "B"}'),
        # "not A" would be wrong of a level that goes where the missing go
        (("B", "3", 3, "of us"), ("A",), 'site in {"B", "3", 3, "of us"}'),
    ],
)
def test_one_level_is_named_and_one_against_the_rest_is_negated(carved, rest, words):
    root = levels("site", {carved: leaf([9, 0]), rest: leaf([0, 9])})
    assert conditions(build(root, SITES, ["no", "yes"]))[0] == words


def test_of_two_levels_none_is_negated():
    root = levels("sex", {"m": leaf([9, 1]), "f": leaf([1, 9])})
    assert conditions(build(root, SEX, ["no", "yes"]))[0] == "sex is m"


def test_levels_that_were_carved_before_are_not_named_again():
    below = levels("site", {("B", "of us"): leaf([5, 2]), ("3", 3): leaf([1, 9])}, missing=(0, 1))
    root = levels("site", {"A": leaf([9, 0]), ("B", "3", 3, True, "of us"): below}, missing=(0, 1))
    sites = [Feature("site", "nominal", ("A", "B", "3", 3, True, "of us"))]
    found = conditions(build(root, sites, ["no", "yes"]))
    assert found[:2] == ["site is A", 'site in {"B", "of us"}']


def test_where_missing_values_go_is_said_in_words():
    assert {step.missing_text for step in steps(four_rules())[:-1]} == {
        "missing: stays in the chain"
    }
    assert [step.missing_text for step in steps(long_rules())] == [
        "missing: stays in the chain", "missing: carved too",
        "missing: 0.40 carved, the rest stays in the chain", "",
    ]  # fmt: skip


def test_a_very_long_chain_has_all_its_steps():
    found = steps(deep_chain())
    assert len(found) == 3000
    assert found[1999].condition == "x <= 1999.5"

"""A chain in words: a numbered list of rules."""

import pytest

from clearwood.errors import ParameterError
from clearwood.noise import Normal
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.chain_text import risk_text
from clearwood.tree.evaluation import Soft
from golden.chains import CHAINS, as_chain, falling, four_rules, long_rules, one_rule, twenty_rules
from golden.compare import assert_golden
from golden.trees import TREES, binary, ordinal

FOUR = """\
Decision chain: 4 rules, the first that holds gives the risk of dead
a missing value stays in the chain
1. if heart_rate <= 90 bpm:    risk  2.1 % (10 of 480)
2. if spo2 >= 96 %:            risk  4.5 % (14 of 313)
3. if ward in {"A", "B", "C"}: risk  9.4 % (5 of 53)
4. if lactate <= 4.05 mmol/L:  risk 18 %   (6 of 34)
otherwise:                     risk 61 %   (20 of 33)"""


@pytest.mark.parametrize("name", CHAINS)
def test_text_of_a_hand_made_chain_is_unchanged(name):
    assert_golden(CHAINS[name]().to_text(), "chain", f"{name}.txt")


def test_a_chain_is_printed_as_rules():
    assert four_rules().to_text() == FOUR
    assert str(four_rules()) == FOUR


def test_a_chain_can_be_printed_as_a_tree_and_a_spine_as_a_chain():
    assert four_rules().to_text(form="tree").startswith("Decision tree: 5 leaves, depth 4\n")
    assert binary().to_text().startswith("Decision tree: 3 leaves, depth 2\n")
    assert binary().to_text(form="chain").splitlines()[1].startswith("1. if ef >= 35 % [missing: ")


def test_other_trees_keep_their_form():
    for make in TREES.values():
        assert make().to_text().startswith("Decision tree: ")


def test_a_tree_that_is_no_chain_is_refused():
    with pytest.raises(ParameterError, match="the tree must be a chain"):
        ordinal().to_text(form="chain")


def test_one_rule_and_none_have_their_own_head():
    assert one_rule().to_text().splitlines() == [
        "Decision chain: 1 rule gives the risk of dead",
        "a missing value stays in the chain",
        "1. if systolic > 96 mmHg: risk  2.1 % (10 of 480)",
        "otherwise:                risk 61 %   (20 of 33)",
    ]
    assert CHAINS["no_rule"]().to_text().splitlines()[1] == "always: risk 2.1 % (10 of 480)"


def test_a_falling_list_reads_from_the_highest_risk_down():
    lines = falling().to_text().splitlines()
    assert [line.split("risk ")[1] for line in lines if "(" in line] == [
        "91 %   (30 of 33)", "25 %   (10 of 40)", "14 %   (5 of 35)", " 0.3 % (3 of 903)",
    ]  # fmt: skip


def test_numbers_of_rules_stand_below_one_another():
    lines = twenty_rules().to_text().splitlines()
    assert lines[2].startswith(" 1. if site is north:")
    assert lines[11].startswith("10. if x9 <= ")


def test_a_long_rule_has_its_risk_on_the_next_line():
    lines = long_rules().to_text().splitlines()
    assert lines[1].endswith("[missing: stays in the chain]:")
    assert lines[2].strip() == "risk  1.3 % (12 of 912)"


def test_rules_beyond_the_limit_are_left_out_and_counted():
    lines = twenty_rules().to_text(max_depth=2).splitlines()
    assert [line[:6] for line in lines[2:]] == [" 1. if", " 2. if", "(18 ru", "otherw"]
    assert four_rules().to_text(max_nodes=5).splitlines()[4] == (
        "(2 rules are not shown; to_text(max_nodes=None) shows all)"
    )


def test_digits_say_how_exact_risk_and_weight_are():
    line = four_rules().to_text(digits=4).splitlines()[2]
    assert line.endswith("risk  2.083 % (10 of 480)")
    line = four_rules().to_text(digits=None).splitlines()[2]
    assert line.endswith("risk  2.0833333333333332 % (10 of 480)")


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"), (0.0001, "<0.1 %"), (0.0208, "2.1 %"), (0.0994, "9.9 %"), (0.0996, "10 %"),
        (0.61, "61 %"), (0.999, ">99 %"), (1, "100 %"),
    ],
)  # fmt: skip
def test_a_risk_is_never_rounded_to_certainty(share, text):
    assert risk_text(share) == text


def test_more_than_two_classes_are_told_in_full():
    root = cut("x", 1, leaf([8, 1, 1]), leaf([0, 5, 5]))
    tree = as_chain(root, [Feature("x", "numeric")], ["a", "b", "c"])
    assert tree.to_text().splitlines()[-1].endswith("=> b: n = 10; a 0.00, b 0.50, c 0.50")


def test_a_soft_chain_says_its_noise_and_bands():
    root = cut("x", 10, leaf([9, 1]), leaf([1, 9]), missing=(0, 1))
    soft = build(root, [Feature("x", "numeric")], ["no", "yes"]).with_evaluation(
        Soft((Normal(sd=2.0),))
    )
    lines = soft.to_text(form="chain").splitlines()
    assert lines[1].startswith("values are read with noise")
    assert lines[-2] == "1. if x <= 10 [8 to 12]: risk 10 % (1 of 10)"

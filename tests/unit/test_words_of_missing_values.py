"""Where all missing values go one way, rules and paths say so; none is told as measured."""

import pytest

from clearwood.metrics import risk_table
from clearwood.report.page import page
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels
from clearwood.tree.rules import Interval, LevelSet, way_text
from golden.chains import STAYS_FIRST, STAYS_SECOND, as_chain, four_rules, long_rules
from golden.trees import binary
from unit.test_report_page import Reader

EF = Feature("ef", "numeric", unit="%")
AGE = Feature("age", "numeric")
NOTHING = {"heart_rate": None, "spo2": None, "ward": None, "lactate": None}


def asked_twice(second):
    """``ef`` above 35, then above 50; the first sends missing values on, `second` says the rest."""
    below = cut("ef", 50, leaf([3, 1]), leaf([2, 2]), missing=second)
    return build(cut("ef", 35, leaf([9, 1]), below, missing=STAYS_SECOND), [EF], ["well", "ill"])


def test_the_branch_that_takes_all_missing_values_says_so():
    tree = build(cut("ef", 35, leaf([2, 8]), leaf([9, 1]), missing=STAYS_SECOND), [EF], ["a", "b"])
    assert [rule.text() for rule in tree.rules()] == [
        "if ef <= 35 % then b 0.80 (n = 10)",
        "if ef > 35 % or missing then a 0.90 (n = 10)",
    ]


def test_among_others_a_condition_with_missing_values_stands_in_brackets():
    assert [rule.conditions for rule in four_rules().rules()] == [
        "heart_rate <= 90 bpm",
        "(heart_rate > 90 bpm or missing) and (spo2 < 96 % or missing) and "
        '(ward in {"ED", "ICU"} or missing) and lactate <= 4.05 mmol/L',
        "(heart_rate > 90 bpm or missing) and (spo2 < 96 % or missing) and "
        '(ward in {"ED", "ICU"} or missing) and (lactate > 4.05 mmol/L or missing)',
        '(heart_rate > 90 bpm or missing) and (spo2 < 96 % or missing) and ward in {"A", "B", "C"}',
        "(heart_rate > 90 bpm or missing) and spo2 >= 96 %",
    ]


@pytest.mark.parametrize(
    ("second", "found"),
    [
        (STAYS_SECOND, ["ef <= 35 %", "35 < ef <= 50 %", "ef > 50 % or missing"]),
        (STAYS_FIRST, ["ef <= 35 %", "35 < ef <= 50 % or missing", "ef > 50 %"]),
        (None, ["ef <= 35 %", "35 < ef <= 50 %", "ef > 50 %"]),
    ],
)
def test_merged_conditions_keep_missing_values_as_long_as_they_go_one_way(second, found):
    assert [rule.conditions for rule in asked_twice(second).rules()] == found


def test_where_missing_values_are_divided_no_rule_claims_them():
    root = cut("ef", 35, leaf([2, 8]), leaf([9, 1]), missing=(0.4, 0.6))
    tree = build(root, [EF], ["a", "b"])
    assert [rule.conditions for rule in tree.rules()] == ["ef <= 35 %", "ef > 35 %"]


def test_only_missing_values_may_be_left():
    below = cut("ef", 20, leaf([3, 1]), leaf([2, 2]), missing=STAYS_FIRST)
    tree = build(cut("ef", 35, leaf([9, 1]), below, missing=STAYS_SECOND), [EF], ["a", "b"])
    assert [rule.conditions for rule in tree.rules()] == [
        "ef <= 35 %",
        "ef is missing",
        "ef > 35 %",
    ]
    assert way_text(tree, 3) == "ef is missing"


def test_a_restriction_holds_for_missing_values_where_they_are_meant():
    known = Interval(EF, lower=35)
    assert (known.holds(None), known.holds(40), known.is_empty) == (False, True, False)
    either = Interval(EF, lower=35, or_missing=True)
    assert (either.holds(None), either.holds(40), either.holds(30)) == (True, True, False)
    ward = Feature("ward", "nominal", ("A", "B"))
    none = LevelSet(ward, (), or_missing=True)
    assert (none.holds(None), none.holds("A"), none.is_empty) == (True, False, False)
    assert (none.text(), LevelSet(ward, ()).is_empty) == ("ward is missing", True)


@pytest.mark.parametrize("make", [four_rules, long_rules, binary, lambda: asked_twice(None)])
def test_rules_of_a_row_without_values_are_those_of_its_leaves(make):
    tree = make()
    row = {feature.name: None for feature in tree.features}
    reached = dict(tree.path(row).leaves)
    for rule in tree.rules():
        if all(part.holds(None) for part in rule.restrictions):
            assert reached == {rule.leaf: 1.0}


def test_the_risk_table_says_which_rows_a_stratum_has():
    last = risk_table(four_rules()).strata[0]
    assert last.rule == "otherwise"
    assert last.conditions.endswith("(lactate > 4.05 mmol/L or missing)")


def test_a_missing_value_stays_in_the_chain_on_its_path():
    assert four_rules().path(NOTHING).text().splitlines() == [
        "heart_rate is missing: stays in the chain",
        "spo2 is missing: stays in the chain",
        "ward is missing: stays in the chain",
        "lactate is missing: stays in the chain",
        "=> dead 0.61",
    ]


def test_an_unknown_level_is_named_and_stays_in_the_chain_too():
    row = {**NOTHING, "heart_rate": 120, "ward": "attic"}
    assert four_rules().path(row).text().splitlines()[:3] == [
        "heart_rate = 120 bpm: heart_rate > 90 bpm",
        "spo2 is missing: stays in the chain",
        'ward = "attic", not known: stays in the chain',
    ]


def test_a_missing_value_that_is_carved_is_told_so():
    root = levels("ward", {"A": leaf([9, 1]), "B": leaf([2, 8])}, missing=STAYS_FIRST)
    ward = [Feature("ward", "nominal", ("A", "B"))]
    assert as_chain(root, ward).path({"ward": None}).text().splitlines() == [
        "ward is missing: is carved",
        "=> alive 0.90",
    ]
    tree = build(root, ward, ["a", "b"])
    assert tree.path({"ward": None}).text().startswith('ward = missing: ward in {"A"} or missing\n')


def test_a_tree_says_on_a_path_that_missing_values_go_there():
    tree = asked_twice(STAYS_SECOND)
    assert tree.path({"ef": None}).text().splitlines() == [
        "ef = missing: ef > 35 % or missing",
        "ef = missing: ef > 50 % or missing",
        "=> well 0.50",
    ]
    assert tree.path({"ef": 40}).text().splitlines()[0] == "ef = 40 %: ef > 35 %"


def test_the_picture_of_a_chain_says_that_no_counts_missing_values():
    svg = four_rules().to_svg()
    assert "“No” counts the rows whose value is missing too." in svg
    assert "Rows whose value is missing are counted where they go." in long_rules().to_svg()


def test_a_page_puts_missing_values_into_its_rules():
    inner = cut("age", 60, leaf([1, 4]), leaf([3, 3]), missing=STAYS_FIRST)
    root = cut("ef", 35, leaf([9, 1]), inner, missing=STAYS_SECOND)
    words = Reader(page(build(root, [EF, AGE], ["a", "b"]), title="t"))
    rules = [row[-1] for row in words.rows[1:4]]
    assert rules[0] == "(ef > 35 % or missing) and (age <= 60 or missing)"
    told = "Where (ef > 35 % or missing) and age is missing, the row goes as if age <= 60."
    assert told in " ".join(words.words)

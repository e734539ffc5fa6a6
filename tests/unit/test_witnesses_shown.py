"""Text, rules, picture and page of a tree tell of its witnesses, and of no tree without."""

import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from clearwood.errors import ParameterError
from clearwood.report import page
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.witnesses import Witness, Witnesses
from reference import svg_boxes
from reference.random_witnesses import CONFLICTS, random_verified_tree
from reference.svg_boxes import text_boxes
from reference.verified_example import worked_example
from unit.test_drawing_svg import assert_nothing_overlaps
from unit.test_report_page import Reader

SVG = "{http://www.w3.org/2000/svg}"
HEART = (
    Feature("chol", "numeric", unit="mg/dL"),
    Feature("sbp", "numeric", unit="mmHg"),
    Feature("sex", "nominal", ("f", "m")),
)


def heart(conflict="paper"):
    root = cut("chol", 240, leaf([9, 1]), cut("sbp", 150, leaf([3, 2]), leaf([0, 4])), strict=True)
    tree = build(root, HEART, ["well", "ill"])
    witnesses = [
        Witness.below(HEART[1], 139.5, agreement=0.968),
        Witness.equal(HEART[2], 1, is_reversed=True, agreement=0.93),
    ]
    return tree.with_evaluation(Witnesses.of(tree, {0: witnesses}, conflict))


def test_text_lists_the_witnesses_below_their_node_the_way_round_of_the_first_branch():
    lines = worked_example().to_text().splitlines()
    assert lines[4] == "|   confirmed by: a2 >= 5 (100 %), a1 < 12.5 (75 %)"
    assert lines[5].startswith("|   a0 < 4.5")
    assert lines[7] == "|   |   confirmed by: a2 >= 5 (100 %), a1 < 19.5 (75 %)"
    assert sum("confirmed by" in line for line in lines) == 3


def test_text_names_units_and_levels_and_on_demand_the_whole_agreement():
    assert '\n|   confirmed by: sbp < 139.5 mmHg (97 %), sex in {"f"} (93 %)\n' in heart().to_text()
    assert "sbp < 139.5 mmHg (0.968)" in heart().to_text(digits=None)


@pytest.mark.parametrize(
    ("conflict", "words"),
    [
        ("paper", "the witnesses vote; answers of the same class are averaged by the votes"),
        (
            "main",
            "condition and witnesses vote; answers of the same class are averaged by the votes",
        ),
        ("probability", "both branches answer, averaged by the votes"),
    ],
)
def test_text_says_how_a_dispute_is_decided(conflict, words):
    second, third = heart(conflict).to_text().splitlines()[1:3]
    assert second.startswith("witnesses confirm the first branch of a condition")
    assert third.endswith(words)


def test_text_of_a_node_that_is_not_opened_lists_no_witnesses():
    assert "confirmed by" not in heart().to_text(max_depth=0)


def test_deep_nodes_list_their_witnesses_in_their_section():
    features = (Feature("x", "numeric"), Feature("y", "numeric"))
    root = leaf([1, 0])
    for threshold in range(25):
        root = cut("x", threshold, leaf([0, 1]), root, strict=True)
    tree = build(root, features, ["a", "b"])
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    witnesses = {node: [Witness.below(features[1], node + 0.5)] for node in inner}
    lines = tree.with_evaluation(Witnesses.of(tree, witnesses)).to_text().splitlines()
    assert sum("confirmed by" in line for line in lines) == 25
    assert lines[lines.index("[S1]") + 1].startswith("|   confirmed by: y < ")


def test_rules_hold_where_witnesses_agree():
    assert [str(rule) for rule in heart().rules()] == [
        "if chol < 240 mg/dL and witnesses agree then well 0.90 (n = 10)",
        "if chol >= 240 mg/dL and sbp <= 150 mmHg and witnesses agree then well 0.60 (n = 5)",
        "if chol >= 240 mg/dL and sbp > 150 mmHg and witnesses agree then ill 1.00 (n = 4)",
    ]


def test_a_rule_that_no_value_fits_is_told_to_be_for_disagreement():
    rules = worked_example().rules()
    assert [rule.witnesses for rule in rules] == ["agree", "disagree", "disagree", "agree"]
    assert str(rules[1]) == 'if witnesses disagree then "0" 1.00 (n = 1)'
    assert rules[1].restrictions[0].is_empty


def test_rules_of_a_tree_without_witnesses_speak_of_none():
    assert {rule.witnesses for rule in heart().with_evaluation(None).rules()} == {None}
    assert "witness" not in heart().with_evaluation(None).to_text()
    assert "witness" not in heart().with_evaluation(None).to_svg()


def titles(svg):
    """What pointing at each text shows, by the text."""
    root = ElementTree.fromstring(svg)
    return {
        "".join(text.itertext()).removeprefix(title.text): title.text
        for text in root.iter(f"{SVG}text")
        if (title := text.find(f"{SVG}title")) is not None
    }


def words(svg, group=1):
    """The texts of the key (0), the tree (1) or the notes below it (2)."""
    drawn = ElementTree.fromstring(svg).findall(f"{SVG}g")[group]
    return [
        "".join(text.itertext()).removeprefix(title.text if title is not None else "")
        for text in drawn.iter(f"{SVG}text")
        for title in [text.find(f"{SVG}title")]
    ]


def test_picture_of_a_small_tree_names_the_witnesses_on_the_card():
    svg = heart().to_svg()
    assert [line for line in words(svg) if line.startswith("+")] == [
        "+ sbp < 139.5 mmHg (97 %)", '+ sex in {"f"} (93 %)',
    ]  # fmt: skip
    assert titles(svg)['+ sex in {"f"} (93 %)'] == (
        'The first branch is confirmed by:\nsbp < 139.5 mmHg (97 %)\nsex in {"f"} (93 %)'
    )
    assert "+ witnesses: other columns that confirm the first branch" in words(svg, 0)
    assert_nothing_overlaps(svg)


def test_a_card_names_three_lines_of_witnesses_at_most():
    features = [Feature(name, "numeric") for name in "abcde"]
    tree = build(cut("a", 1, leaf([1, 0]), leaf([0, 1])), features, ["n", "y"])
    witnesses = [Witness.below(feature, 2, agreement=0.9) for feature in features[1:]]
    svg = tree.with_evaluation(Witnesses.of(tree, {0: witnesses})).to_svg()
    shown = [line for line in words(svg) if line.startswith("+")]
    assert shown == ["+ b < 2 (90 %)", "+ c < 2 (90 %)", "+ 2 more"]


def nine_leaves(n_witnesses=2):
    """Cuts of x at 0 … 7, each confirmed by as many of y, z, u, with agreements of 90 %."""
    features = [Feature(name, "numeric") for name in "xyzu"]
    root = leaf([1, 0])
    for threshold in range(8):
        root = cut("x", threshold, leaf([0, 1]), root, strict=True)
    tree = build(root, features, ["n", "y"])
    listed = [Witness.below(f, 2.5, agreement=0.9) for f in features[1 : 1 + n_witnesses]]
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    return tree.with_evaluation(Witnesses.of(tree, dict.fromkeys(inner, listed)))


def test_picture_of_a_larger_tree_names_the_witnesses_in_numbered_notes_below():
    svg = nine_leaves().to_svg()
    assert [line for line in words(svg) if line.startswith("+")] == [
        f"+ 2 witnesses: note {number}" for number in range(1, 9)
    ]
    notes = words(svg, 2)
    assert notes[0] == "Witnesses of the first branches, with their agreement:"
    assert notes[1:5] == [
        "1", "x < 7: y < 2.5 (90\u00a0%), z < 2.5 (90\u00a0%)",
        "2", "x < 6: y < 2.5 (90\u00a0%), z < 2.5 (90\u00a0%)",
    ]  # fmt: skip
    assert notes[-2] == "8"
    assert "+ 1 witness: note 1" in words(nine_leaves(1).to_svg())


@pytest.mark.parametrize("n_witnesses", [1, 3])
def test_notes_lie_inside_the_picture_and_apart(n_witnesses):
    svg = nine_leaves(n_witnesses).to_svg()
    assert_nothing_overlaps(svg)
    root = ElementTree.fromstring(svg)
    group = root.findall(f"{SVG}g")[2]
    x, y = map(float, re.findall(r"[\d.]+", group.get("transform")))
    boxes = text_boxes(group)
    width, height = svg_boxes.size(root)
    assert all(x + box.right <= width and y + box.bottom <= height for box in boxes)
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    (_, tree_y), tree = svg_boxes.offset(root), root.findall(f"{SVG}g")[1]
    lowest = max(svg_boxes.card_box(card).bottom for card in svg_boxes.groups(root)[0])
    assert len(tree) > 0
    assert tree_y + lowest <= y


def test_key_says_what_a_dispute_comes_to_and_why_counts_add_up_to_more():
    tree = worked_example()
    copied = replace(tree, n_rows=np.array([8, *tree.n_rows[1:]]))  # 4 + 5 below 8 objects
    key = " ".join(words(copied.to_svg(), 0))
    assert "both branches answer: if they name different classes, the witnesses vote" in key
    assert (
        "Training rows where witnesses disagreed or the value was missing count in both branches, "
        "so that their n add up to more."
    ) in key
    assert "add up to more" not in " ".join(words(heart().to_svg(), 0))  # 10 + 9 of 19


def test_branches_of_a_picture_send_no_missing_value_anywhere():
    assert " or missing (" not in heart().to_svg()
    assert " or missing (" in heart().with_evaluation(None).to_svg()


def without_witnesses(conflict="paper"):
    """RS-C: 2 of 10 rows had no x, and are in both branches."""
    tree = build(cut("x", 1, leaf([5, 1]), leaf([2, 4])), [Feature("x", "numeric")], ["n", "y"])
    masses = tree.masses.copy()
    masses[0] = [6, 4]
    n_rows = np.array([10, 6, 6])
    copied = replace(tree, masses=masses, n_rows=n_rows)
    return copied.with_evaluation(Witnesses.of(copied, {}, conflict))


def test_nothing_speaks_of_witnesses_where_there_are_none():
    tree = without_witnesses()
    assert tree.to_text().splitlines()[1:3] == [
        "where the value of a condition is missing, both branches answer: of different classes "
        "that of more training weight counts, answers of the same class are averaged by it",
        "training rows where the value was missing count in both branches, so that their n add up "
        "to more",
    ]
    mean = without_witnesses("probability").to_text().splitlines()[1]
    assert mean.endswith("both branches answer, averaged by their training weight")
    for told in (tree.to_text(), tree.to_svg()):
        assert "witness" not in told
    body = page(tree, title="t").split("<h2>Where this comes from")[0].split("<main>")[1]
    assert "witness" not in body
    assert "the branch with more of the training weight counts" in body
    assert "whose value was missing was copied to both branches" in body


@pytest.mark.parametrize("seed", range(8))
def test_nothing_overlaps_in_pictures_of_random_trees(seed):
    rng = np.random.default_rng(seed)
    tree = random_verified_tree(rng, rng.normal(size=8), n_inner=8)
    assert_nothing_overlaps(tree.to_svg(max_depth=3))


def test_picture_shares_out_no_missing_value():
    svg = heart().to_svg()
    assert "shared out by the widths" not in svg
    assert "where a missing value goes" not in svg


def test_a_tree_with_witnesses_is_shown_as_no_chain():
    with pytest.raises(ParameterError, match="a tree with witnesses is no chain"):
        heart().to_text(form="chain")


def test_page_has_a_table_of_conditions_and_witnesses():
    reader = Reader(page(heart(), title="Heart"))
    start = reader.rows.index(["Where", "Condition of the first branch", "Witness", "Agreement"])
    assert reader.rows[start + 1 : start + 4] == [
        ["all rows", "chol < 240 mg/dL", "sbp < 139.5 mmHg", "97 %"],
        ['sex in {"f"}', "93 %"],
        ["chol >= 240 mg/dL", "sbp <= 150 mmHg", "none", "–"],
    ]


@pytest.mark.parametrize(
    ("conflict", "words"),
    [
        ("paper", "the branch for which more witnesses speak counts, and at a tie the second;"),
        ("main", "the condition and its witnesses vote, and at a tie the condition decides;"),
        (
            "probability",
            "their risks are averaged by the votes of the condition and its witnesses.",
        ),
    ],
)
def test_page_says_how_to_read_witnesses(conflict, words):
    content = page(heart(conflict), title="Heart")
    assert words in content
    assert "A rule holds where the witnesses of its conditions agree with them" in content
    assert "A witness whose value is missing has no vote." in content
    assert "is split over the branches" not in content


def test_page_names_witnesses_among_the_columns_looked_at():
    assert "chol, sbp, sex (3 of 3 given)" in page(heart(), title="Heart")
    assert "chol, sbp (2 of 3 given)" in page(heart().with_evaluation(None), title="Heart")


@pytest.mark.parametrize("conflict", CONFLICTS)
def test_page_of_rules_that_no_value_fits_says_so(conflict):
    reader = Reader(page(worked_example(conflict), title="Example"))
    rules = [row[-1] for row in reader.rows if len(row) == 6][1:]
    assert rules.count("witnesses disagree") == 2

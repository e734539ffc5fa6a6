"""One row in pictures and on the page: what is lit, what is said where, and that it adds up."""

import re

import numpy as np
import pandas as pd
import pytest

from clearwood.errors import ColumnNotFound
from clearwood.noise import Normal
from clearwood.report import page
from clearwood.report.linked_page import chain_page
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.drawing.lit import lit_row
from clearwood.tree.drawing.lit_marks import LIT, way_line
from clearwood.tree.evaluation import Ramps, Soft
from golden.chains import four_rules
from golden.compare import assert_golden
from golden.trees import deep_chain, many_branches
from reference.svg_boxes import SVG, groups, parse, text_box, text_boxes
from reference.verified_example import OBJECTS, worked_example
from unit.test_drawing_chain import assert_nothing_overlaps as assert_chain_fits
from unit.test_drawing_svg import assert_nothing_overlaps

FEATURES = [Feature("ef", "numeric", unit="%"), Feature("age", "numeric", unit="years")]
DIVIDED = {"ef": None, "age": 70}
WHOLE = {"ef": 30, "age": 70}
ANSWER = "This row: disease 96 %, healthy 4 %"  # 23 of 24
ROWS = {"whole": WHOLE, "divided": DIVIDED, "all_missing": {"ef": None, "age": None}}
CHAIN_ROW = {"heart_rate": 92, "spo2": 96, "ward": "A", "lactate": None}


def patients():
    young_or_old = cut("age", 62.5, leaf([3, 9]), leaf([1, 23]), missing=(0, 1))
    root = cut("ef", 35, young_or_old, leaf([52, 2]), strict=True)
    return build(root, FEATURES, ["healthy", "disease"])


def soft_chain():
    return four_rules().with_evaluation(Soft((Normal(sd=5), Normal(sd=1), None, None)))


def named(row):
    return dict(zip(("a0", "a1", "a2"), row, strict=True))


def words(group):
    return [text.text.replace("\u00a0", " ") for text in text_boxes(group)]


def lit_words(svg):
    """Every text in the colour of the row, in order."""
    return [text_box(text).text for text in parse(svg).iter(f"{SVG}text")
            if text.get("fill") == LIT]  # fmt: skip


def shown_as(svg):
    """For each card and branch whether it is lit or faded."""
    cards, branches = groups(parse(svg))
    return [card.get("class") for card in cards], [branch.get("class") for branch in branches]


def test_the_row_is_lit_and_everything_else_faded():
    cards, branches = shown_as(patients().to_svg(row=WHOLE))
    assert cards == ["lit", "lit", "faded", "lit", "faded"]
    assert sorted(branches) == ["faded", "faded", "lit", "lit"]


def test_cards_say_the_value_and_where_the_row_ends():
    cards, _ = groups(parse(patients().to_svg(row=WHOLE)))
    assert words(cards[0])[-1] == "this row: 30 %"
    assert words(cards[1])[-1] == "this row: 70 years"
    assert words(cards[3])[-1] == "this row ends here"
    assert not any("row" in word for word in words(cards[2]) + words(cards[4]))


def test_the_answer_stands_below_the_title_and_in_the_spoken_title():
    root = parse(patients().to_svg(row=WHOLE, title="Who is ill?"))
    assert words(root.findall(f"{SVG}g")[0])[:2] == [
        "Who is ill?",
        ANSWER,
    ]
    assert root.find(f"{SVG}title").text == f"Who is ill?. {ANSWER}"
    assert root.find(f"{SVG}desc").text == f"This row:\n{patients().path(WHOLE).text()}"


def test_a_divided_row_is_told_in_parts_that_add_up():
    svg = patients().to_svg(row=DIVIDED)
    cards, branches = groups(parse(svg))
    assert words(cards[0])[-2:] == ["this row: missing", "shared out over the branches"]
    told = {words(branch)[-1] for branch in branches if branch.get("class") == "lit"}
    assert told == {"40 % of the row", "60 % of the row"}  # 36 and 54 of 90
    assert [words(card)[-1] for card in (cards[3], cards[4])] == [
        "40 % of the row ends here", "60 % of the row ends here"
    ]  # fmt: skip


def test_part_and_whole_differ_without_colour():
    whole, part, none = (way_line("M0,0", share) for share in (1.0, 0.5, 0.0))
    assert "dasharray" not in whole
    assert 'stroke-dasharray="7 7"' in part
    assert 'stroke-dasharray="2 4"' in none
    width = [float(re.search(r'width="([\d.]+)"', line)[1]) for line in (whole, part, none)]
    assert width == [4.0, 2.8, 2.0]


def test_a_series_is_called_by_its_name():
    assert lit_row(patients(), pd.Series(WHOLE, name=17)).answer.startswith("Row 17: disease")
    assert lit_row(patients(), pd.Series(WHOLE, name="J. Doe")).name == "Row J. Doe"
    assert lit_row(patients(), pd.Series(WHOLE)).name == "This row"
    assert lit_row(patients(), np.array([30.0, 70.0])).name == "This row"


def test_noise_divides_and_the_value_lies_on_its_band():
    tree = patients().with_evaluation(Soft((Normal(sd=5), None)))
    cards, _ = groups(parse(tree.to_svg(row=WHOLE)))
    assert words(cards[0])[-2:] == ["this row: 30 %", "divided by its noise"]
    dot = cards[0].find(f"{SVG}circle")
    band, tick = cards[0].findall(f"{SVG}rect")[-1], cards[0].findall(f"{SVG}path")[-1]
    assert float(dot.get("cx")) == pytest.approx(float(band.get("x")), abs=0.11)  # one sd below
    assert tick is not None
    assert "84 % of the row" in lit_words(tree.to_svg(row=WHOLE))


def test_a_ramp_divides():
    tree = patients()
    lower, upper = tree.threshold.copy(), tree.threshold.copy()
    lower[0], upper[0] = 30, 40
    soft = tree.with_evaluation(Ramps(lower, upper))
    cards, _ = groups(parse(soft.to_svg(row={"ef": 35, "age": 70})))
    assert "divided by the ramp" in words(cards[0])


def test_witnesses_say_what_they_see_and_the_outvoted_branch_is_dotted():
    tree = worked_example("paper")
    svg = tree.to_svg(row=named((1, 20, 9)))
    cards, branches = groups(parse(svg))
    said = " ".join(words(cards[0]))
    assert "this row: 1 1 of 2 witnesses agrees + a2 = 9 (>= 5): agrees" in said
    assert "+ a1 = 20 (>= 12.5): disagrees both branches are asked: 1 vote each, a tie" in said
    says = [word for branch in branches for word in words(branch) if word.startswith("says")]
    assert len(says) == 4  # of two conditions, each asked both ways
    assert svg.count('stroke-dasharray="2 4"') == 3  # two branches, and the key
    assert "asked, but outvoted" in svg
    assert [card.get("class") for card in cards[:3]] == ["lit", "faded", "lit"]


def test_the_ways_of_an_averaged_dispute_say_their_parts():
    tree = worked_example("probability")
    row = named(OBJECTS[3])
    step = tree.path(row).steps[0]
    shares = sorted(branch.share for branch in step.branches)
    told = lit_words(tree.to_svg(row=row))
    assert [f"{100 * share:.0f} % of the row" in told for share in shares] == [True, True]


def test_a_tree_of_many_branches_says_what_is_unknown():
    tree = many_branches()
    name = tree.features[tree.column[0]].name
    row = dict.fromkeys([feature.name for feature in tree.features]) | {name: "never seen"}
    assert "this row: never seen, which is unknown" in lit_words(tree.to_svg(row=row))


def test_the_way_is_drawn_beyond_the_limits():
    cards, _ = groups(parse(patients().to_svg(row=WHOLE, max_depth=0)))
    assert len(cards) == 5
    assert len(groups(parse(patients().to_svg(max_depth=0)))[0]) == 1
    tree = deep_chain()
    row = {feature.name: 1e9 for feature in tree.features}
    assert len(groups(parse(tree.to_svg(row=row, max_nodes=20)))[0]) <= 2 * 20 + 25


def test_a_small_part_lights_nothing():
    root = cut("x", 0, leaf([1, 0]), leaf([0, 1]))
    tree = build(root, [Feature("x", "numeric")], ["a", "b"])
    soft = tree.with_evaluation(Soft((Normal(sd=1),)))
    assert shown_as(soft.to_svg(row={"x": 3.0}))[0] == ["lit", "faded", "lit"]  # 0.1 %
    assert shown_as(soft.to_svg(row={"x": 2.0}))[0] == ["lit", "lit", "lit"]  # 2.3 %
    assert ">99 % of the row" in lit_words(soft.to_svg(row={"x": 3.0}))


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_nothing_overlaps_where_a_row_is_lit(row):
    assert_nothing_overlaps(patients().to_svg(row=row))
    assert_nothing_overlaps(patients().with_evaluation(Soft((Normal(sd=5), None))).to_svg(row=row))


@pytest.mark.parametrize("conflict", ["paper", "main", "probability"])
@pytest.mark.parametrize("row", [*OBJECTS, (None, 10, 9), (None, None, None)])
def test_nothing_overlaps_where_witnesses_are_heard(conflict, row):
    assert_nothing_overlaps(worked_example(conflict).to_svg(row=named(row)))


def test_nothing_overlaps_in_a_lit_chain_and_its_pyramid():
    assert_chain_fits(soft_chain().to_svg(row=CHAIN_ROW))
    assert_chain_fits(soft_chain().to_pyramid(row=CHAIN_ROW))


def test_a_lit_picture_is_unchanged():
    assert_golden(patients().to_svg(row=DIVIDED), "tree", "patients_row.svg")


def test_a_picture_and_its_lit_twin_share_no_id():
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (
        patients().to_svg(), patients().to_svg(row=WHOLE), patients().to_svg(row=DIVIDED),
        four_rules().to_svg(), four_rules().to_svg(row=CHAIN_ROW),
    )]  # fmt: skip
    assert len(set.union(*ids)) == sum(map(len, ids))


def test_a_chain_says_what_ends_and_what_goes_on():
    told = lit_words(soft_chain().to_svg(row=CHAIN_ROW))
    assert told == [
        "This row: alive 95 %, dead 5 %",
        "66 % of the row goes on", "this row: 92 bpm", "divided by its noise",
        "34 % of the row ends here",
        "33 % of the row goes on", "this row: 96 %", "divided by its noise",
        "33 % of the row ends here",
        "this row: A", "33 % of the row ends here",
    ]  # fmt: skip


def test_a_chain_fades_the_rules_that_are_not_reached():
    root = parse(soft_chain().to_svg(row=CHAIN_ROW))
    found = [group.get("class") for group in root.iter(f"{SVG}g") if group.get("data-rule")]
    assert found == ["lit", "lit", "lit", "faded", "faded"]


def test_a_pyramid_frames_the_band_that_takes_the_row():
    svg = four_rules().to_pyramid(row={**CHAIN_ROW, "heart_rate": 120, "spo2": 99})
    steps = [group for group in parse(svg).iter(f"{SVG}g") if group.get("data-rule")]
    frames = [group.find(f"{SVG}rect").get("stroke") for group in steps]
    assert frames == [None, LIT, None, None, None]
    assert [group.get("opacity") for group in steps] == [None, None, "0.45", "0.45", "0.45"]
    assert "What takes this row is framed." in svg


def test_a_row_without_a_tested_column_is_refused():
    with pytest.raises(ColumnNotFound, match="ef"):
        patients().to_svg(row={"age": 70})


def cells(html):
    """Texts of the cells of each line of the table about the row."""
    table = re.search(r'<table class="steps">(.*?)</table>', html, re.DOTALL)[1]
    return [
        [re.sub(r"<[^>]+>", "", cell.replace("</div><div>", " | "))
         for cell in re.findall(r"<td[^>]*>(.*?)</td>", line, re.DOTALL)]
        for line in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
    ]  # fmt: skip


def test_the_page_begins_with_how_the_row_is_decided():
    html = page(patients(), title="Who is ill?", row=pd.Series(DIVIDED, name=3, dtype=object))
    assert "<h2>How row 3 is decided</h2>" in html
    assert html.index("How row 3") < html.index("<h2>The whole tree</h2>") < html.index("The rules")
    assert cells(html) == [
        ["100 %", "ef", "missing",
         "ef &lt; 35 %: 40 % | ef &gt;= 35 %: 60 % | shared out over the branches"],
        ["40 %", "age", "70 years", "age &gt; 62.5 years"],
    ]  # fmt: skip
    leaves = re.search(r'<table class="leaves">(.*?)</table>', html, re.DOTALL)[1]
    assert re.findall(r'<td class="number">(.*?)</td>', leaves) == [
        "60 %", "4 %", "40 %", "96 %", "100 %", "41 %"
    ]  # fmt: skip


def test_the_page_tells_witnesses_and_both_answers():
    found = cells(page(worked_example("paper"), title="t", row=named((1, 20, 9))))
    assert [line[:2] for line in found] == [["a0", "1"], ["a0", "1"]]
    both, heard = found[0][2], found[0][3]
    assert re.fullmatch(
        r"both branches are asked \| a0 &lt; 4.5: .*100 % \| a0 &gt;= 4.5: .*100 % \| "
        r"1 vote each, a tie that goes to the second side: a0 &gt;= 4.5 counts", both
    )  # fmt: skip
    assert heard == (
        "1 of 2 witnesses agrees | a2 = 9 (&gt;= 5): agrees | a1 = 20 (&gt;= 12.5): disagrees"
    )


def test_the_page_of_a_chain_tells_a_row_too():
    html = chain_page(soft_chain(), title="t", row=CHAIN_ROW)
    assert "<h2>How this row is decided</h2>" in html
    assert cells(html)[2] == [
        "33 %",
        "ward",
        "A",
        "ward in {&quot;A&quot;, &quot;B&quot;, &quot;C&quot;}",
    ]


def test_without_a_row_nothing_is_said_of_one():
    assert (
        "decided" not in page(patients(), title="t").split("</style>")[1].split("How to read it")[0]
    )
    assert LIT not in page(patients(), title="t")

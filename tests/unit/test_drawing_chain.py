"""A drawn chain and its pyramid: nothing overlaps, widths tell weights, each rule has its name."""

from itertools import combinations, pairwise
from math import nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.errors import ParameterError
from clearwood.noise import Normal
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.drawing.pyramid import to_pyramid
from clearwood.tree.drawing.risk_axis import RiskAxis
from clearwood.tree.evaluation import Soft
from clearwood.tree.risk import Risk
from golden.chains import CHAINS, as_chain, falling, four_rules, long_rules, no_rule, twenty_rules
from golden.compare import assert_golden
from golden.trees import binary, deep_chain, ordinal
from reference import svg_boxes
from reference.svg_boxes import SVG, Box, parse, text_box

MARGIN = 16
KINDS = {"pyramid": lambda tree: tree.to_pyramid(), "chain": lambda tree: tree.to_svg()}


def rules(svg):
    """The groups that show a rule, in order."""
    return [group for group in parse(svg).iter(f"{SVG}g") if group.get("data-rule")]


def words(group):
    return [text_box(text).text.replace("\u00a0", " ") for text in group.findall(f"{SVG}text")]


def widths(svg, kind):
    return [
        float(rect.get("width")) for rect in parse(svg).iter(f"{SVG}rect")
        if rect.get("class") == kind
    ]  # fmt: skip


def assert_nothing_overlaps(svg):
    root = parse(svg)
    width, height = svg_boxes.size(root)
    texts = [middled(text) for text in root.iter(f"{SVG}text")]
    page = Box(0, 0, width - 2 * MARGIN, height - 2 * MARGIN)
    assert all(page.holds(text, slack=MARGIN) for text in texts)
    for a, b in combinations(texts, 2):
        assert not a.overlaps(b, slack=0.5), (a, b)
    for group in rules(svg):
        frames = [rect for rect in group.findall(f"{SVG}rect") if rect.get("class") == "frame"]
        boxes = [rect_box(rect) for rect in frames]
        for text in group.findall(f"{SVG}text"):
            box = middled(text)
            inside = [frame.holds(box, slack=1.0) for frame in boxes]
            outside = [not frame.overlaps(box, slack=0.5) for frame in boxes]
            assert all(a or b for a, b in zip(inside, outside, strict=True)), box


def middled(text):
    """Box of a text, which may be anchored in its middle."""
    box = text_box(text)
    if text.get("text-anchor") != "middle":
        return box
    half = (box.right - box.left) / 2
    return Box(box.left - half, box.top, box.right - half, box.bottom, box.text)


def rect_box(rect):
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    return Box(x, y, x + width, y + height)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["two_rules", "four_rules", "long_rules"])
def test_picture_of_a_hand_made_chain_is_unchanged(kind, name):
    assert_golden(KINDS[kind](CHAINS[name]()), "chain", f"{name}_{kind}.svg")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CHAINS)
def test_nothing_overlaps_and_every_text_fits(kind, name):
    assert_nothing_overlaps(KINDS[kind](CHAINS[name]()))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(
    name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=160),
    threshold=st.floats(-1e300, 1e300),
    n=st.lists(st.integers(1, 10**9), min_size=2, max_size=2),
)
def test_nothing_overlaps_whatever_a_rule_says(kind, name, threshold, n):
    root = cut(name, threshold, leaf([n[0], 1]), leaf([1, n[1]]))
    assert_nothing_overlaps(KINDS[kind](as_chain(root, [Feature(name, "numeric", unit=name)])))


@pytest.mark.parametrize("kind", KINDS)
def test_each_rule_is_a_group_with_its_name(kind):
    found = [group.get("data-rule") for group in rules(KINDS[kind](twenty_rules()))]
    assert found == [f"step-{number}" for number in range(1, 22)]


def test_a_band_says_rule_share_carved_risk_and_counts():
    found = [words(group) for group in rules(four_rules().to_pyramid())]
    assert found[0] == [
        "1.", "heart_rate ≤ 90 bpm", "carves 480 of 913 (53 %)", "2.1 % (1.1–3.8)", "10 of 480",
    ]  # fmt: skip
    assert found[2][1] == "ward in A, B, C"
    assert found[4] == ["5.", "otherwise", "left: 33 of 913 (4 %)", "61 % (44–75)", "20 of 33"]


def test_a_band_can_be_reached_by_keyboard_and_says_all_of_itself():
    group = rules(four_rules().to_pyramid())[1]
    assert (group.get("tabindex"), group.get("role")) == ("0", "listitem")
    assert group.get("aria-label").replace("\u00a0", " ") == (
        "2. spo2 ≥ 96 %: risk 4.5 % (2.7–7.4), 14 of 313, carves 313 of 433 (72 %), "
        "missing: stays in the chain"
    )


def test_bands_are_as_wide_as_what_comes_and_their_middle_as_what_goes_on():
    svg = four_rules().to_pyramid()
    carved, rest = widths(svg, "carved"), widths(svg, "rest")
    assert carved[0] == 280
    assert carved == pytest.approx([280 * n / 913 for n in (913, 433, 120, 67, 33)], abs=0.06)
    assert rest == pytest.approx(carved[1:])


def test_the_darker_a_band_the_higher_its_risk():
    tones = [
        sum(int(rect.get("fill")[place : place + 2], 16) for place in (1, 3, 5))
        for rect in parse(four_rules().to_pyramid()).iter(f"{SVG}rect")
        if rect.get("class") == "carved"
    ]
    assert all(later < earlier for earlier, later in pairwise(tones))


def test_a_narrow_band_stays_visible():
    root = cut("x", 1, leaf([10**6, 5]), leaf([1, 4]))
    assert min(widths(as_chain(root, [Feature("x", "numeric")]).to_pyramid(), "carved")) == 2


def test_risks_have_one_axis_that_ends_at_a_round_number():
    root = cut("x", 1, leaf([990, 10]), leaf([95, 5]))  # upper end of the interval: 11.2 %
    svg = as_chain(root, [Feature("x", "numeric")]).to_pyramid()
    texts = [text.text for text in parse(svg).iter(f"{SVG}text")]
    assert [text for text in texts if text in {f"{share} %" for share in range(101)}] == [
        "0 %", "5 %", "10 %", "15 %", "20 %",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("highest", "end", "ticks"),
    [
        (0.64, 0.7, [0, 0.2, 0.4, 0.6]), (0.5, 0.5, [0, 0.2, 0.4]),
        (0.97, 1, [0, 0.25, 0.5, 0.75, 1]), (0.07, 0.07, [0, 0.02, 0.04, 0.06]),
        (0.0, 1, [0, 0.25, 0.5, 0.75, 1]),
    ],
)  # fmt: skip
def test_axis_of_risk_ends_at_the_next_tenth(highest, end, ticks):
    axis = RiskAxis.of([Risk(0.0, 0.0, highest), Risk(highest / 2, 0.0, highest)], 0, 130)
    assert axis.end == pytest.approx(end)
    assert axis.ticks() == pytest.approx(ticks)


def test_tones_span_the_risks_of_the_chain_and_part_the_low_ones():
    risks = [Risk(share, nan, nan) for share in (0.0, 0.02, 0.05, 0.1, 0.64)]
    axis = RiskAxis.of(risks, 0, 130)
    light = [int(axis.tone(risk.value)[1:3], 16) for risk in risks]  # red of the palest: 246
    assert (light[0], light[-1]) == (246, 122)
    assert all(earlier - later >= 10 for earlier, later in pairwise(light))
    assert axis.tone(0.64) == "#7a2810"


def test_numbers_of_the_axis_stand_above_many_rows_too():
    def zeros(tree):
        return [text for text in parse(tree.to_pyramid()).iter(f"{SVG}text") if text.text == "0 %"]

    assert (len(zeros(four_rules())), len(zeros(twenty_rules()))) == (1, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_falling_chain_warns_that_a_missing_value_goes_on_to_lower_risk(kind):
    def said(tree):
        texts = " ".join(text.text or "" for text in parse(KINDS[kind](tree)).iter(f"{SVG}text"))
        return "goes on to lower risk." in texts

    root = cut("x", 1, leaf([2, 8]), cut("y", 1, leaf([7, 3]), leaf([9, 1]), missing=(0, 1)),
               missing=(0, 1))  # fmt: skip
    assert said(falling())
    assert said(as_chain(root, [Feature("x", "numeric"), Feature("y", "numeric")]))
    assert not said(four_rules())


def test_a_long_name_gives_way_before_its_threshold():
    lines = words(rules(long_rules().to_pyramid())[0])
    assert lines[2].endswith("…")
    assert lines[3].startswith("> 35.123456789012344 %")
    title = rules(long_rules().to_pyramid())[0].find(f"{SVG}title").text
    assert "(biplane Simpson) >\u00a035.123456789012344 % of end-diastolic volume" in title


def test_missing_values_are_told_once_or_at_each_rule():
    texts = [text.text for text in parse(four_rules().to_pyramid()).iter(f"{SVG}text")]
    assert any("A missing value stays in the chain." in text for text in texts if text)
    found = [words(group) for group in rules(long_rules().to_pyramid())]
    assert "missing: stays in the chain" in found[0]
    assert "missing: carved too" in found[1]


def test_a_falling_list_is_drawn_from_the_highest_risk():
    found = [words(group)[-2] for group in rules(falling().to_pyramid())]
    assert found == ["91 % (76–97)", "25 % (14–40)", "14 % (6–29)", "0.3 % (0.1–1.0)"]


def test_risk_is_of_the_event_asked_for():
    found = words(rules(four_rules().to_pyramid(event="alive"))[0])
    assert found[-2:] == ["98 % (96–99)", "470 of 480"]


def test_a_pyramid_needs_a_chain_and_an_event():
    with pytest.raises(ParameterError, match="the tree must be a chain"):
        ordinal().to_pyramid()
    root = cut("x", 1, leaf([8, 1, 1]), leaf([0, 5, 5]))
    three = build(root, [Feature("x", "numeric")], ["a", "b", "c"])
    with pytest.raises(ParameterError, match="event must be named where there are more than two"):
        three.to_pyramid()
    assert words(rules(three.to_pyramid(event="c"))[0])[-1] == "1 of 10"
    with pytest.raises(ParameterError, match="max_rules must be at least 1"):
        to_pyramid(four_rules(), max_rules=0)


def test_rules_beyond_the_limit_are_counted():
    svg = to_pyramid(deep_chain(), max_rules=3)
    assert len(rules(svg)) == 4
    assert "2996 more rules are not drawn" in svg
    assert "121 more rules are not drawn" in deep_chain(195).to_svg(form="chain")


def test_the_band_of_a_noisy_threshold_stands_behind_it():
    root = cut("x", 10, leaf([9, 1]), leaf([1, 9]), missing=(0, 1))
    soft = build(root, [Feature("x", "numeric")], ["no", "yes"]).with_evaluation(
        Soft((Normal(sd=2.0),))
    )
    assert words(rules(soft.to_pyramid())[0])[1] == "x ≤ 10 [± 2]"


def test_a_chain_is_drawn_as_questions_with_their_leaves():
    found = [words(group) for group in rules(four_rules().to_svg())]
    assert found[1] == ["yes: 313", "no: 120", "2.", "spo2 ≥ 96 %", "4.5 % (2.7–7.4)", "14 of 313"]
    assert found[-1] == ["5. otherwise", "61 % (44–75)", "20 of 33"]
    assert rules(no_rule().to_svg())[0].find(f"{SVG}text").text == "1. always"


def test_ways_are_as_wide_as_the_weight_that_goes_them():
    ways = rules(four_rules().to_svg())[0].findall(f"{SVG}path")
    across, down = (float(way.get("stroke-width")) for way in ways)
    assert across / down == pytest.approx(480 / 433, rel=0.02)


def test_only_a_tree_that_says_so_is_drawn_as_a_chain():
    assert rules(binary().to_svg()) == []
    assert len(rules(binary().to_svg(form="chain"))) == 3
    assert rules(four_rules().to_svg(form="tree")) == []
    assert "data-rule" in four_rules()._repr_html_()


def test_a_picture_is_the_same_each_time():
    assert long_rules().to_pyramid() == long_rules().to_pyramid()
    assert long_rules().to_svg() == long_rules().to_svg()

"""A drawn tree: nothing overlaps, nothing is cut without a title, nothing comes from outside."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.errors import ParameterError
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels
from golden.compare import assert_golden
from golden.trees import NASTY_COLUMN, TREES, binary, deep_chain, many_branches, nasty_names
from reference import svg_boxes
from reference.random_trees import random_tree
from reference.svg_boxes import SVG, card_box, groups, parse, text_boxes

LONG = "left ventricular ejection fraction by echocardiography before discharge from hospital"
LONG_LEVELS = (
    "New York Heart Association class I, no limitation of ordinary physical activity",
    "unknown_because_not_recorded_in_the_electronic_patient_file_of_the_referring_hospital",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "年齢不詳の患者",
)


def long_names():
    root = cut(
        LONG, 35.123456789012345,
        levels("site", {LONG_LEVELS[:2]: leaf([2, 3, 0]), LONG_LEVELS[2:]: leaf([1, 6, 1])}),
        leaf([9, 1, 2]),
    )  # fmt: skip
    features = [
        Feature(LONG, "numeric", unit="% of end-diastolic volume, body surface corrected"),
        Feature("site", "nominal", LONG_LEVELS),
    ]
    classes = ["discharged home without complications", "died within thirty days of discharge", "c"]
    return build(root, features, classes)


def sixty_leaves():
    rng = np.random.default_rng(60)
    return random_tree(rng, rng.normal(size=8) * 100, n_inner=59)


def assert_nothing_overlaps(svg):
    root = parse(svg)
    cards, branches = groups(root)
    boxes = [card_box(card) for card in cards]
    for card, box in zip(cards, boxes, strict=True):
        texts = text_boxes(card)
        assert all(box.holds(text, slack=0.6) for text in texts), box
        assert not any(a.overlaps(b) for a, b in combinations(texts, 2)), texts
    words = [text for branch in branches for text in text_boxes(branch)]
    boxes += words
    for a, b in combinations(boxes, 2):
        assert not a.overlaps(b, slack=0.5), (a, b)
    width, height = svg_boxes.size(root)
    x, y = svg_boxes.offset(root)
    page = svg_boxes.Box(-x, -y, width - x, height - y)
    assert all(page.holds(box) for box in boxes)
    heads = text_boxes(root.findall(f"{SVG}g")[0])
    assert not any(a.overlaps(b) for a, b in combinations(heads, 2))
    assert all(box.right <= width and box.bottom <= y for box in heads)


@pytest.mark.parametrize("name", TREES)
def test_picture_of_a_hand_made_tree_is_unchanged(name):
    assert_golden(TREES[name]().to_svg(max_nodes=40), "tree", f"{name}.svg")


@pytest.mark.parametrize("make", [*TREES.values(), long_names, sixty_leaves])
def test_nothing_overlaps_and_every_text_fits(make):
    assert_nothing_overlaps(make().to_svg())


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), n_inner=st.integers(1, 40))
def test_nothing_overlaps_in_random_trees(seed, n_inner):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, rng.normal(size=8), n_inner)
    assert_nothing_overlaps(tree.to_svg(max_nodes=None, max_depth=None))


def test_sixty_leaves_are_all_drawn():
    tree = sixty_leaves()
    cards, branches = groups(parse(tree.to_svg(max_depth=None)))
    assert (len(cards), len(branches)) == (tree.n_nodes, tree.n_nodes - 1)


def test_a_card_says_class_weight_and_risk_with_interval():
    cards, _ = groups(parse(binary().to_svg()))
    words = [[text.text for text in text_boxes(card)] for card in cards]
    assert words == [
        ["ef", "39 % (30–49)", "n = 92.6"],
        ["age", "88 % (74–95)", "n = 36.6"],
        ["disease", "75 % (47–91)", "n = 12"],
        ["disease", "94 % (78–99)", "n = 24.6"],
        ["healthy", "7 % (3–17)", "n = 56"],
    ]


def test_risk_is_of_the_event_asked_for():
    cards, _ = groups(parse(binary().to_svg(event=False)))
    assert [text.text for text in text_boxes(cards[2])] == ["disease", "25 % (9–53)", "n = 12"]
    assert binary().to_svg(event="healthy") == binary().to_svg(event=False)


def test_the_event_of_the_training_is_the_default():
    tree = binary()
    of_training = type(tree)(
        **tree.arrays(), features=tree.features, classes=tree.classes,
        class_names=tree.class_names, settings={"training": {"event": False}},
    )  # fmt: skip
    assert of_training.to_svg() == tree.to_svg(event=False)


def test_an_unknown_event_is_refused():
    with pytest.raises(
        ParameterError, match="event must be one of the classes False, True, got 'x'"
    ):
        binary().to_svg(event="x")


def test_with_three_classes_inner_nodes_name_the_class_whose_risk_they_show():
    cards, _ = groups(parse(many_branches().to_svg()))
    assert text_boxes(cards[0])[1].text == "54 % (39–68) A"


def test_branches_say_value_unit_and_where_missing_go():
    _, branches = groups(parse(binary().to_svg()))
    words = [[text.text.replace("\u00a0", " ") for text in text_boxes(b)] for b in branches]
    assert words == [["< 35 %"], ["≥ 35 %"], ["≤ 62.5 years"], ["> 62.5 years", "or missing"]]
    dashed = ["stroke-dasharray" in "".join(map(str, [p.attrib for p in b])) for b in branches]
    assert dashed == [False, False, False, True]


def test_pointing_at_a_branch_tells_it_exactly():
    _, branches = groups(parse(binary().to_svg()))
    titles = [branch.find(f"{SVG}title").text for branch in branches]
    assert titles[1] == "ef >= 35 % or missing (0.605)"
    assert titles[3] == "age > 62.5 years or missing (1)"


def test_branches_are_as_wide_as_their_share_of_the_weight():
    tree = build(cut("x", 1, leaf([30]), leaf([70])), [Feature("x", "numeric")], ["a"])
    _, branches = groups(parse(tree.to_svg()))
    widths = [float(branch.find(f"{SVG}path").get("stroke-width")) for branch in branches]
    assert widths[1] / widths[0] == pytest.approx(7 / 3, rel=0.01)


def test_a_share_of_missing_values_is_shown_where_training_met_them():
    features = [Feature("x", "numeric")]
    met = build(cut("x", 1, leaf([3], n_rows=4), leaf([7], n_rows=8)), features, ["a"])
    tree = type(met)(
        **(met.arrays() | {"n_rows": np.array([10, 4, 8])}), features=features, classes=met.classes
    )
    _, branches = groups(parse(tree.to_svg()))
    assert [text_boxes(branch)[1].text for branch in branches] == [
        "or missing: 30 %", "or missing: 70 %"
    ]  # fmt: skip


def test_a_long_threshold_is_never_cut():
    svg = long_names().to_svg()
    assert "≤\u00a035.123456789012344</text>" in svg
    assert "&gt;\u00a035.123456789012344</text>" in svg


def test_long_names_stand_whole_in_titles():
    titles = " ".join(title.text for title in parse(long_names().to_svg()).iter(f"{SVG}title"))
    assert LONG in titles
    assert all(level in titles for level in LONG_LEVELS)
    assert "died within thirty days of discharge" in titles


def test_names_with_markup_are_escaped():
    svg = nasty_names().to_svg()
    assert NASTY_COLUMN in "".join(parse(svg).itertext())
    assert "x<y" not in svg
    evil = '</title><script>alert("1")</script>'
    tree = build(leaf([1, 2]), [Feature(evil, "numeric")], [evil, "\x00\ud800\ufffe"])
    root = parse(tree.to_svg(title=evil))
    assert [element.tag for element in root.iter() if "script" in element.tag] == []


@given(name=st.text(), level=st.text(), unit=st.text())
def test_any_text_gives_well_formed_xml(name, level, unit):
    features = [Feature(name, "nominal", (level, level + "x"), unit or None)]
    tree = build(
        levels(name, {level: leaf([1, 0]), level + "x": leaf([0, 1])}), features, [name, ""]
    )
    parse(tree.to_svg(title=name))


@pytest.mark.parametrize("name", TREES)
def test_a_picture_runs_nothing_and_asks_for_nothing(name):
    svg = TREES[name]().to_svg(max_nodes=40)
    tags = {element.tag.removeprefix(SVG) for element in parse(svg).iter()}
    assert tags <= {
        "svg",
        "title",
        "desc",
        "defs",
        "pattern",
        "rect",
        "path",
        "circle",
        "g",
        "text",
    }
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\bon\w+=|href|@import|style=|url\((?!#)", svg)


def test_a_picture_can_be_read_aloud():
    root = parse(binary().to_svg(title="Who is ill?"))
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert title.text == "Who is ill?"
    assert description.text == binary().to_text()


def test_two_pictures_on_one_page_share_no_id():
    ids = [set(re.findall(r' id="([^"]+)"', make().to_svg())) for make in (binary, many_branches)]
    assert ids[0].isdisjoint(ids[1])


def test_a_chain_of_2999_cuts_is_drawn_in_part_and_says_how_much_is_left_out():
    svg = deep_chain().to_svg()
    cards, _ = groups(parse(svg))
    assert len(cards) == 25
    assert text_boxes(cards[-1])[-1].text == "+ 5974 nodes"
    assert len(svg) < 60_000


@pytest.mark.parametrize(("name", "value"), [("max_nodes", 0), ("max_depth", -1)])
def test_a_limit_that_shows_nothing_is_refused(name, value):
    with pytest.raises(ParameterError, match=f"{name} must be at least"):
        binary().to_svg(**{name: value})


def test_a_notebook_shows_the_picture():
    tree = binary()
    assert tree.to_svg(max_nodes=80) in tree._repr_html_()

"""A class whose name is a bare number is named with its target, or as a class, everywhere."""

import pytest

from clearwood.metrics import risk_table
from clearwood.report import linked_page
from clearwood.report.linked_page import chain_page
from clearwood.report.page import page
from clearwood.report.sections import provenance
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.wording import class_words, label_words
from golden.chains import STAYS_SECOND, as_chain, no_rule

EF = Feature("ef", "numeric", unit="%")
TRAINING = {"target": "In-hospital_death", "event": 1}


@pytest.fixture
def without_plots(monkeypatch):
    monkeypatch.setattr(linked_page, "_can_draw", lambda: False)


def chain(**settings):
    root = cut("ef", 35, leaf([9, 1]), leaf([6, 4]), missing=STAYS_SECOND)
    return as_chain(root, [EF], [0, 1], **settings)


@pytest.mark.parametrize(
    ("name", "target", "words"),
    [
        ("1", "chd", "chd = 1"),
        ("1", None, "class 1"),
        ("1.5", "chd", "chd = 1.5"),
        ("True", "dead", "dead = True"),
        ("dead", "outcome", "dead"),
        ("stage 2", "outcome", "stage 2"),
        ("died in hospital", None, "died in hospital"),
    ],
)
def test_a_name_that_says_nothing_gets_its_target(name, target, words):
    assert label_words(name, target) == words


def test_the_target_is_that_of_the_training():
    assert class_words(chain(training=TRAINING), 1) == "In-hospital_death = 1"
    assert class_words(chain(), 1) == "class 1"


def test_texts_tables_and_pictures_name_it_alike():
    tree = chain(training=TRAINING)
    named = "risk of In-hospital_death = 1"
    assert tree.to_text().splitlines()[0] == f"Decision chain: 1 rule gives the {named}"
    assert str(risk_table(tree)).startswith(f"{named}: 20 training rows")
    assert f"Percent: {named} (95 % interval)" in tree.to_svg()
    assert ">In-hospital_death = 0</text>" in tree.to_svg()
    assert "Risk of In-hospital_death = 1" in tree.to_pyramid()
    assert f"Percent: {named}" in tree.to_svg(form="tree")
    assert "risk of class 1" in chain().to_svg()


@pytest.mark.usefixtures("without_plots")
def test_pages_name_it_alike():
    tree = chain(training=TRAINING)
    lead = "grown on 20 rows, In-hospital_death = 1 in 25 % of them."
    assert f"A decision chain of 1 rule, {lead}" in chain_page(tree, title="t")
    assert f"A decision tree with 2 leaves, {lead}" in page(tree, title="t")


def test_a_row_gets_its_answer_with_a_colon():
    svg = chain(training=TRAINING).to_svg(row={"ef": 30})
    assert "This row: In-hospital_death = 0: 90 %, In-hospital_death = 1: 10 %" in svg


@pytest.mark.usefixtures("without_plots")
def test_a_chain_without_a_rule_asks_for_nothing():
    tree = no_rule()
    content = chain_page(tree, title="t")
    assert "A decision chain without a rule, grown on 480 rows" in content
    assert "there is nothing to ask, and one risk for all" in content
    for words in ("top down. The first", "otherwise", "Curves", "Point at a rule", "0 rules"):
        assert words not in content
    for picture in (tree.to_svg(), tree.to_pyramid()):
        assert "Decision chain without a rule" in picture
        for words in ("first rule that holds", "otherwise", "missing value", "Who is left"):
            assert words not in picture
    assert (
        tree.to_text().splitlines()[0] == "Decision chain without a rule: one risk of dead for all"
    )
    alone = build(leaf([7, 3]), [EF], ["well", "ill"])
    assert "The tree asks nothing: it gives one answer to all." in page(alone, title="t")


def test_the_page_tells_alpha_of_each_rule_in_three_digits():
    steps = [{"alpha": 11.573912345678901, "larger_share": 0.9, "velocity": 0.1}, {"alpha": 256}]
    facts = dict(
        provenance(chain(carving=steps, cuts=[1.25, 2], wishes=[{"unit": "%", "cost": 2}]))
    )
    assert facts["Alpha of each rule"] == "11.6, 256"
    assert "Carving" not in facts
    assert (facts["Cuts"], facts["Wishes"]) == ("1.25, 2", "unit %, cost 2")
    assert not any("{" in value or "[" in value for value in facts.values())

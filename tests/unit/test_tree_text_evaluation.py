"""A tree that sends values near a threshold both ways says so in its text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.noise import Normal
from clearwood.table.column import Feature
from clearwood.tree.band import ends_text
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.evaluation import Ramps, Soft
from reference import tree_text

NAN = np.nan
FEATURES = [Feature("chol", "numeric", unit="mg/dL"), Feature("age", "numeric")]


def tree_of(evaluation=None):
    root = cut("chol", 271, leaf([5, 1]), cut("age", 60, leaf([3, 3]), leaf([0, 4])))
    return build(root, FEATURES, ["no", "yes"]).with_evaluation(evaluation)


def test_noise_stands_before_the_nodes_and_its_band_behind_the_condition():
    lines = tree_of(Soft((Normal(sd=7.5), None))).to_text().splitlines()
    assert lines[1].startswith("values are read with noise: near a threshold a row goes both ways")
    assert lines[2] == "noise of chol: Normal(sd=7.5)"
    assert lines[3].startswith("all rows: n = 16")
    assert lines[4].startswith("|   chol <= 271 mg/dL [263.5 to 278.5] or missing (0.38) => no")
    assert lines[6].startswith("|   |   age <= 60 or missing")


def test_a_joint_evaluation_says_that_cuts_share_a_value():
    text = tree_of(Soft((Normal(sd=7.5), None), "joint")).to_text()
    assert "\ncuts of one column on a path ask for the same true value\n" in text


def test_ramps_are_said_and_a_cut_without_one_has_no_band():
    limits = np.array([[270, NAN, NAN, NAN, NAN], [274, NAN, NAN, NAN, NAN]])
    lines = tree_of(Ramps(*limits)).to_text().splitlines()
    assert lines[1].startswith("thresholds are ramps: between the limits in brackets")
    assert lines[3].startswith("|   chol <= 271 mg/dL [270 to 274] or missing")
    assert lines[5].startswith("|   |   age <= 60 or missing")


def test_a_hard_tree_says_nothing_of_it():
    assert tree_of().to_text().splitlines()[1].startswith("all rows")
    assert "[" not in tree_of().to_text()


@given(sd=st.floats(1e-3, 1e3), chol=st.floats(0, 500))
def test_text_with_bands_reads_back_as_the_text_of_the_hard_tree(sd, chol):
    row = {"chol": chol, "age": None}
    texts = [tree_of(e).to_text(digits=None) for e in (None, Soft((Normal(sd=sd), Normal(sd=2.0))))]
    hard, soft = (tree_text.leaf_shares(tree_text.parse_text(text), row) for text in texts)
    assert soft == hard


@pytest.mark.parametrize(
    ("ends", "text"),
    [((263.5, 278.5), "263.5 to 278.5"), ((12345.6, 12345.8), "12345.6 to 12345.8"),
     ((101.23456, 198.7654), "101 to 199"), ((-0.0012345, 0.00123), "-0.0012 to 0.0012")],
)  # fmt: skip
def test_ends_are_rounded_by_the_width_of_their_band(ends, text):
    assert ends_text(*ends) == text

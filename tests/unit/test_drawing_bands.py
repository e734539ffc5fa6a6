"""A threshold that cannot be trusted to the last digit is drawn as a band as wide as its noise."""

import numpy as np
import pytest

from clearwood.noise import Interval, LogNormal, Normal, PerRow, Uniform
from clearwood.table.column import Feature
from clearwood.tree.band import ONE_SD
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.drawing.bands import bands
from clearwood.tree.evaluation import Ramps, Soft
from reference.svg_boxes import groups, parse
from unit.test_drawing_svg import assert_nothing_overlaps

NAN = np.nan
TWO = [Feature("ef", "numeric", unit="%"), Feature("age", "numeric", unit="y" * 30)]


def tree_of(*noise):
    """Cuts of ef at 40 (node 0) and 30 (node 1), and of age at 60 (node 4)."""
    root = cut(
        "ef", 40, cut("ef", 30, leaf([0, 5]), leaf([2, 5])),
        cut("age", 60, leaf([9, 1]), leaf([4, 4])),
    )  # fmt: skip
    tree = build(root, TWO, ["no", "yes"])
    return tree.with_evaluation(Soft(noise) if noise else None)


def test_a_hard_tree_has_no_bands():
    assert bands(tree_of()) == {}
    assert "Band" not in tree_of().to_svg()


def test_cuts_of_a_column_share_an_axis_and_a_band_is_two_standard_deviations_wide():
    found = bands(tree_of(Normal(sd=5.0, unit="%"), None))
    assert set(found) == {0, 1}
    # the axis reaches two bands beyond the outer thresholds: from 30 - 10 to 40 + 10
    places = [(band.lower, band.threshold, band.upper) for band in (found[1], found[0])]
    np.testing.assert_allclose(places, [(5 / 30, 1 / 3, 15 / 30), (15 / 30, 2 / 3, 25 / 30)])
    assert found[0].text == "± 5 %"


def test_a_long_unit_stands_beside_the_branches_only():
    assert bands(tree_of(None, Normal(sd=2.5)))[4].text == "± 2.5"


def test_errors_that_are_not_normal_hold_the_true_value_as_often():
    uniform = bands(tree_of(Uniform(3.0), None))[0]
    assert uniform.text == f"± {round(3 * (2 * ONE_SD - 1), 2):g} %"
    skewed = bands(tree_of(LogNormal(0.1), None))[0]
    s = np.sqrt(np.log(1.01))
    assert skewed.text == f"{40 * np.exp(-s):.3g} to {40 * np.exp(s):.3g} %"


def test_a_size_that_differs_by_row_is_drawn_as_that_of_a_row_without_one():
    assert bands(tree_of(PerRow(Normal(5.0), "sd"), Interval("half")))[0].text == "± 5 %"
    assert 4 not in bands(tree_of(PerRow(Normal(5.0), "sd"), Interval("half")))


def test_the_band_of_a_ramp_is_the_ramp():
    ramps = Ramps([37, 30, NAN, NAN, NAN, NAN, NAN], [41, 30, NAN, NAN, NAN, NAN, NAN])
    found = bands(tree_of().with_evaluation(ramps))
    assert set(found) == {0}  # a ramp without width is a plain threshold
    assert found[0].text == "37 to 41 %"


@pytest.mark.parametrize("evaluated", [
    tree_of(Normal(5.0), Normal(7.0)),
    tree_of(LogNormal(0.2), Normal(1234567.0)),
    tree_of().with_evaluation(Ramps([37, 20.123, NAN, NAN, 12, NAN, NAN],
                                    [41, 44, NAN, NAN, 99, NAN, NAN])),
])  # fmt: skip
def test_nothing_overlaps_in_a_picture_with_bands(evaluated):
    assert_nothing_overlaps(evaluated.to_svg())


def test_the_card_of_a_soft_cut_says_its_noise_in_full():
    cards, _ = groups(parse(tree_of(Normal(5.0, unit="%"), None).to_svg()))
    title = cards[0].find("{http://www.w3.org/2000/svg}title").text
    assert title.endswith("; threshold 40, ± 5 %")
    assert "Band: threshold ± 1 SD of the measurement noise" in tree_of(Normal(5.0), None).to_svg()

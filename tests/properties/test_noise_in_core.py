"""The core divides rows at a cut as the standard form says, for every model of the menu."""

import numpy as np
import pytest

from clearwood import _core
from clearwood.noise import Interval, Normal, PerRow, Rounding, StandardForm, typical
from clearwood.noise.standard_form import standard_form
from clearwood.table import Feature
from clearwood.table.frames import read_table
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.predict import core_table, predictor

THRESHOLD = 60.25
VALUES = np.concatenate([np.linspace(1.0, 200.0, 399), THRESHOLD + np.linspace(-4.0, 4.0, 161)])


def share_of_first_branch(form: StandardForm, values):
    tree = build(cut("x", THRESHOLD, leaf([1, 0]), leaf([0, 1])), [Feature("x", "numeric")], [0, 1])
    noise = _core.Noise(form.axis, form.shift, form.scale, form.cdf, form.table)
    evaluation = _core.Evaluation.soft([noise], eta=0.0)
    table = core_table(read_table({"x": values}))
    return predictor(tree).shares(table, evaluation)[:, 1]


@pytest.mark.parametrize("model", typical(), ids=repr)
def test_the_core_divides_rows_as_the_form_says(model):
    form = standard_form(model, VALUES, "x")
    expected = form.probability_at_most(THRESHOLD, VALUES)
    np.testing.assert_allclose(share_of_first_branch(form, VALUES), expected, atol=1e-10)


@pytest.mark.parametrize(
    "noise",
    [PerRow(Normal(2.0, bias=1.0), "s"), PerRow(Normal(1.0) + Rounding(1.0), "s"), Interval("s")],
    ids=repr,
)
def test_the_core_divides_each_row_by_its_own_noise(noise):
    sizes = np.resize([0.0, 0.5, np.nan, 3.0, 20.0], len(VALUES))
    form = noise.form(VALUES, sizes, "x")
    expected = form.probability_at_most(THRESHOLD, VALUES)
    np.testing.assert_allclose(share_of_first_branch(form, VALUES), expected, atol=1e-10)

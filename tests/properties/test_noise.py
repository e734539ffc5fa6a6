"""Laws that every noise model of the menu obeys."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.noise import MODELS, Interval, MeanFraction, Normal, PerRow, from_dict, typical
from clearwood.noise.standard_form import standard_form

EACH = pytest.mark.parametrize("model", typical(), ids=repr)
N_DRAWN = 100_000
CHANCE = 5.0
"""Standard errors by which a simulation may be off."""

measured_values = st.floats(1e-3, 1e6)
distances = st.floats(-1e6, 1e6)


def is_discrete(model):
    return model.kind in ("exact", "empirical")


def true_values(model, measured, rng):
    """True values under a flat prior, by fresh errors: of the logarithm where the model's is."""
    again = model.sample(measured, rng)
    on_log_axis = standard_form(model, measured, "x").axis == "log"
    return measured**2 / again if on_log_axis else 2.0 * measured - again


def test_the_menu_has_a_typical_value_of_every_kind_that_stands_by_itself():
    # The last two stand in for a distribution; no instrument errs by steps.
    needs_more = {"mean_fraction", "per_row", "interval", "range_fraction", "sample_points"}
    assert {model.kind for model in typical()} == set(MODELS) - needs_more


@EACH
@given(measured=measured_values, threshold=distances, step=st.floats(0.0, 1e3))
def test_probability_never_falls_as_threshold_rises(model, measured, threshold, step):
    lower, upper = model.probability_at_most([threshold, threshold + step], [measured])
    assert 0.0 <= lower <= upper <= 1.0


@EACH
@given(measured=measured_values)
def test_probability_is_given_back_by_its_quantile(model, measured):
    if is_discrete(model):
        return
    p = np.array([0.01, 0.25, 0.5, 0.9])
    quantiles = model.quantile(p, np.full(4, measured))
    # A quantile beside a large value has lost the digits that the value has before the comma.
    lost = measured * 1e-15 / model.sd_at([measured])[0]
    given_back = model.probability_at_most(quantiles, np.full(4, measured))
    np.testing.assert_allclose(given_back, p, atol=1e-9 + lost)


@EACH
def test_probability_agrees_with_simulation(model):
    measured = np.full(N_DRAWN, 100.0)
    true = true_values(model, measured, np.random.default_rng(0))
    for threshold in model.quantile([0.05, 0.35, 0.5, 0.8, 0.99], np.full(5, 100.0)) + 1e-9:
        p = model.probability_at_most(threshold, measured[:1])[0]
        tolerance = CHANCE * 0.5 / np.sqrt(N_DRAWN) + 0.0026 * is_discrete(model)
        assert (true <= threshold).mean() == pytest.approx(p, abs=tolerance)


@EACH
def test_standard_deviation_agrees_with_drawn_errors(model):
    measured = np.full(N_DRAWN, 100.0)
    errors = model.sample(measured, np.random.default_rng(1)) - measured
    sd = model.sd_at([100.0])[0]
    # Student's t with 4 degrees of freedom has no fourth moment: its sample sd settles slowly.
    assert errors.std() == pytest.approx(sd, rel=0.1 if model.kind == "student_t" else 0.02)


@EACH
def test_a_mean_of_readings_has_a_standard_deviation_smaller_by_the_root(model):
    np.testing.assert_allclose(
        model.averaged(4).sd_at([100.0]),
        model.sd_at([100.0]) / 2.0,
        rtol=0.01 if model.kind == "log_normal" else 1e-12,
    )


@EACH
def test_a_missing_value_stays_missing(model):
    values = np.array([50.0, np.nan])
    for result in (
        model.sample(values, np.random.default_rng(0)),
        model.probability_at_most(50.0, values),
    ):
        assert np.isnan(result).tolist() == [False, True]


@pytest.mark.parametrize(
    "model",
    [
        *typical(),
        MeanFraction(0.1, of="sd", unit="g"),
        MeanFraction(0.1) + Normal(2.0),
        PerRow(Normal(2.0, source="a"), "s"),
        Interval("w", unit="g"),
    ],
    ids=repr,
)
def test_a_model_survives_being_written_as_json(model):
    data = model.to_dict()
    assert None not in data.values()  # which TOML could not hold
    again = from_dict(json.loads(json.dumps(data)))
    assert again == model
    assert hash(again) == hash(model)
    assert repr(again) == repr(model)


@given(sds=st.lists(st.floats(0.0, 100.0), min_size=3, max_size=3), threshold=distances)
def test_a_row_with_a_standard_deviation_of_its_own_has_that_noise(sds, threshold):
    measured = np.array([-5.0, 0.0, 12.5])
    by_row = PerRow(Normal(3.0, bias=1.0), "s").probability_at_most(threshold, measured, sds)
    one_by_one = [
        Normal(sd, bias=1.0).probability_at_most(threshold, [x])[0]
        for sd, x in zip(sds, measured, strict=True)
    ]
    np.testing.assert_array_equal(by_row, one_by_one)


@EACH
def test_a_form_depends_on_no_other_row(model):
    values = np.array([3.0, 40.0, 500.0])
    together = model.probability_at_most(40.5, values)
    alone = [model.probability_at_most(40.5, [value])[0] for value in values]
    np.testing.assert_array_equal(together, alone)
    assert all(np.diff(together) <= 0.0)


@EACH
def test_larger_measured_values_are_less_likely_to_be_below_a_threshold(model):
    p = model.probability_at_most(100.0, np.linspace(60.0, 140.0, 41))
    assert all(later <= earlier for earlier, later in pairwise(p))

"""Constructors from what clinics report: every worked value, and what is ambiguous refused."""

from math import sqrt

import numpy as np
import pytest

from clearwood.errors import ClearwoodWarning, ParameterError
from clearwood.noise import (
    GreaterOf,
    LogNormal,
    Normal,
    Relative,
    Rounding,
    Uniform,
    biological_goals,
    from_bias_sd,
    from_biological_variation,
    from_cv,
    from_device_spec,
    from_digit_preference,
    from_limits_of_agreement,
    from_mdc,
    from_rcv,
    from_reliability,
    from_repeat_percentile,
    from_repeatability,
    from_replicates,
    from_resolution,
    from_sem,
    from_tem,
    from_total_allowable_error,
    from_within_subject_sd,
)

# Two readings each of 17 subjects with the Wright peak flow meter, and one with the mini meter:
# Bland and Altman (1986), table 1. L/min.
FIRST = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
SECOND = [490, 397, 512, 401, 470, 611, 415, 431, 638, 429, 420, 633, 275, 492, 165, 372, 421]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]

Z = 1.959963984540054


def close(value):
    return pytest.approx(value, rel=5e-4, abs=5e-5)


def test_limits_of_ejection_fraction_by_eye_against_resonance():
    limits = (-10.5, 9.3)
    as_truth = from_limits_of_agreement(*limits, of="comparator", unit="%", source="n = 54")
    assert (as_truth.sd, as_truth.bias) == (close(5.051), close(-0.60))
    assert (as_truth.unit, as_truth.source) == ("%", "n = 54")
    assert from_limits_of_agreement(*limits, of="comparator", k=2).sd == close(4.950)
    assert from_limits_of_agreement(*limits, of="repeat").sd == close(3.572)


@pytest.mark.parametrize(
    ("lower", "upper", "sd"),
    [(-16.7, 18.4, 6.332), (-4.86, 4.94, 1.768), (-5.7, 5.7, 2.056)],
    ids=[
        "systolic pressure",
        "respiratory rate, same observer",
        "respiratory rate, other observer",
    ],
)
def test_limits_of_repeats_hold_two_errors(lower, upper, sd):
    model = from_limits_of_agreement(lower, upper, of="repeat")
    assert (model.sd, model.bias) == (close(sd), 0.0)


def test_a_mean_change_between_repeats_is_said_but_no_bias():
    model = from_limits_of_agreement(-16.7, 18.4, of="repeat", source="retest")
    assert model.source == "mean change between readings 0.85; retest"


def test_the_error_of_the_comparator_is_taken_off():
    assert from_bias_sd(1.0, 5.0, of="comparator", sd_reference=4.0) == Normal(3.0, bias=1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"of": "comparator", "sd_reference": 6.0}, "sd_reference must be at most .* 5"),
        ({"of": "repeat", "sd_reference": 1.0}, "sd_reference is for of='comparator'"),
        ({"of": "truth"}, "of must be one of comparator, repeat, got 'truth'"),
    ],
)
def test_what_a_difference_cannot_say_is_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        from_bias_sd(0.0, 5.0, **arguments)


def test_limits_in_the_wrong_order_are_refused():
    with pytest.raises(ParameterError, match="lower must be below upper"):
        from_limits_of_agreement(9.3, -10.5, of="repeat")


def test_repeat_readings_of_the_wright_meter():
    values, subjects = np.ravel([FIRST, SECOND]), np.tile(np.arange(17), 2)
    model = from_replicates(values, subjects, unit="L/min")
    assert model.sd == close(15.3067)
    assert model.source == (
        "17 subjects, 34 readings, relative standard error 17.1%, mean of first − second 4.941"
    )
    assert Z * sqrt(2) * model.sd == close(42.427)
    assert from_repeatability(42.4272, definition="difference").sd == close(15.3067)


def test_the_sd_of_differences_over_the_root_of_two_ignores_the_mean_change():
    differences = np.subtract(FIRST, SECOND)
    sd_diff = differences.std(ddof=1)
    assert sd_diff == close(21.7240)
    assert from_bias_sd(0.0, sd_diff, of="repeat").sd == close(15.3612)
    assert from_repeatability(2 * sd_diff, definition="two_sd_difference").sd == close(15.3612)


def test_wright_meter_against_the_mini_meter():
    differences = np.subtract(FIRST, MINI)
    model = from_bias_sd(differences.mean(), differences.std(ddof=1), of="comparator")
    assert (model.bias, model.sd) == (close(-2.1176), close(38.7651))
    limits = model.bias - 1.96 * model.sd, model.bias + 1.96 * model.sd
    assert limits == (close(-78.0973), close(73.8620))
    assert from_limits_of_agreement(*limits, of="comparator").sd == close(38.7651)


def test_subjects_with_one_reading_and_missing_readings_tell_nothing():
    model = from_replicates([1.0, 3.0, 9.0, 5.0, np.nan], ["a", "a", "b", "c", "c"])
    assert model.sd == close(sqrt(2.0))
    with pytest.raises(ParameterError, match="one subject with two readings"):
        from_replicates([1.0, 2.0], ["a", "b"])


def test_readings_that_spread_more_where_they_are_larger_ask_for_the_log_scale():
    low = np.arange(1.0, 11.0)
    values, subjects = np.concatenate([low, 1.1 * low]), np.tile(np.arange(10), 2)
    with pytest.warns(ClearwoodWarning, match="use scale='log'"):
        from_replicates(values, subjects)
    model = from_replicates(values, subjects, scale="log")
    assert isinstance(model, LogNormal)
    assert model.sigma == close(np.log(1.1) / sqrt(2.0))


def test_readings_on_the_log_scale_must_be_positive():
    with pytest.raises(ParameterError, match="must be positive where scale is 'log'"):
        from_replicates([0.0, 2.0], ["a", "a"], scale="log")


def test_a_repeatability_coefficient_means_one_of_three_things():
    assert from_repeatability(1.96, definition="reading").sd == close(1.0)
    with pytest.raises(ParameterError, match="definition must be one of"):
        from_repeatability(1.0, definition="RC")


def test_standard_deviations_that_are_the_noise_as_reported():
    assert from_within_subject_sd(15.3) == Normal(15.3)
    assert from_sem(3.2, unit="°") == Normal(3.2, unit="°")
    assert from_tem(0.4) == Normal(0.4)


def test_analytical_and_within_subject_variation():
    total = from_cv(cva=0.025, cvi=0.05, scale="relative")
    assert total.cv == close(0.055902)
    assert from_rcv(0.154949, scale="relative").cv == close(0.055902)
    log = from_cv(cva=0.025, cvi=0.05, scale="lognormal")
    assert log.sigma == close(0.055858)
    for change in (0.16746, -0.14343):
        assert from_rcv(change, scale="lognormal").cv == close(0.055902)


@pytest.mark.parametrize(("cv", "sigma"), [(0.05, 0.049969), (0.20, 0.198042)])
def test_standard_deviation_of_the_logarithm(cv, sigma):
    assert from_cv(cvi=cv, scale="lognormal").sigma == close(sigma)


def test_more_specimens_shrink_the_part_that_they_repeat():
    model = from_cv(cva=0.03, cvi=0.08, scale="relative", n_samples=4)
    assert model.cv == close(0.05)


@pytest.mark.parametrize(
    ("rcv", "cv"), [(0.145, 0.052311), (0.1257, 0.045349), (0.0325, 0.011725), (0.1281, 0.046214)]
)
def test_reference_change_values_of_stable_transplants(rcv, cv):
    model = from_rcv(rcv, scale="relative")
    assert isinstance(model, Relative)
    assert model.cv == close(cv)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: from_cv(scale="relative"), "needs cva .* cvi .* or both"),
        (lambda: from_cv(cvi=5.0, scale="relative"), r"5 % is 0.05\), got 5.0"),
        (lambda: from_cv(cvi=0.05, scale="log"), "scale must be one of relative, lognormal"),
        (lambda: from_rcv(-1.0, scale="lognormal"), "a rise above 0 or a fall above -1"),
        (lambda: from_rcv(-0.1, scale="relative"), "rcv must be positive"),
    ],
)
def test_what_a_laboratory_would_not_report_is_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize(
    ("k", "cv"), [(1.65, 0.060606), (Z, 0.051021), (2, 0.05), (3, 0.033333), (6, 0.016667)]
)
def test_an_allowable_error_of_ten_percent(k, cv):
    model = from_total_allowable_error(0.10, k, scale="relative")
    assert model.cv == close(cv)
    assert "upper bound" in repr(model)


def test_a_bias_takes_part_of_the_allowable_error():
    assert from_total_allowable_error(0.10, 1.65, scale="relative", bias=0.02).cv == close(0.048485)
    absolute = from_total_allowable_error(10.0, 1.65, scale="absolute", bias=-2.0)
    assert (absolute.sd, absolute.bias) == (close(4.8485), -2.0)


def test_an_allowable_error_of_the_greater_of_two():
    model = from_total_allowable_error(0.10, Z, scale="relative", floor=6.0, unit="mg/dL")
    assert isinstance(model, GreaterOf)
    np.testing.assert_allclose(model.sd_at([50.0, 120.0]), [3.0613, 6.1226], rtol=5e-4)


def test_an_allowable_error_says_what_it_is_in_and_exceeds_its_bias():
    with pytest.raises(ParameterError, match="floor needs scale='relative'"):
        from_total_allowable_error(10.0, 2, scale="absolute", floor=6.0)
    with pytest.raises(ParameterError, match="bias must be smaller than tea"):
        from_total_allowable_error(1.0, 2, scale="absolute", bias=-1.0)
    with pytest.raises(TypeError):
        from_total_allowable_error(10.0, 2)


def test_goals_from_biological_variation():
    goals = biological_goals(0.056, 0.075, "desirable")
    assert (goals.cva, goals.bias, goals.tea) == (close(0.0280), close(0.023400), close(0.0696))
    model = from_biological_variation(0.056, 0.075, "desirable")
    assert model.cv == close(0.028)
    assert model.source == "desirable goal, not observed (bias at most 2.34%)"
    assert from_biological_variation(0.056, 0.075, "optimum").cv == close(0.014)


def test_reliability_standard_error_and_detectable_change():
    sem = from_reliability(0.90, 10.0)
    assert sem.sd == close(3.1623)
    assert Z * sqrt(2) * sem.sd == close(8.7652)
    assert from_mdc(8.7652).sd == close(3.1623)
    assert from_mdc(8.7652, level=0.9).sd == close(8.7652 / (1.644854 * sqrt(2)))


def test_reliability_found_in_another_population_warns():
    with pytest.warns(ClearwoodWarning, match="its population was another one"):
        from_reliability(0.9, 10.0, training_sd=6.0)
    assert from_reliability(0.9, 10.0, training_sd=12.0).sd == close(3.1623)


def test_shares_of_variance_and_levels_lie_between_zero_and_one():
    for make in (lambda: from_reliability(90, 10.0), lambda: from_mdc(1.0, level=95)):
        with pytest.raises(ParameterError, match="1, got 9"):
            make()


@pytest.mark.parametrize(("r", "sd"), [(10.0, 2.8868), (2.0, 0.57735)])
def test_resolution(r, sd):
    model = from_resolution(r)
    assert model == Rounding(r)
    assert model.sd_at([120.0])[0] == close(sd)


def test_two_thirds_of_pressures_ending_in_zero():
    model = from_digit_preference(share=0.64, unit="mmHg")
    assert model.sd == close(2.2657)
    assert model.source == "60% rounded to 10, the rest to 2"
    values = [120.0] * 64 + [123.0] * 36 + [np.nan]
    assert from_digit_preference(values).sd == close(2.2657)


def test_no_preference_is_the_fine_step():
    assert from_digit_preference(share=0.05).sd == close(2.0 / sqrt(12.0))


def test_digit_preference_takes_values_or_their_share():
    with pytest.raises(ParameterError, match="either values or the share"):
        from_digit_preference()
    with pytest.raises(ParameterError, match="coarse must be above fine"):
        from_digit_preference(share=0.5, coarse=1.0)


def test_what_a_maker_of_devices_means():
    assert from_device_spec(2.0, meaning="uniform") == Uniform(2.0)
    assert Uniform(2.0).sd_at([1.0])[0] == close(1.1547)
    assert from_device_spec(8.0, meaning="uniform").sd_at([1.0])[0] == close(4.6188)
    assert from_device_spec(2.0, meaning="95%").sd == close(1.0204)
    oximeter = from_device_spec(2.0, meaning="rms", bias=0.5)
    assert (oximeter.sd, oximeter.bias) == (close(1.9365), 0.5)


def test_a_bias_that_a_specification_cannot_hold_is_refused():
    with pytest.raises(ParameterError, match="bias must be 0"):
        from_device_spec(2.0, meaning="uniform", bias=1.0)
    with pytest.raises(ParameterError, match="at most the root mean square"):
        from_device_spec(2.0, meaning="rms", bias=-3.0)


def test_nine_of_ten_pairs_of_spirometry_within_120_ml():
    model = from_repeat_percentile(0.120, 0.90, unit="L")
    assert model.sd == close(0.051587)
    assert model.source == "approximate"
    with pytest.raises(ParameterError, match="p must be between 0 and 1, got 90"):
        from_repeat_percentile(0.12, 90)


@pytest.mark.parametrize(("sd", "share"), [(6.95, 0.84981), (8.0, 0.78870)])
def test_share_of_errors_of_a_pressure_cuff_within_ten(sd, share):
    below, above = Normal(sd).probability_at_most([-10.0, 10.0], [0.0])
    assert above - below == close(share)


def test_an_ejection_fraction_of_33_may_truly_be_above_35():
    model = from_limits_of_agreement(-10.5, 9.3, of="repeat")
    for noise, p in (
        (model, 0.28777),
        (model + model, 0.34607),  # the next reading errs anew
        (model.averaged(2), 0.21423),
        (model.averaged(3), 0.16607),
    ):
        assert 1.0 - noise.probability_at_most(35.0, [33.0])[0] == pytest.approx(p, abs=2e-4)

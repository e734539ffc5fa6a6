"""Noise models: worked gates, the sign of an error, what cannot be, what is printed."""

from math import inf, nan, sqrt

import numpy as np
import pytest
from scipy import stats

from clearwood.errors import ClearwoodWarning, ParameterError, TableError
from clearwood.noise import (
    Distribution,
    Empirical,
    Exact,
    GreaterOf,
    LogNormal,
    MeanFraction,
    Normal,
    Relative,
    Rounding,
    StudentT,
    TwoComponent,
    Uniform,
    from_dict,
    standard_form,
)

TEN_RESIDUALS = (-1.2, -0.9, -0.6, -0.3, -0.1, 0.0, 0.2, 0.5, 1.0, 2.0)


@pytest.mark.parametrize(
    ("model", "p"),
    [
        (Normal(1.0), 0.841345),
        (Uniform(1.5), 0.833333),
        (Rounding(3.0), 0.833333),
        (LogNormal(0.1), 0.830332),
        (TwoComponent(0.5, 0.08), 0.855427),
        (StudentT(4.0, 1.0), 0.813050),
        (StudentT(4.0, 1.0 / sqrt(2.0)), 0.884900),
        (Exact(), 1.0),
        (Relative(0.1), 0.841345),
        (GreaterOf(0.3, 0.1), 0.841345),
        (Rounding(3.0, truncated=True), 1.0 / 3.0),
    ],
    ids=repr,
)
def test_probability_that_ten_measured_is_truly_at_most_eleven(model, p):
    assert model.probability_at_most(11.0, [10.0])[0] == pytest.approx(p, abs=3e-6)


@pytest.mark.parametrize(
    ("model", "sd"),
    [(LogNormal(0.1), 0.1 * sqrt(1.01) * 10), (TwoComponent(0.5, 0.08), 0.943398)],
    ids=repr,
)
def test_standard_deviation_at_ten(model, sd):
    assert model.sd_at([10.0])[0] == pytest.approx(sd, abs=1e-6)


def test_error_is_measured_minus_true_so_that_a_skewed_law_is_turned():
    model = Empirical(TEN_RESIDUALS)
    truth = model.probability_at_most(11.0, [10.0])[0]
    below, at = (np.array(TEN_RESIDUALS) < 1.0).mean(), (np.array(TEN_RESIDUALS) == 1.0).mean()
    assert below + at / 2 == pytest.approx(0.85)  # the next reading, were 10 the true value
    assert truth == pytest.approx(0.90, abs=0.0026)


def test_a_device_that_reads_too_high_makes_low_true_values_more_likely():
    assert Normal(1.0, bias=2.0).probability_at_most(8.0, [10.0])[0] == pytest.approx(0.5)


def test_a_truncating_device_hides_up_to_a_step_above_the_reading():
    model = Rounding(1.0, truncated=True)
    np.testing.assert_allclose(
        model.probability_at_most([41.0, 41.25, 42.0], [41.0]), [0.0, 0.25, 1.0]
    )


def test_gate_of_the_paper_and_the_next_reading_under_a_flat_prior():
    once = Normal(5.75)
    assert once.probability_at_most(35.37, [38.0])[0] == pytest.approx(0.323695, abs=1e-6)
    assert (once + once).probability_at_most(35.37, [38.0])[0] == pytest.approx(0.373187, abs=1e-6)


def test_no_noise_is_the_hard_branch_with_the_threshold_on_its_lower_side():
    for model in (Exact(), Normal(0.0), TwoComponent(0.0, 0.0)):
        p = model.probability_at_most(2.5, [2.5, np.nextafter(2.5, 3), nan])
        np.testing.assert_array_equal(p, [1.0, 0.0, nan])


def test_a_value_of_zero_is_exact_under_relative_noise():
    np.testing.assert_array_equal(
        Relative(0.1).probability_at_most([-1e-9, 0.0], [0.0]), [0.0, 1.0]
    )


def test_nothing_true_lies_at_or_below_zero_on_the_log_axis():
    np.testing.assert_array_equal(LogNormal(0.5).probability_at_most([-1.0, 0.0], [2.0]), 0.0)


def test_a_value_of_zero_on_the_log_axis_is_an_error_that_names_the_column():
    with pytest.raises(TableError, match="column 'crp' holds 0 and 2 value"):
        standard_form(LogNormal(0.2), np.array([1.0, 0.0, nan, -3.0]), "crp")


@pytest.mark.parametrize(
    ("model", "axis", "shift", "scale", "cdf"),
    [
        (Exact(), "identity", 0.0, 0.0, "step"),
        (Normal(2.0, bias=1.5), "identity", -1.5, 2.0, "normal"),
        (Rounding(10.0), "identity", 0.0, 5.0, "uniform"),
        (Rounding(10.0, truncated=True), "identity", 5.0, 5.0, "uniform"),
        (LogNormal(0.1), "log", 0.0, sqrt(np.log(1.01)), "normal"),
        (Normal(3.0) + Normal(4.0, bias=1.0), "identity", -1.0, 5.0, "normal"),
    ],
    ids=repr,
)
def test_standard_form_has_one_scale_where_the_model_has(model, axis, shift, scale, cdf):
    form = standard_form(model, np.array([10.0, 20.0]), "x")
    assert (form.axis, form.shift, form.cdf, form.table) == (axis, shift, cdf, None)
    assert isinstance(form.scale, float)
    assert form.scale == pytest.approx(scale)


def test_standard_form_has_a_scale_a_row_where_it_depends_on_the_value():
    form = standard_form(Relative(0.1), np.array([10.0, -20.0, nan]), "x")
    np.testing.assert_allclose(form.scale, [1.0, 2.0, nan])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Relative(-1), "cv must be a fraction above 0 and below 1 .*, got -1"),
        (lambda: Relative(True), "cv must be a fraction above 0 and below 1 .*, got True"),
        (lambda: Normal("2"), "sd must be 0 or positive, and finite, got '2'"),
        (lambda: Normal(1.0, bias=inf), "bias must be a finite number, got inf"),
        (lambda: Rounding(0.0), "step must be positive"),
        (lambda: Rounding(1.0, truncated=1), "truncated must be True or False"),
        (lambda: MeanFraction(-0.1), "u must be 0 or positive"),
        (lambda: MeanFraction(0.1, of="median"), "of must be one of mean, mean_abs, sd"),
        (lambda: Normal(1.0, unit=""), "unit must be a text or None"),
        (lambda: Empirical([1.0]), "errors must be at least 2 finite numbers"),
        (lambda: Empirical([1.0, nan]), "1 of them not finite"),
        (lambda: Empirical(["a", "b"]), "errors must be numbers"),
        (lambda: Distribution(stats.norm), "law must be a frozen distribution"),
        (lambda: Normal(1.0).averaged(0), "m must be a whole number of readings"),
        (lambda: from_dict({"kind": "gauss"}), "kind must be one of exact, normal"),
        (lambda: from_dict({"kind": "normal", "sigma": 1}), "cannot be read.*sigma"),
        (lambda: from_dict({"kind": "distribution", "name": "os"}), "name must be that of"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (
            Normal(6.3, unit="mmHg", source="n = 54"),
            "Normal(sd=6.3, unit='mmHg', source='n = 54')",
        ),
        (Normal(2, bias=-1), "Normal(sd=2, bias=-1)"),
        (Empirical([0.5, -1.0], unit="%"), "Empirical(2 errors from -1 to 0.5, unit='%')"),
        (Distribution(stats.gamma(2, scale=0.5)), "Distribution(gamma(2, scale=0.5))"),
        (Normal(2.0) + Relative(0.05), "Normal(sd=2) + Relative(cv=0.05)"),
        (Uniform(2.0).averaged(3), "Uniform(half_width=2).averaged(3)"),
    ],
    ids=str,
)
def test_a_model_is_one_line_with_unit_and_source(model, text):
    assert repr(model) == text


def test_a_sum_has_the_unit_of_its_parts_and_refuses_two_units():
    assert (Normal(1.0) + Uniform(1.0, unit="kg")).unit == "kg"
    with pytest.raises(ParameterError, match="must be the same, got 'g', 'kg'"):
        Normal(1.0, unit="g") + Normal(1.0, unit="kg")


def test_an_exact_part_changes_no_sum():
    assert Exact() + Relative(0.1) == Relative(0.1) + Exact() == Relative(0.1)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (Relative(0.1), Rounding(1.0), "its scale changes with the value"),
        (LogNormal(0.1), Normal(1.0), "its error multiplies the value"),
        (LogNormal(0.1), LogNormal(0.1), "its error multiplies the value"),
    ],
)
def test_a_sum_without_a_form_is_refused_with_the_reason(a, b, message):
    for left, right in ((a, b), (b, a)):
        with pytest.raises(ParameterError, match=message):
            left + right


def test_a_number_is_no_noise_to_add():
    with pytest.raises(TypeError):
        Normal(1.0) + 1.0


@pytest.mark.parametrize(
    "model",
    [Normal(4.0, bias=1.0), Relative(0.04), TwoComponent(4.0, 0.04), GreaterOf(4.0, 0.04)],
    ids=repr,
)
def test_the_mean_of_four_readings_has_half_the_noise_and_the_same_bias(model):
    mean = model.averaged(4)
    assert type(mean) is type(model)
    np.testing.assert_allclose(mean.sd_at([50.0, 200.0]), model.sd_at([50.0, 200.0]) / 2.0)
    assert mean.mean_error == model.mean_error


@pytest.mark.parametrize(
    ("of", "sd"), [("mean", 0.2), ("mean_abs", 0.4), ("sd", 0.1 * sqrt(50 / 3))]
)
def test_a_fraction_is_fitted_once_to_the_known_training_values(of, sd):
    fitted = MeanFraction(0.1, of=of, unit="g").fitted(np.array([-3.0, 2.0, nan, 7.0]), "x")
    assert fitted.sd == pytest.approx(sd)
    assert (fitted.bias, fitted.unit) == (0.0, "g")


def test_a_negative_mean_gives_the_noise_of_its_size():
    assert MeanFraction(0.1).fitted([-30.0, -10.0]).sd == pytest.approx(2.0)


def test_a_mean_of_zero_is_no_noise_and_says_so():
    with pytest.warns(ClearwoodWarning, match="column 'z' has mean 0"):
        assert MeanFraction(0.1).fitted([-1.0, 1.0], "z") == Exact()


def test_a_mean_near_zero_warns_that_a_fraction_of_it_means_little():
    with pytest.warns(ClearwoodWarning, match=r"use MeanFraction\(u, of='sd'\)"):
        assert MeanFraction(0.1).fitted([-1.0, 1.1], "z").sd == pytest.approx(0.005)


@pytest.mark.parametrize("values", [[nan, nan], [], [0.0, 0.0]])
def test_a_column_that_cannot_be_cut_is_exact_without_a_warning(values):
    assert MeanFraction(0.1).fitted(values) == Exact()


def test_a_fraction_of_zero_is_exact():
    assert MeanFraction(0.0).fitted([1.0, 2.0]) == Exact()


def test_a_fraction_says_that_it_must_be_fitted_first():
    with pytest.raises(ParameterError, match="call fitted"):
        MeanFraction(0.1).probability_at_most(1.0, [1.0])


def test_a_fraction_in_a_sum_is_fitted_with_it():
    total = (MeanFraction(0.1) + Rounding(1.0)).fitted([20.0, 40.0], "x")
    assert total.sd_at([1.0])[0] == pytest.approx(sqrt(9.0 + 1.0 / 12.0))


@pytest.mark.parametrize("make", [Relative, LogNormal, lambda cv: TwoComponent(1.0, cv),
                                  lambda cv: GreaterOf(1.0, cv)])  # fmt: skip
def test_a_cv_that_looks_like_a_percentage_is_refused(make):
    with pytest.raises(ParameterError, match=r"cv must be a fraction.*\(5 % is 0.05\), got 6"):
        make(cv=6)


@pytest.mark.parametrize(("given", "name"), [(("a", 1.0), "threshold"), ((1.0, "a"), "measured")])
def test_a_probability_of_what_is_no_number_is_refused_by_name(given, name):
    with pytest.raises(ParameterError, match=f"{name} must be a number or numbers, got 'a'"):
        Normal(1.0).probability_at_most(*given)

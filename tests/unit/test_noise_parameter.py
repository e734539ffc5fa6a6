"""Noise parameters of estimators: what may be written, and what each column gets of it."""

import numpy as np
import pandas as pd
import pytest

from clearwood.errors import ClearwoodWarning, ColumnNotFound, ParameterError, TableError
from clearwood.noise import (
    Distribution,
    Exact,
    Interval,
    LogNormal,
    MeanFraction,
    Normal,
    PerRow,
    Relative,
    Rounding,
    StudentT,
    columns_of_sizes,
    fit_noise,
    resolve_noise,
    standard_forms,
)
from clearwood.table import Column, read_table


@pytest.fixture
def table():
    frame = pd.DataFrame(
        {
            "ef": [20.0, 40.0, np.nan],
            "crp": [1.0, 0.0, 3.0],
            "sex": ["f", "m", "f"],
            "stage": pd.Categorical(["I", "II", "I"], ["I", "II"], ordered=True),
            "ef_sd": [0.0, 2.0, np.nan],
        }
    )
    return read_table(frame, columns={"ef": Column(unit="%")})


def test_none_is_no_noise(table):
    assert resolve_noise(None, table) == (None,) * 5


def test_a_fraction_is_that_of_the_mean_on_every_numeric_column(table):
    models = fit_noise(0.1, table)
    assert [None if m is None else round(m.sd, 10) for m in models] == [
        3,
        0.1333333333,
        None,
        None,
        0.1,
    ]


def test_a_fraction_of_zero_is_no_noise(table):
    assert resolve_noise(0, table) == (None,) * 5


def test_a_fraction_keeps_what_training_said_on_other_rows(table):
    models = fit_noise({"ef": MeanFraction(0.1)}, table)
    other = read_table(pd.DataFrame({n: [100.0] for n in ("ef", "crp", "sex", "stage", "ef_sd")}))
    assert standard_forms(models, other)[0].scale == pytest.approx(3.0)


def test_a_mapping_gives_noise_to_the_columns_it_names(table):
    forms = resolve_noise({"ef": Normal(2.0, bias=1.0), "crp": Relative(0.1)}, table)
    assert (forms[0].shift, forms[0].scale) == (-1.0, 2.0)
    np.testing.assert_allclose(forms[1].scale, [0.1, 0.0, 0.3])
    assert forms[2:] == (None, None, None)


@pytest.mark.parametrize("model", [None, Exact(), Normal(0.0)])
def test_noise_of_nothing_leaves_the_column_hard(table, model):
    assert resolve_noise({"ef": model}, table)[0] is None


def test_exact_is_no_noise_that_a_nominal_column_could_not_have(table):
    assert resolve_noise({"sex": Exact()}, table)[2] is None


@pytest.mark.parametrize(
    ("noise", "error", "message"),
    [
        ({"ef": 5.0}, ParameterError, r"Normal\(sd=5.0\) .* MeanFraction\(u=5.0\)"),
        ({"eff": Normal(1.0)}, ColumnNotFound, "no column 'eff'; did you mean 'ef'"),
        ({"sex": Normal(1.0)}, ParameterError, r"noise\['sex'\] .* the column is nominal"),
        ({"stage": Normal(1.0)}, ParameterError, "the column is ordinal"),
        ({"ef": "normal"}, ParameterError, "must be a noise model such as Normal"),
        ({"ef": Normal(1.0, unit="mmHg")}, ParameterError, "in 'mmHg', but the column is in '%'"),
        ({"crp": LogNormal(0.1)}, TableError, "column 'crp' holds 0"),
        ({"ef": PerRow(Normal(1.0), "sd")}, ColumnNotFound, "no column 'sd'"),
        ({"ef": PerRow(Normal(1.0), "sex")}, ParameterError, "it must hold numbers"),
        (-0.1, ParameterError, "noise must be 0 or positive, and finite, got -0.1"),
        (np.nan, ParameterError, "got nan"),
        (True, ParameterError, "noise must be None, a fraction of the mean"),
        ("soft", ParameterError, "noise must be None, a fraction of the mean"),
    ],
)
def test_what_could_be_misread_is_refused(table, noise, error, message):
    with pytest.raises(error, match=message):
        resolve_noise(noise, table)


def test_messages_name_the_parameter(table):
    with pytest.raises(ParameterError, match="search_noise must be 0 or positive"):
        fit_noise(-1.0, table, "search_noise")


def test_a_standardised_column_warns_that_its_mean_means_little():
    z = read_table(pd.DataFrame({"z": [-1.0, 0.0, 1.01]}))
    with pytest.warns(ClearwoodWarning, match="column 'z'"):
        fit_noise(0.1, z)


def test_a_device_column_gives_each_row_its_own_noise(table):
    form = resolve_noise({"ef": PerRow(Normal(5.0, bias=1.0), "ef_sd")}, table)[0]
    np.testing.assert_array_equal(form.scale, [0.0, 2.0, 5.0])
    assert (form.cdf, form.shift) == ("normal", -1.0)


def test_sizes_beside_the_table_come_first(table):
    beside = {"device": np.array([1.0, np.nan, 3.0])}
    form = resolve_noise({"ef": PerRow(MeanFraction(0.1), "device")}, table, beside)[0]
    np.testing.assert_allclose(form.scale, [1.0, 3.0, 3.0])


def test_an_exact_base_is_exact_where_the_device_column_says_nothing(table):
    form = resolve_noise({"ef": PerRow(Exact(), "ef_sd")}, table)[0]
    np.testing.assert_array_equal(form.scale, [0.0, 2.0, 0.0])
    assert form.cdf == "normal"


def test_a_base_of_another_shape_is_stretched_to_the_standard_deviation():
    sd = np.array([6.0])
    for base in (Rounding(10.0), StudentT(5.0, 2.0), Normal(1.0) + Rounding(1.0)):
        form = PerRow(base, "sd").form([50.0], sd, "x")
        u = (np.arange(20000) + 0.5) / 20000
        true = form.quantile(u, np.full(20000, 50.0))
        assert true.std() == pytest.approx(6.0, rel=0.01)


def test_a_base_without_a_standard_deviation_cannot_be_stretched():
    with pytest.raises(ParameterError, match="whose tails are too heavy"):
        PerRow(StudentT(1.0, 1.0), "sd").form([1.0], [1.0], "x")


def test_noise_that_multiplies_has_no_standard_deviation_a_row():
    with pytest.raises(ParameterError, match="base must be noise that adds"):
        PerRow(LogNormal(0.1), "sd")


def test_a_negative_size_is_an_error_that_names_its_column():
    with pytest.raises(TableError, match="column 'sd' holds -1"):
        PerRow(Normal(1.0), "sd").form([1.0, 2.0], [1.0, -1.0], "x")


def test_an_interval_is_uniform_over_its_width_and_exact_without_one():
    p = Interval("w").probability_at_most(17.0, [18.0, 17.0, 18.0, np.nan], [2.0, 0.0, np.nan, 1.0])
    np.testing.assert_array_equal(p, [0.25, 1.0, 0.0, np.nan])


def test_columns_of_sizes_are_named_once(table):
    noise = {"a": PerRow(Normal(1.0), "s"), "b": Interval("s"), "c": Normal(1.0)}
    assert columns_of_sizes(noise) == ("s",)
    assert columns_of_sizes(0.1) == columns_of_sizes(None) == ()


def test_a_histogram_has_no_name_to_be_saved_under():
    from scipy import stats

    model = Distribution(stats.rv_histogram(np.histogram([1.0, 2.0, 2.5]))())
    with pytest.raises(ParameterError, match="made by hand cannot be saved"):
        model.to_dict()


@pytest.mark.parametrize("of", ["mean", "mean_abs", "sd"])
def test_a_weight_of_two_counts_as_two_rows(of):
    values, weights = np.array([-3.0, 2.0, np.nan, 7.0, 50.0]), np.array([1.0, 2.0, 5.0, 3.0, 0.0])
    weighted = MeanFraction(0.1, of=of).fitted(values, "x", weights)
    repeated = MeanFraction(0.1, of=of).fitted(np.repeat(values, weights.astype(int)), "x")
    assert weighted.sd == pytest.approx(repeated.sd, rel=1e-14)


def test_weights_reach_the_models_within_sums_and_rows(table):
    noise = {
        "ef": MeanFraction(0.1) + Rounding(1.0),
        "crp": PerRow(MeanFraction(0.5), "ef_sd"),
    }
    models = fit_noise(noise, table, weights=np.array([3.0, 1.0, 2.0]))
    assert models[0].parts[0].sd == pytest.approx(2.5)  # (3 × 20 + 40) / 4, times 0.1
    assert models[1].base.sd == pytest.approx(0.75)  # (3 × 1 + 2 × 3) / 6, times 0.5

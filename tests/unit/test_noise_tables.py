"""Tables of quantiles: as good as the distributions they stand for, also when errors add up."""

import numpy as np
import pytest
from scipy import stats

from clearwood.noise import Distribution, Empirical, NoiseModel, Normal, Rounding, StudentT, Uniform
from clearwood.noise.quantile_table import (
    LOGITS,
    N_POINTS,
    PROBABILITIES,
    cdf_of,
    tabulated,
    turned,
)

LAWS = {
    "normal": stats.norm(),
    "lognormal 0.5": stats.lognorm(0.5),
    "lognormal 2": stats.lognorm(2.0),
    "t3": stats.t(3.0),
    "cauchy": stats.cauchy(),
    "gamma 0.3": stats.gamma(0.3, scale=2.0),
    "gamma 2": stats.gamma(2.0),
    "uniform": stats.uniform(-1.0, 2.0),
    "laplace": stats.laplace(),
}


def places_between(table):
    """Points at, halfway between and at a tenth of the way between the entries of a table."""
    low, high = table[:-1], table[1:]
    return np.concatenate([low + share * (high - low) for share in (0.0, 0.1, 0.5, 0.9)])


def test_probabilities_are_equally_spaced_in_logit_and_symmetric():
    assert len(PROBABILITIES) == N_POINTS == 4097
    assert PROBABILITIES[[0, -1]] == pytest.approx([1e-9, 1 - 1e-9], rel=1e-12)
    np.testing.assert_allclose(np.diff(LOGITS), LOGITS[1] - LOGITS[0])
    np.testing.assert_allclose(PROBABILITIES + PROBABILITIES[::-1], 1.0)


@pytest.mark.parametrize("name", LAWS)
def test_a_table_errs_by_less_than_a_hundred_thousandth(name):
    law = LAWS[name]
    table = tabulated(law.ppf, law.isf)
    at = places_between(table)
    assert np.abs(cdf_of(table, at) - law.cdf(at)).max() < 1e-5


@pytest.mark.parametrize("name", LAWS)
def test_a_turned_table_is_that_of_the_negated_variable(name):
    law = LAWS[name]
    table = turned(tabulated(law.ppf, law.isf))
    at = places_between(table)
    assert np.abs(cdf_of(table, at) - law.sf(-at)).max() < 1e-5


def test_beyond_the_table_nothing_or_everything_lies_below():
    table = tabulated(stats.norm.ppf, stats.norm.isf)
    np.testing.assert_array_equal(cdf_of(table, np.array([-9.0, 9.0, table[-1]])), [0, 1, 1])


def test_at_a_step_its_upper_end_counts():
    form = Empirical([0.0, 1.0]).probability_at_most([9.0, 9.5, 10.0], [10.0])
    np.testing.assert_allclose(form, [0.5, 0.5, 1.0], atol=0.0026)


@pytest.mark.parametrize(
    ("model", "law"),
    [
        (StudentT(1.0, 2.0).averaged(5), stats.cauchy(scale=2.0)),
        (StudentT(1.0, 1.0) + StudentT(1.0, 2.0), stats.cauchy(scale=3.0)),
        (Uniform(1.0).averaged(2), stats.triang(0.5, -1.0, 2.0)),
        (Rounding(2.0) + Rounding(2.0, truncated=True), stats.triang(0.5, -3.0, 4.0)),
        (Distribution(stats.gamma(2.0)) + Distribution(stats.gamma(3.0)), stats.gamma(5.0)),
        (Distribution(stats.gamma(2.0)).averaged(6), stats.gamma(12.0, scale=1 / 6)),
        (Distribution(stats.norm(1.0, 3.0)) + Normal(4.0, bias=2.0), stats.norm(3.0, 5.0)),
        (Distribution(stats.laplace()) + Normal(0.0, bias=2.0), stats.laplace(2.0)),
        (
            Distribution(stats.norm(0, 0.01)) + Distribution(stats.norm(0, 5)),
            stats.norm(0, 5.00001),
        ),
    ],
    ids=lambda value: repr(value) if isinstance(value, NoiseModel) else "scipy",
)
def test_errors_that_add_up_have_the_distribution_of_their_sum(model, law):
    p = np.concatenate([[1e-7, 1e-5, 1e-3], np.arange(0.01, 1.0, 0.01), [0.999, 1 - 1e-5]])
    error = law.ppf(p)
    np.testing.assert_allclose(1.0 - model.probability_at_most(-error, [0.0]), p, atol=2e-5)


def test_a_mean_of_coins_is_binomial():
    form = Empirical([0.0, 1.0]).averaged(10)
    heads = np.arange(-10, 1)
    exact = stats.binom.cdf(heads + 10, 10, 0.5)
    np.testing.assert_allclose(
        form.probability_at_most((heads + 0.5) / 10, [0.0]), exact, atol=0.0026
    )


def test_normal_and_rounding_add_up_to_the_integral_of_the_normal():
    h, sd, t = 5.0, 2.0, np.array([-8.0, -5.0, -1.0, 0.0, 3.0, 6.0])
    exact = [stats.norm.cdf((x - np.linspace(-h, h, 20001)) / sd).mean() for x in t]
    sum_of_both = Normal(sd) + Rounding(2 * h)
    np.testing.assert_allclose(sum_of_both.probability_at_most(t, [0.0]), exact, atol=3e-5)


def test_observed_errors_and_normal_ones_add_up_to_a_mixture():
    errors, t = np.array([-2.0, 0.0, 0.5, 3.0]), np.array([-4.0, -1.0, 0.0, 0.3, 2.0])
    exact = [stats.norm.cdf((x + errors) / 0.6).mean() for x in t]
    total = Empirical(errors) + Normal(0.6)
    np.testing.assert_allclose(total.probability_at_most(t, [0.0]), exact, atol=2e-5)


def test_observed_errors_add_up_to_all_their_sums():
    total = Empirical([-1.0, 0.0]) + Empirical([0.0, 3.0, 9.0])
    sums = np.array([-1.0, 2.0, 8.0, 0.0, 3.0, 9.0])
    t = np.array([-8.5, -5.0, -2.5, -1.0, 0.5])
    exact = [(-sums <= x).mean() for x in t]
    np.testing.assert_allclose(total.probability_at_most(t, [0.0]), exact, atol=0.0026)

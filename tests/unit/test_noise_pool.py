"""Pooling of studies: the worked values, and what cannot be pooled."""

import pytest

from clearwood.errors import ParameterError
from clearwood.noise import Study, pool

THREE = [Study(54, 5.05, -0.6), Study(100, 6.0, 1.5), Study(40, 7.2, -2.0)]


def close(value):
    return pytest.approx(value, rel=5e-4)


def test_fixed_effects():
    found = pool(THREE, "fixed", unit="%")
    assert (found.bias, found.sd) == (close(0.23876), close(5.98353))
    assert (found.between_biases.q, found.between_sds.q) == (close(9.77566), close(5.78658))
    assert found.sd_of_mean_variance == close(6.02673)
    assert (found.model.sd, found.model.bias, found.model.unit) == (found.sd, found.bias, "%")


def test_random_effects_widen_the_noise_in_a_new_place():
    found = pool(THREE, "random")
    assert (found.bias, found.bias_se) == (close(-0.20470), close(0.98946))
    assert (found.between_biases.tau2, found.between_sds.tau2) == (close(2.28096), close(0.064719))
    assert (found.sd, found.model.sd) == (close(6.03020), close(6.21645))
    assert found.n_studies == 3


def test_without_the_variance_between_studies_the_noise_is_that_of_a_study():
    assert pool(THREE, "random", include_between_study=False).model.sd == close(6.03020)


def test_heterogeneity_is_the_share_of_q_above_its_expectation():
    assert pool(THREE).between_biases.i2 == close((9.77566 - 2.0) / 9.77566)


def test_equal_studies_do_not_differ():
    found = pool([Study(20, 3.0, 1.0)] * 3)
    assert (found.between_biases.tau2, found.between_biases.i2) == (0.0, 0.0)
    assert (found.bias, found.bias_se) == (close(1.0), close(3.0 / 60**0.5))


def test_the_summary_names_studies_q_tau_and_i():
    text = str(pool(THREE))
    assert text.startswith("3 studies, random effects: Normal(sd=6.216")
    for part in ("Q 9.78", "τ² 2.281", "I² 80%", "Q 5.79"):
        assert part in text


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pool(THREE[:1]), "at least two, got 1"),
        (lambda: pool(THREE, "mixed"), "method must be one of fixed, random"),
        (lambda: Study(1, 2.0), "n must be a whole number of at least 2, got 1"),
        (lambda: Study(10, 0.0), "sd must be positive"),
    ],
)
def test_what_cannot_be_pooled_is_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()

"""Noise multiplied by a factor."""

import numpy as np
import pytest
from scipy import stats

from clearwood.errors import ParameterError
from clearwood.noise import Distribution, Empirical, Exact, Normal, Uniform, typical
from clearwood.noise.scaled import scaled

SCALABLE = [m for m in typical() if not isinstance(m, Distribution | Exact)]


@pytest.mark.parametrize("model", SCALABLE, ids=repr)
def test_standard_deviation_is_multiplied(model):
    at = np.array([2.0, 20.0])
    # A lognormal's grows a little faster than its coefficient of variation.
    tolerance = 0.02 if model.kind == "log_normal" else 0.003
    assert scaled(model, 0.5).sd_at(at) == pytest.approx(0.5 * model.sd_at(at), rel=tolerance)


@pytest.mark.parametrize("model", SCALABLE, ids=repr)
def test_factor_of_one_changes_nothing(model):
    assert scaled(model, 1.0) == model


def test_factor_of_zero_is_exact():
    assert scaled({"a": Normal(sd=2.0, bias=1.0)}, 0.0) == {"a": Exact()}


def test_bias_is_multiplied_with_the_rest():
    assert scaled(Normal(sd=2.0, bias=1.0), 3.0) == Normal(sd=6.0, bias=3.0)
    assert scaled(Empirical([-1.0, 2.0]), 2.0) == Empirical([-2.0, 4.0])


def test_fractions_and_mappings_keep_their_form():
    assert scaled(0.1, 2.0) == pytest.approx(0.2)
    assert scaled(None, 2.0) is None
    assert scaled({"a": Uniform(1.0), "b": None}, 2.0) == {"a": Uniform(2.0), "b": None}


def test_negative_factor_is_refused():
    with pytest.raises(ParameterError, match="factor must be 0 or positive, and finite, got -1"):
        scaled(Normal(sd=1.0), -1)


def test_noise_of_unreachable_size_is_refused():
    with pytest.raises(ParameterError, match="has a size that no factor reaches"):
        scaled(Distribution(stats.norm(0, 1)), 2.0)

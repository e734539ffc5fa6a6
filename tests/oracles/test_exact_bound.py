"""The exact bound is scipy's beta quantile, and Clopper-Pearson's limit where counts are whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from clearwood import _core
from shared_data import shared


def upper_rate(n, e, confidence):
    return (e + _core.added_errors(n, e, confidence, "exact")) / n


@given(
    n=st.floats(1e-2, 1e6),
    wrong=st.floats(0, 0.999),
    confidence=st.floats(1e-6, 0.999),
)
def test_the_exact_bound_is_a_beta_quantile(n, wrong, confidence):
    e = n * wrong
    expected = special.betainccinv(e + 1, n - e, confidence)
    assert upper_rate(n, e, confidence) == pytest.approx(expected, rel=1e-10)


def test_the_exact_bound_is_clopper_and_pearsons_limit_of_whole_counts():
    values = json.loads(shared("oracles", "c45", "_adderrs_table.json").read_text())
    whole = [v for v in values if v["clopper_pearson_upper"] is not None and v["cf_percent"] < 100]
    assert len(whole) > 1000
    for value in whole:
        rate = upper_rate(value["N"], value["e"], value["cf_percent"] / 100)
        assert rate == pytest.approx(value["clopper_pearson_upper"], abs=1e-12)

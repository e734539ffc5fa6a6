"""Risk in a node: what it predicts, with Wilson's interval of its training rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.metrics.proportion import wilson as wilson_of_metrics
from clearwood.tree.by_hand import build, leaf
from clearwood.tree.risk import Risk, percent, risk, wilson


@given(total=st.integers(1, 10**6), data=st.data())
def test_interval_is_that_of_the_metrics(total, data):
    count = data.draw(st.integers(0, total))
    found = wilson_of_metrics(count, total)
    assert wilson(count, total) == pytest.approx((found.lower, found.upper), abs=1e-12)


def test_no_rows_have_no_interval():
    assert np.isnan(wilson(0, 0)).all()
    assert Risk(0.5, *wilson(0, 0)).text() == "50 %"


def test_scaling_all_weights_changes_no_interval():
    ten = build(leaf([2, 8], n_rows=10), [], ["a", "b"])
    scaled = build(leaf([0.2, 0.8], n_rows=10), [], ["a", "b"])
    assert risk(scaled, 0, 1).text() == risk(ten, 0, 1).text() == "80 % (49–94)"


def test_percents_never_claim_certainty():
    assert [percent(share) for share in (0, 0.001, 0.5, 0.996, 0.99999, 1)] == [
        "0 %", "<1 %", "50 %", ">99 %", ">99 %", "100 %"
    ]  # fmt: skip

"""The added-errors function of C4.5 against the original's own values."""

import json

import pytest

from clearwood import _core
from shared_data import shared


@pytest.fixture(scope="module")
def values():
    return json.loads(shared("oracles", "c45", "_adderrs_table.json").read_text())


def added(value):
    # In single precision as the original: there 0.9999 itself is below the bound 0.9999.
    confidence = value["cf_percent"] / 100
    return _core.added_errors(value["N"], value["e"], confidence, "c45", single_precision=True)


def test_added_errors_are_those_of_the_original(values):
    assert len(values) > 2500
    for value in values:
        rounding = 2e-7 * (1 + value["N"])  # the original's, of a difference of numbers up to N
        assert added(value) == pytest.approx(value["add_errs"], abs=rounding), value


def test_upper_rate_for_no_errors_is_the_exact_binomial_limit(values):
    exact = [v for v in values if v["e"] == 0 and v["clopper_pearson_upper"] is not None]
    assert exact
    for value in exact:
        assert added(value) / value["N"] == pytest.approx(value["clopper_pearson_upper"], abs=1e-6)

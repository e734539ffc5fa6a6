"""Wishes about columns are checked at once; features know their levels."""

import copy
import pickle

import pytest

from clearwood.errors import ParameterError
from clearwood.table import Column, Feature


def test_allowed_cuts_are_kept_sorted_and_once():
    assert Column(allowed_cuts=[40, 35, 35]).allowed_cuts == (35.0, 40.0)


def test_columns_of_equal_wishes_are_equal_after_copy_and_pickle():
    column = Column(unit="%", resolution=1, direction="decreasing", allowed_cuts=[35], cost=2)
    assert copy.deepcopy(column) == column == pickle.loads(pickle.dumps(column))


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"kind": "number"}, "kind must be one of numeric, ordinal, nominal, got 'number'"),
        ({"direction": "up"}, "direction must be one of increasing, decreasing, got 'up'"),
        ({"unit": " "}, "unit must be a text"),
        ({"resolution": 0}, "resolution must be a positive finite number, got 0"),
        ({"resolution": float("nan")}, "resolution must be a positive finite number, got nan"),
        ({"cost": "2"}, "cost must be a positive finite number, got '2'"),
        ({"cost": True}, "cost must be a positive finite number, got True"),
        ({"allowed_cuts": []}, "allowed_cuts must be a list of finite numbers"),
        ({"allowed_cuts": "35"}, "allowed_cuts must be a list of finite numbers"),
        ({"allowed_cuts": [float("inf")]}, "allowed_cuts must be a list of finite numbers"),
        ({"forced": True}, "forced=True needs allowed_cuts"),
        ({"forced": "yes"}, "forced must be one of False, True, got 'yes'"),
        ({"kind": "nominal", "direction": "increasing"}, "direction must be None where kind"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(wish, says):
    with pytest.raises(ParameterError) as caught:
        Column(**wish)
    assert says in str(caught.value)


def test_whole_number_levels_are_written_without_a_decimal_point():
    feature = Feature("dose", "ordinal", (2.0, 5, 12.5, "high"))
    assert [feature.level_text(code) for code in range(4)] == ["2", "5", "12.5", "high"]


@pytest.mark.parametrize("code", [-1, 2, 0.5])
def test_a_code_without_level_is_refused(code):
    with pytest.raises(ParameterError, match="whole number from 0 to 1"):
        Feature("sex", "nominal", ("f", "m")).level_text(code)


def test_levels_of_a_feature_differ_and_numbers_have_none():
    with pytest.raises(ParameterError, match="must differ"):
        Feature("sex", "nominal", ("f", "f"))
    with pytest.raises(ParameterError, match="numeric"):
        Feature("age", "numeric", (1, 2))

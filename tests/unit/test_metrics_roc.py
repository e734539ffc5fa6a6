"""The area under the ROC curve and DeLong's interval against hand numbers and slow versions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from clearwood.errors import ParameterError
from clearwood.metrics import auc, auc_all_classes, delong

EVENT, SCORE = [False, False, True, True], [0.1, 0.4, 0.35, 0.8]


def slow_delong(is_event, score):
    """Area and variance from all pairs, as DeLong, DeLong and Clarke-Pearson (1988) define them."""
    events = [s for s, e in zip(score, is_event, strict=True) if e]
    others = [s for s, e in zip(score, is_event, strict=True) if not e]
    wins = np.array([[(x > y) + (x == y) / 2 for y in others] for x in events])
    m, n = wins.shape
    variance = wins.mean(axis=1).var(ddof=1) / m + wins.mean(axis=0).var(ddof=1) / n
    return wins.mean(), variance


def test_area_is_the_share_of_pairs_in_order():
    assert auc(EVENT, SCORE) == 0.75


def test_a_tie_counts_half():
    assert auc([True, False], [0.5, 0.5]) == 0.5


def test_interval_of_four_rows_worked_by_hand():
    # Placements 1/2 and 1 of the events, 1 and 1/2 of the others: variance 1/8 each, halved twice.
    found = delong(EVENT, SCORE)
    assert found.value == 0.75
    assert found.lower == pytest.approx(0.75 - 1.959963985 * np.sqrt(0.125))
    assert found.upper == 1.0


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=4, max_size=40))
def test_area_is_that_of_scikit_learn_and_variance_that_of_all_pairs(rows):
    is_event = [True, True, False, False, *(e for e, _ in rows)]
    score = [0.0, 3.0, 1.0, 2.0, *(float(s) for _, s in rows)]
    area, variance = slow_delong(is_event, score)
    found = delong(is_event, score)
    assert found.value == pytest.approx(roc_auc_score(is_event, score), abs=1e-12)
    assert found.value == pytest.approx(area, abs=1e-12)
    half = 1.959963984540054 * np.sqrt(variance)
    assert found.lower == pytest.approx(max(0, area - half), abs=1e-9)
    assert found.upper == pytest.approx(min(1, area + half), abs=1e-9)


def test_interval_holds_the_true_area_as_often_as_it_says():
    random = np.random.default_rng(1)
    truth = 0.7602499389065233  # P(a normal with mean 1 exceeds one with mean 0): Phi(1 / sqrt(2))
    is_event = np.repeat([True, False], 60)
    held = 0
    for _ in range(400):
        found = delong(is_event, random.normal(size=120) + is_event)
        held += found.lower <= truth <= found.upper
    assert 0.92 <= held / 400 <= 0.98


@pytest.mark.parametrize(
    ("is_event", "score"),
    [([True, False, False], [1, 2, 3]), ([True, True, False, False], [3, 4, 1, 2])],
    ids=["one event", "perfectly parted"],
)
def test_no_interval_is_claimed_where_the_method_does_not_apply(is_event, score):
    found = delong(is_event, score)
    assert np.isnan([found.lower, found.upper]).all()
    assert str(found) == f"{found.value:.3f}"


def test_area_is_undefined_without_both_kinds_of_row():
    assert np.isnan(auc([True, True], [0.1, 0.2]))
    assert str(delong([True, True], [0.1, 0.2])) == "undefined"


def test_area_over_all_classes_is_the_mean_of_one_against_the_rest():
    random = np.random.default_rng(2)
    y = random.integers(0, 3, 50)
    table = random.dirichlet([1, 1, 1], 50)
    assert auc_all_classes([0, 1, 2], y, table) == pytest.approx(
        roc_auc_score(y, table, multi_class="ovr")
    )


def test_a_class_without_rows_is_left_out_of_the_mean():
    table = [[0.7, 0.2, 0.1], [0.2, 0.7, 0.1]]
    assert auc_all_classes(["a", "b", "c"], ["a", "b"], table) == 1.0
    assert np.isnan(auc_all_classes(["a", "b", "c"], ["a", "a"], table))


def test_a_score_that_is_no_number_is_refused_with_its_row():
    with pytest.raises(
        ParameterError, match="score must be a number in every row, got NaN in row 1"
    ):
        auc([True, False], [0.5, float("nan")])


def test_lists_of_unequal_length_are_refused():
    with pytest.raises(ParameterError, match=r"got shapes \(2,\) and \(1,\)"):
        auc([True, False], [0.5])


@pytest.mark.parametrize("confidence", [0, 1, 95, float("nan")])
def test_a_confidence_that_is_no_share_is_refused(confidence):
    with pytest.raises(ParameterError, match="confidence must be between 0 and 1"):
        delong(EVENT, SCORE, confidence)

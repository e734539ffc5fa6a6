"""Wilson's interval, calibration by leaf, Brier score, accuracy: published and hand numbers."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, brier_score_loss

from clearwood.errors import ParameterError
from clearwood.metrics import (
    accuracy,
    balanced_accuracy,
    balanced_accuracy_interval,
    brier_score,
    brier_score_all_classes,
    brier_score_interval,
    calibration_by_leaf,
    evaluate,
    wilson,
)


@pytest.mark.parametrize(
    ("count", "total", "lower", "upper"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(count, total, lower, upper):
    # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3.
    found = wilson(count, total)
    assert (round(found.lower, 4), round(found.upper, 4)) == (lower, upper)


def test_wilson_ends_solve_the_score_equation():
    found = wilson(7, 19, 0.9)
    for end in (found.lower, found.upper):
        assert abs(7 / 19 - end) / np.sqrt(end * (1 - end) / 19) == pytest.approx(1.6448536)


def test_wilson_is_exact_at_both_ends():
    assert wilson(0, 7).lower == 0.0
    assert wilson(7, 7).upper == 1.0


def test_wilson_of_no_rows_is_undefined_and_of_too_many_refused():
    assert str(wilson(0, 0)) == "undefined"
    with pytest.raises(ParameterError, match="count must be from 0 to total=3, got 4"):
        wilson(4, 3)


def test_each_leaf_is_compared_with_what_happened_in_it():
    leaf = [5, 2, 2, 2, 2, 5]
    is_event = [True, False, False, True, False, True]
    probability = [0.9, 0.25, 0.25, 0.25, 0.15, 0.9]
    first, second = calibration_by_leaf(leaf, is_event, probability)
    assert (first.leaf, first.n_rows, first.n_events) == (2, 4, 1)
    assert first.predicted == pytest.approx(0.225)
    assert first.observed == wilson(1, 4)
    assert (second.leaf, second.n_rows, second.n_events) == (5, 2, 2)
    assert second.observed == wilson(2, 2)


def test_a_leaf_is_compatible_while_the_prediction_is_in_the_interval():
    (found,) = calibration_by_leaf([1] * 20, [False] * 20, [0.16] * 20)
    assert found.is_compatible
    (found,) = calibration_by_leaf([1] * 20, [False] * 20, [0.17] * 20)
    assert not found.is_compatible


def test_brier_score_is_the_mean_squared_difference():
    assert brier_score([True, False, True], [1.0, 0.5, 0.5]) == pytest.approx(0.5 / 3)
    random = np.random.default_rng(0)
    is_event, probability = random.random(40) < 0.5, random.random(40)
    assert brier_score(is_event, probability) == pytest.approx(
        brier_score_loss(is_event, probability)
    )


def test_brier_score_over_two_classes_is_twice_that_of_one():
    probability = np.array([0.2, 0.9, 0.4])
    table = np.column_stack([1 - probability, probability])
    both = brier_score_all_classes(["no", "yes"], ["no", "yes", "yes"], table)
    assert both == pytest.approx(2 * brier_score([False, True, True], probability))


def test_brier_interval_is_normal_around_the_mean():
    found = brier_score_interval([False, False], [0.2, 0.4])  # squares 0.04 and 0.16
    half = 1.959963985 * np.std([0.04, 0.16], ddof=1) / np.sqrt(2)
    assert found.value == pytest.approx(0.10)
    assert (found.lower, found.upper) == (0.0, pytest.approx(0.10 + half))
    assert np.isnan(brier_score_interval([True], [0.5]).lower)


def test_a_probability_above_one_is_refused_with_its_row():
    with pytest.raises(ParameterError, match=r"from 0 to 1, got 1\.5 in row 1"):
        brier_score([True, False], [0.5, 1.5])


def test_balanced_accuracy_counts_each_class_the_same():
    y, predicted = ["a"] * 8 + ["b"] * 2, ["a"] * 8 + ["a", "b"]
    assert accuracy(y, predicted) == 0.9
    assert balanced_accuracy(y, predicted) == 0.75
    random = np.random.default_rng(3)
    true, guess = random.integers(0, 4, 60), random.integers(0, 4, 60)
    assert balanced_accuracy(true, guess) == pytest.approx(balanced_accuracy_score(true, guess))


def test_balanced_accuracy_interval_adds_the_squares_of_the_wilson_distances():
    y = ["a"] * 10 + ["b"] * 10
    predicted = ["a"] * 8 + ["b"] * 2 + ["b"] * 8 + ["a"] * 2
    found, each = balanced_accuracy_interval(y, predicted), wilson(8, 10)
    assert found.value == 0.8
    assert found.lower == pytest.approx(0.8 - (0.8 - each.lower) / np.sqrt(2))
    assert found.upper == pytest.approx(0.8 + (each.upper - 0.8) / np.sqrt(2))


def test_nothing_is_claimed_of_no_rows():
    assert np.isnan(accuracy([], []))
    assert np.isnan(balanced_accuracy([], []))
    assert np.isnan(brier_score([], []))
    assert calibration_by_leaf([], [], []) == []


def test_rows_that_several_leaves_answer_are_a_group_of_their_own():
    found = calibration_by_leaf(
        np.array([2, 2, 5, 5], np.int32),
        [True, False, True, True],
        [0.4, 0.7, 0.8, 0.3],
        shared=[False, True, False, True],
    )
    assert [(group.leaf, group.n_rows, group.n_events) for group in found] == [
        (2, 1, 1), (5, 1, 1), (None, 2, 1),
    ]  # fmt: skip
    assert found[2].predicted == pytest.approx(0.5)
    with pytest.raises(ParameterError, match="shared must have one entry for each of the 1 rows"):
        calibration_by_leaf([2], [True], [0.5], shared=[True, False])


def test_shared_rows_are_judged_by_the_class_predicted_for_each_where_none_is_asked_about():
    classes, y = ["a", "b"], ["a", "b", "a"]
    probabilities = [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]
    found = evaluate(classes, y, probabilities, [1, 1, 1], [0, 0], shared=[False, True, True])
    assert [(group.leaf, group.n_rows, group.n_events) for group in found.leaves] == [
        (1, 1, 1), (None, 2, 1),
    ]  # fmt: skip
    assert found.leaves[1].predicted == pytest.approx(0.7)

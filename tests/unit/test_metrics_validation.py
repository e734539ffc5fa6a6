"""Cross-validation: folds, held-out predictions, and the interval of a mean over folds."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier

from clearwood.errors import ParameterError
from clearwood.metrics import (
    corrected_resampled_t,
    cross_validate,
    evaluate,
    group_folds,
    measure,
    repeated_folds,
    summarize,
    wilson,
)


def splits_of(y, n_folds, n_repeats=1, seed=0):
    return repeated_folds(y, n_folds, n_repeats, np.random.default_rng(seed))


@given(st.lists(st.sampled_from("abc"), min_size=3, max_size=60), st.data())
def test_each_repeat_holds_out_every_row_once_in_even_parts(y, data):
    n_folds = data.draw(st.integers(2, len(y)))
    splits = splits_of(y, n_folds, n_repeats=2)
    assert len(splits) == 2 * n_folds
    for repeat in (splits[:n_folds], splits[n_folds:]):
        held_out = np.concatenate([test for _, test in repeat])
        assert sorted(held_out.tolist()) == list(range(len(y)))
        sizes = [len(test) for _, test in repeat]
        assert max(sizes) - min(sizes) <= 1
        for label in set(y):
            of_label = [sum(y[row] == label for row in test) for _, test in repeat]
            assert max(of_label) - min(of_label) <= 1
    for train, test in splits:
        assert sorted([*train.tolist(), *test.tolist()]) == list(range(len(y)))


def test_repeats_deal_the_rows_anew_and_the_seed_fixes_them():
    y = ["a", "b"] * 20
    first, second = splits_of(y, 2, n_repeats=2)[::2]
    assert first[1].tolist() != second[1].tolist()
    again = splits_of(y, 2, n_repeats=2)[0]
    assert first[1].tolist() == again[1].tolist()


@pytest.mark.parametrize("n_folds", [0, 1, 4])
def test_folds_that_cannot_be_are_refused(n_folds):
    with pytest.raises(
        ParameterError, match=f"n_folds must be from 2 to the 3 rows, got {n_folds}"
    ):
        splits_of(["a", "b", "a"], n_folds)


def test_a_group_is_held_out_whole():
    splits = group_folds(["x", "y", "x", "z"])
    assert {name: test.tolist() for name, (_, test) in splits.items()} == {
        "x": [0, 2], "y": [1], "z": [3],
    }  # fmt: skip
    with pytest.raises(ParameterError, match="at least two groups"):
        group_folds(["x", "x"])


@pytest.mark.parametrize("frame", [np.array, lambda X: pl.DataFrame(X, orient="row")])
def test_held_out_rows_are_predicted_by_a_model_that_did_not_see_them(frame):
    X, y = frame([[0.0], [1.0], [2.0], [3.0]]), np.array(["a", "a", "b", "c"])
    splits = [(np.array([0, 1, 2]), np.array([3])), (np.array([1, 2, 3]), np.array([0]))]
    first, second = cross_validate(DummyClassifier(strategy="prior"), X, y, ["a", "b", "c"], splits)
    assert first.rows.tolist() == [3]
    assert first.probabilities == pytest.approx(np.array([[2 / 3, 1 / 3, 0]]))
    assert second.probabilities == pytest.approx(np.array([[1 / 3, 1 / 3, 1 / 3]]))


def test_interval_of_a_mean_over_folds_worked_by_hand():
    # Variance 0.005, factor 1/2 + 1/9 (Nadeau and Bengio 2003), t with one degree of freedom.
    found = corrected_resampled_t([0.8, 0.9], n_test=1, n_train=9)
    half = 12.706204736 * np.sqrt((1 / 2 + 1 / 9) * 0.005)
    assert found.value == pytest.approx(0.85)
    assert (found.lower, found.upper) == (pytest.approx(0.85 - half), pytest.approx(0.85 + half))


def test_undefined_scores_are_left_out_of_the_mean():
    assert corrected_resampled_t([0.5, np.nan], 1, 9).value == 0.5
    assert np.isnan(corrected_resampled_t([np.nan], 1, 9).value)


def test_interval_over_folds_is_wider_than_the_plain_t_interval():
    scores = np.linspace(0.7, 0.8, 50)
    found = corrected_resampled_t(scores, n_test=10, n_train=90)
    plain = scores.std(ddof=1) / np.sqrt(50)
    assert (found.upper - found.value) / plain == pytest.approx(
        2.009575237 * np.sqrt(1 + 50 / 9), rel=1e-6
    )


def test_measures_about_an_event_and_about_all_classes():
    y, table = ["no", "no", "yes", "yes"], [[0.9, 0.1], [0.6, 0.4], [0.65, 0.35], [0.2, 0.8]]
    found = measure(["no", "yes"], y, table, "yes")
    assert found == {
        "balanced_accuracy": 0.75,
        "auc": 0.75,
        "brier_score": pytest.approx((0.01 + 0.16 + 0.4225 + 0.04) / 4),
        "accuracy": 0.75,
    }
    of_all = measure(["no", "yes"], y, table)
    assert of_all["brier_score"] == pytest.approx(2 * found["brier_score"])
    assert of_all["auc"] == 0.75


def test_an_event_that_is_no_class_is_refused():
    with pytest.raises(ParameterError, match="one of the classes 'no', 'yes', got 'maybe'"):
        measure(["no", "yes"], ["no"], [[1, 0]], "maybe")


def test_summary_is_the_mean_of_the_folds():
    y = np.array(["a", "b"] * 10)
    splits = splits_of(y, 5, n_repeats=2)
    folds = list(cross_validate(DummyClassifier(strategy="prior"), np.zeros((20, 1)), y,
                                ["a", "b"], splits))  # fmt: skip
    found = summarize(folds, ["a", "b"], y, n_repeats=2, event="b")
    assert (found.n_rows, found.n_folds, found.n_repeats) == (20, 5, 2)
    assert found.measures["accuracy"].value == pytest.approx(0.5)
    assert found.measures["brier_score"].value == pytest.approx(0.25)
    assert found.measures["auc"].value == pytest.approx(0.5)


def test_evaluation_about_an_event():
    found = evaluate(
        ["no", "yes"], ["no", "yes", "yes"], [[0.8, 0.2], [0.8, 0.2], [0.1, 0.9]],
        leaf=[1, 1, 2], leaf_label=[1, 0, 1], event="yes",
    )  # fmt: skip
    assert found.n_events == {"yes": 2}
    assert found.expected == {"yes": pytest.approx(1.3)}
    assert found.auc["yes"].value == 0.75
    assert found.accuracy == wilson(2, 3)
    assert [(leaf.leaf, leaf.n_events) for leaf in found.leaves] == [(1, 1), (2, 1)]


def test_evaluation_about_all_classes_asks_each_leaf_about_its_own():
    found = evaluate(
        ["a", "b", "c"], ["a", "b", "b"], [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.8, 0.1]],
        leaf=[1, 2, 2], leaf_label=[0, 0, 1],
    )  # fmt: skip
    assert list(found.auc) == ["a", "b", "c"]
    assert [leaf.n_events for leaf in found.leaves] == [1, 2]
    assert [leaf.predicted for leaf in found.leaves] == pytest.approx([0.8, 0.8])

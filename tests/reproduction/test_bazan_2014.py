"""The experiment with verified trees: folds, what is compared, coverage, patients read again."""

import math
import statistics

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning
from experiments.__main__ import load, papers
from experiments.protocol.store import Store
from experiments.protocol.tables import number
from shared_data import shared

bazan = load("bazan-2014")
accuracy, data_sets, flips, methods = bazan.accuracy, bazan.data_sets, bazan.flips, bazan.methods
OPTIONS = bazan.PROTOCOL["methods"]


def small(n_rows=120, seed=1):
    """Two columns that say the same, noisily, and one that says nothing."""
    rng = np.random.default_rng(seed)
    risk = rng.normal(100, 10, n_rows)
    X = pd.DataFrame({
        "first": risk + rng.normal(0, 3, n_rows),
        "second": -risk + rng.normal(0, 3, n_rows),
        "other": rng.normal(50, 5, n_rows),
    })  # fmt: skip
    return data_sets.Grouped(X, (risk > 100).astype(int), np.arange(n_rows))


def test_the_experiment_holds_only_the_claims_that_survive():
    assert "bazan-2014" in papers()
    points = [number(row["points"]) for row in bazan.EXPECTED.values()]
    assert points == [0.1, 8.8, 6.1, 7.7, 8.8]


def test_folds_of_groups_leave_no_group_on_both_sides_and_test_every_row_once():
    group = np.repeat(np.arange(12), 5)
    y = np.repeat(np.arange(12) % 3 == 0, 5)
    data = data_sets.Grouped(np.zeros((60, 1)), y, group)
    parts = list(data.folds(4, [1, 0]))
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(60))
    for train, test in parts:
        assert not set(group[train]) & set(group[test])
        assert y[test].sum() == 5  # one of the four groups with the event


def test_rows_are_their_own_groups_where_nothing_else_is_known():
    data = small()
    sizes = {len(test) for _, test in data.folds(10, [1, 0])}
    assert sizes <= {11, 12, 13}


def test_recordings_of_a_parkinson_subject_stay_together():
    shared("data", "parkinsons", "groups.csv")
    data = data_sets.data_set("parkinsons, by subject")
    assert data.X.shape == (195, 22)
    assert len(np.unique(data.group)) == 32
    tested = [set(data.group[test]) for _, test in data.folds(10, [2014, 0])]
    assert sum(map(len, tested)) == 32
    assert len(np.unique(data_sets.data_set("parkinsons").group)) == 195


def test_a_folder_of_ones_own_is_read_with_the_class_last(tmp_path):
    frame = pd.DataFrame({"M1": [0.5, 1.5, 2.5], "M2": [1, 2, 3], "class": ["a", "b", "a"]})
    frame.to_csv(tmp_path / "data.csv", index=False)
    data = data_sets.data_set(str(tmp_path))
    assert data.X.tolist() == [[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]]
    assert data.y.tolist() == ["a", "b", "a"]
    with pytest.raises(FileNotFoundError, match=r"holds none of data\.csv"):
        data_sets.data_set(str(tmp_path / "nowhere"))


def test_no_witness_is_rs_c_and_variants_differ_in_what_they_name():
    made = {name: make() for name, make in methods.compared(OPTIONS).items()}
    assert made["RS-C"].n_verifiers == 0
    assert [made[f"RS-V {k}"].n_verifiers for k in (1, 2, 3, 5, 9)] == [1, 2, 3, 5, 9]
    assert made["RS-V 3"].orientation == "both"
    assert made["RS-V 3, same"].orientation == "same"
    assert made["RS-V 3, main"].conflict == "main"
    assert made["RS-V 9, probability"].conflict == "probability"
    assert made["RS-V 3, lax"].agreement == 0.7
    assert made["RS-V 3"].pruning is None
    assert made["RS-C, pruned"].pruning == made["RS-V 3, pruned"].pruning


def test_coverage_is_that_of_the_estimator():
    data = small()
    model = cw.VerifiedTreeClassifier(conflict="probability").fit(data.X, data.y)
    test = small(60, seed=2)
    found = accuracy.fold_scores(model, test.X, test.y)
    for place, least in enumerate((0.7, 0.8)):
        rejecting = cw.VerifiedTreeClassifier(conflict="probability", min_confidence=least)
        rejecting.fit(data.X, data.y)
        covered = rejecting.is_covered(test.X)
        assert found["coverage"][place] == rejecting.coverage(test.X) < 1
        right = (rejecting.predict(test.X) == test.y)[covered]
        assert found["covered_accuracy"][place] == right.mean()


def test_full_trees_never_doubt_under_the_rule_of_the_paper():
    data, test = small(), small(60, seed=2)
    for conflict in ("paper", "main"):
        model = cw.VerifiedTreeClassifier(conflict=conflict).fit(data.X, data.y)
        assert set(np.unique(model.predict_proba(test.X))) == {0.0, 1.0}


def test_a_gain_is_in_points_with_the_corrected_interval():
    found = {
        "RS-C": {"accuracy": [0.8, 0.7, 0.6, 0.7]},
        "RS-V 3": {"accuracy": [0.9, 0.9, 0.9, 0.9]},
    }
    gain = accuracy.gain(found, "RS-V 3")
    # 1/4 + 1/9 of the variance .02/3 of the differences; t of 3 degrees is 3.1824
    half = 100 * 3.18245 * math.sqrt((1 / 4 + 1 / 9) * 0.02 / 3)
    assert gain.value == pytest.approx(20.0)
    assert (gain.lower, gain.upper) == pytest.approx((20 - half, 20 + half), abs=1e-3)
    assert accuracy.gain_text(gain) == "+20.0 (+4.4 to +35.6) *"
    assert accuracy.gain_text(accuracy.gain(found, "RS-C")) == "0.0"


def test_shares_have_an_interval_within_0_and_100_unless_all_folds_are_the_same():
    # 1/4 + 1/9 of the variance 200/3 is 24.07, its root 4.906; t of 3 degrees is 3.1824
    assert accuracy.share_text([90, 80, 70, 80]) == "80.0 (64.4 to 95.6)"
    assert accuracy.share_text([90, 80, math.nan, 70, 80]) == "80.0 (64.4 to 95.6)"
    assert accuracy.share_text([100, 100, 80, 100]) == "95.0 (75.9 to 100.0)"
    assert accuracy.share_text([0, 0, 20, 0]) == "5.0 (0.0 to 24.1)"
    assert accuracy.share_text([100.0] * 4) == "100.0"


def test_one_cross_validation_is_the_folds_of_the_first_repeat():
    found = {"a": {"RS-C": {"accuracy": [0.5] * 10 + [1.0] * 90}}}
    assert accuracy.first_repeat(found) == {"a": {"RS-C": {"accuracy": [0.5] * 10}}}


def test_coverage_is_shown_of_the_threshold_asked_for():
    found = {"a": {"RS-V 1": {"coverage": [[1.0, 0.9], [1.0, 0.9]]}}}
    assert "100.0" in accuracy.coverage(found, ["RS-V 1"], 0)
    assert "90.0" in accuracy.coverage(found, ["RS-V 1"], 1)


def test_flips_of_several_sets_are_averaged_fold_by_fold():
    found = {
        "a": {"RS-C": {"accuracy": [0.5, 0.75], "flips": [[0.25, 0.5], [0.0, 1.0]]}},
        "b": {"RS-C": {"accuracy": [1.0, 0.25], "flips": [[0.75, 0.0], [0.5, 0.5]]}},
    }
    expected = {"accuracy": [0.75, 0.5], "flips": [[0.5, 0.25], [0.25, 0.75]]}
    assert flips.mean_of(found) == {"RS-C": expected}


def test_data_sets_with_other_folds_do_not_count_twice_in_the_summary():
    every = {name: {"accuracy": [0.5, 0.6]} for name in methods.compared(OPTIONS)}
    found = {"parkinsons": every, "parkinsons, by subject": every}
    assert accuracy.summary(found).startswith("## Summary of 1 data sets")


def test_readings_add_noise_of_the_training_mean_to_the_measured_columns_alone():
    data = small(2000)
    again = flips.readings(data.X, data.X, ["first", "other"], 0.1, [1])
    assert len(again) == 20 * 2000
    error = again["first"].to_numpy().reshape(20, -1) - data.X["first"].to_numpy()
    assert error.mean() == pytest.approx(0, abs=0.2)
    assert error.std() == pytest.approx(10.0, rel=0.02)  # a tenth of 100
    assert (again["second"].to_numpy().reshape(20, -1) == data.X["second"].to_numpy()).all()


def test_flips_are_counted_against_the_answer_to_the_first_reading():
    data = small()
    model = cw.TreeClassifier(max_depth=1).fit(data.X[["first"]], data.y)
    cut = float(model.tree_.threshold[0])
    X, y = pd.DataFrame({"first": [cut - 5, cut + 5]}), np.array([0, 1])
    again = pd.DataFrame({"first": [cut - 4, cut + 4, cut + 4, cut + 6]})  # two readings
    found = flips.fold_shares(model, X, y, {0.1: again, 0.2: X})
    assert found == {"accuracy": 1.0, "flips": [0.25, 0.0], "accuracy_again": [0.75, 1.0]}


@pytest.mark.parametrize("name", bazan.DATA["flips"])
def test_what_is_measured_again_is_there_and_numeric(name):
    shared("data", bazan.PROTOCOL["measured"][name]["folder"])
    data, columns = data_sets.measured(name)
    assert all(pd.api.types.is_numeric_dtype(data.X[column]) for column in columns)
    assert "age" not in {column.lower() for column in columns}


def test_a_glucose_of_nothing_is_missing():
    shared("data", "pima_diabetes")
    data, _ = data_sets.measured("diabetes")
    assert data.X["Glucose"].isna().sum() == 5
    assert data.X["Pregnancies"].isna().sum() == 0


@pytest.mark.filterwarnings(f"ignore::{ClearwoodWarning.__module__}.{ClearwoodWarning.__name__}")
def test_pruning_and_soft_cuts_keep_answers_where_witnesses_hardly_do():
    shared("data", "saheart")
    data, columns = data_sets.measured("heart disease")
    found = flips.repeat_shares(data, columns, "heart disease", 0)
    share = {
        method: statistics.mean(fold[1] for fold in measures["flips"])
        for method, measures in found.items()
    }
    assert abs(share["RS-V 3"] - share["RS-C"]) < 0.03
    assert share["RS-C, pruned"] < 0.7 * share["RS-C"]
    assert share["soft tree"] < 0.5 * share["RS-C"]


def test_what_was_run_is_not_run_again(monkeypatch):
    shared("data", "colon_alon")
    only = {"RS-C": methods.verified(0), "RS-V 3": methods.verified(3)}
    monkeypatch.setattr(methods, "compared", lambda options: only)
    monkeypatch.setitem(bazan.PROTOCOL["cross_validation"], "repeats", 1)
    store = Store()
    monkeypatch.setattr(accuracy, "methods", methods)
    monkeypatch.setattr(accuracy, "PROTOCOL", bazan.PROTOCOL)
    first = accuracy.scores("colon", store)
    monkeypatch.setattr(accuracy.data_sets, "data_set", None)
    assert accuracy.scores("colon", store) == first
    assert len(first["RS-V 3"]["accuracy"]) == 10

"""What experiments share: splits, noise, tests of significance, tables, the store."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from experiments.protocol.noise_grid import (
    scales,
    seed_of,
    with_class_noise,
    with_measurement_noise,
)
from experiments.protocol.significance import (
    corrected_resampled_t,
    difference_of_proportions,
    holm,
    paired_delong,
    twice_the_median,
    wilcoxon,
)
from experiments.protocol.splits import folds, stratified_folds, stratified_split
from experiments.protocol.store import opened
from experiments.protocol.tables import beside, markdown, number


def test_folds_test_every_row_once_in_parts_of_equal_size():
    parts = list(folds(23, 5, 7))
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(23))
    assert {len(test) for _, test in parts} == {4, 5}
    assert all(len(train) + len(test) == 23 for train, test in parts)
    again = list(folds(23, 5, 7))
    assert all((a[1] == b[1]).all() for a, b in zip(parts, again, strict=True))


def test_stratified_folds_deal_every_class_evenly():
    y = np.array(["a"] * 11 + ["b"] * 7)
    for _, test in stratified_folds(y, 3, 0):
        assert (y[test] == "a").sum() in (3, 4)
        assert (y[test] == "b").sum() in (2, 3)


def test_stratified_split_takes_its_share_of_each_class():
    y = np.array([0] * 70 + [1] * 30)
    train, test = stratified_split(y, 0.3, 0)
    assert (y[test] == 0).sum() == 21
    assert (y[test] == 1).sum() == 9
    assert len(np.intersect1d(train, test)) == 0


def test_noise_has_the_scale_of_the_training_mean_and_leaves_the_missing_missing():
    X = pd.DataFrame({"x": [10.0, np.nan] * 5000, "site": ["a", "b"] * 5000})
    scale_of = scales(X, 0.1)
    assert scale_of == {"x": 1.0}
    noisy = with_measurement_noise(X, scale_of, np.random.default_rng(0))
    assert noisy["x"].isna().sum() == 5000
    assert noisy["x"].std() == pytest.approx(1.0, abs=0.05)
    assert (noisy["site"] == X["site"]).all()
    assert scales(X, 0.1, of="sd") == {"x": 0.0}


def test_class_noise_turns_the_share_of_labels_to_other_classes():
    y = np.array(["a", "b", "c"] * 3000)
    changed = with_class_noise(y, 0.2, np.random.default_rng(0))
    assert (changed != y).mean() == pytest.approx(0.2, abs=0.02)
    assert (with_class_noise(y, 0.0, np.random.default_rng(0)) == y).all()


def test_a_seed_of_names_is_the_same_everywhere_and_differs_by_part():
    assert seed_of("heart", 3, (0, 0.1)) == seed_of("heart", 3, 0, 0.1)
    assert seed_of("heart", 3) != seed_of("heart", 4)
    assert seed_of("heart") == [1626129382]


def test_difference_of_proportions_is_dietterichs_z():
    # 20.3 % against 15.8 % on 690 rows: p = .1805, z = .045 / sqrt(2 * .1805 * .8195 / 690)
    found = difference_of_proportions(0.203, 0.158, 690)
    assert found.statistic == pytest.approx(0.045 / math.sqrt(2 * 0.1805 * 0.8195 / 690))
    assert found.p_value == pytest.approx(0.0298, abs=5e-4)
    one = difference_of_proportions(0.203, 0.158, 690, sides=1)
    assert one.p_value == pytest.approx(found.p_value / 2)
    assert difference_of_proportions(0.0, 0.0, 10).p_value == 1.0


def test_the_corrected_t_of_four_folds_worked_by_hand():
    # Differences .1, .2, .3, .2: mean .2, variance .02/3; 1/4 + 1/3 = 7/12 of it is .0038889.
    found = corrected_resampled_t([0.9, 0.9, 0.9, 0.9], [0.8, 0.7, 0.6, 0.7], 25, 75)
    assert found.statistic == pytest.approx(0.2 / math.sqrt(0.02 / 3 * 7 / 12))
    assert found.statistic == pytest.approx(3.20713, abs=1e-5)
    assert found.p_value == pytest.approx(2 * stats.t.sf(3.20713, 3), abs=1e-6)
    back = corrected_resampled_t([0.8, 0.7, 0.6, 0.7], [0.9, 0.9, 0.9, 0.9], 25, 75)
    assert back.statistic == pytest.approx(-found.statistic)


def test_the_corrected_t_is_the_paired_t_where_no_rows_are_shared():
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 12))
    plain = stats.ttest_rel(first, second)
    found = corrected_resampled_t(first, second, 0, 1)
    assert found.statistic == pytest.approx(plain.statistic)
    assert found.p_value == pytest.approx(plain.pvalue)
    assert corrected_resampled_t(first, first, 1, 9).p_value == 1.0


def test_paired_delong_of_four_rows_worked_by_hand():
    # Areas 1 and 1/2. Placements of the events 1, 1 and 1/2, 1/2; of the others 1, 1 and 1, 0:
    # the differences are 1/2, 1/2 and 0, 1, of variance 0 and 1/2; z = .5 / sqrt(.5 / 2) = 1.
    is_event = [True, True, False, False]
    found = paired_delong(is_event, [3, 4, 1, 2], [2, 2, 1, 3])
    assert found.statistic == pytest.approx(1.0)
    assert found.p_value == pytest.approx(0.317311, abs=1e-6)


def test_paired_delong_is_that_of_all_pairs():
    rng = np.random.default_rng(1)
    is_event = rng.random(60) < 0.3
    scores = (rng.integers(0, 6, (2, 60)) + is_event).astype(float)
    wins = [
        (s[is_event][:, None] > s[~is_event]) + (s[is_event][:, None] == s[~is_event]) / 2
        for s in scores
    ]
    by_event, by_other = (np.array([w.mean(axis=axis) for w in wins]) for axis in (1, 0))
    spread = np.cov(by_event) / is_event.sum() + np.cov(by_other) / (~is_event).sum()
    z = (wins[0].mean() - wins[1].mean()) / math.sqrt(
        spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]
    )
    found = paired_delong(is_event, *scores)
    assert found.statistic == pytest.approx(z)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert paired_delong(is_event, scores[0], scores[0]).p_value == 1.0


def test_paired_delong_compares_scores_within_groups_only():
    # Both groups are the four rows worked by hand, of z = .5 / sqrt(.25); the second group's scores
    # stand on another scale. Sums of two: z = 1 / sqrt(.5).
    is_event = np.tile([True, True, False, False], 2)
    first = np.concatenate([[3, 4, 1, 2], [103, 104, 101, 102]])
    second = np.concatenate([[2, 2, 1, 3], [-98, -98, -99, -97]])
    found = paired_delong(is_event, first, second, np.repeat(["a", "b"], 4))
    assert found.statistic == pytest.approx(math.sqrt(2))
    assert paired_delong(is_event, first, second).statistic != pytest.approx(math.sqrt(2))


def test_paired_delong_finds_a_difference_that_is_not_there_as_often_as_it_says():
    rng = np.random.default_rng(2)
    is_event = np.arange(200) < 60
    p_values = []
    for _ in range(400):
        shared = rng.normal(size=200) + is_event
        first, second = (shared + rng.normal(size=200) for _ in range(2))
        p_values.append(paired_delong(is_event, first, second).p_value)
    assert 0.02 < np.mean(np.array(p_values) < 0.05) < 0.08


def test_p_values_of_repeats_are_one_by_twice_their_median():
    assert twice_the_median([0.01, 0.2, 0.03]) == pytest.approx(0.06)
    assert twice_the_median([0.6, 0.9]) == 1.0


def test_wilcoxon_and_holm():
    assert wilcoxon([1, 2, 3], [1, 2, 3]).p_value == 1.0
    assert wilcoxon([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0]).p_value == pytest.approx(2 / 2**6)
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])


def test_tables_put_our_numbers_beside_the_papers():
    assert beside(3.04, 2.8) == "3.0 / 2.8 (+0.2)"
    assert beside(3.04, number("")) == "3.0 / –"
    assert markdown(["a", "n"], [["x", "10"]]) == "| a |  n |\n| - | -: |\n| x | 10 |"


def test_a_store_keeps_runs_by_key_and_across_openings(tmp_path):
    path = tmp_path / "new" / "runs.sqlite"
    with opened(path) as store:
        store.put("paper", {"seed": 1, "c": 0.5}, {"size": 3})
        store.put("paper", {"c": 0.5, "seed": 1}, {"size": 5})
        store.put("other", {"seed": 1}, {"size": 9})
    with opened(path) as store:
        assert store.get("paper", {"seed": 1, "c": 0.5}) == {"size": 5}
        assert store.get("paper", {"seed": 2}) is None
        assert store.runs("paper") == [{"c": 0.5, "seed": 1, "size": 5}]

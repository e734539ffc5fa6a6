"""What experiments share: splits, noise, tests of significance, tables, the store."""

import math

import numpy as np
import pandas as pd
import pytest

from experiments.protocol.noise_grid import (
    scales,
    seed_of,
    with_class_noise,
    with_measurement_noise,
)
from experiments.protocol.significance import difference_of_proportions, holm, wilcoxon
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

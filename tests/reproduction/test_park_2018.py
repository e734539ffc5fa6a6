"""The experiment with chains: cohorts, measures, which methods are compared, what comes out."""

import itertools
import statistics

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.noise import MeanFraction, Normal
from experiments.__main__ import load
from experiments.protocol.data import DataSet
from experiments.protocol.store import Store
from shared_data import shared

park = load("park-2018")
accuracy, cohorts, figures, flips = park.accuracy, park.cohorts, park.figures, park.flips
methods = park.methods
OPTIONS = park.PROTOCOL["methods"]


@pytest.mark.parametrize("name", cohorts.COURSES)
def test_a_simulated_cohort_has_the_papers_rows_and_events(name):
    data = cohorts.cohort(name, 1)
    expected = accuracy.EXPECTED[(name,)]
    assert len(data.y) == int(expected["n_rows"])
    assert data.y.sum() == int(expected["n_events"])
    assert data.X.shape[1] == 6 * 4
    again, other = cohorts.cohort(name, 1), cohorts.cohort(name, 2)
    assert data.X.equals(again.X)
    assert not data.X.equals(other.X)


def test_summaries_of_a_vital_sign_lie_between_its_least_and_its_largest():
    X = cohorts.cohort("septic-like", 1).X
    for sign, behaviour in cohorts.SIGNS.items():
        part = X[[f"{sign}_{summary}" for summary in cohorts.SUMMARIES]].dropna().to_numpy()
        last, least, largest, mean = part.T
        assert (least <= last).all()
        assert (last <= largest).all()
        assert (least <= mean).all()
        assert (mean <= largest).all()
        assert least.min() >= behaviour.bounds[0]
        assert largest.max() <= behaviour.bounds[1]


def test_events_come_with_low_pressure_in_one_cohort_and_slow_hearts_in_the_other():
    for name, column, gap in (("septic-like", "SBP_last", -15), ("asystole-like", "HR_last", -15)):
        data = cohorts.cohort(name, 1)
        means = data.X[column].groupby(data.y).mean()
        assert means[1] - means[0] < gap


def test_the_open_stays_are_read_as_they_are():
    shared("data", "physionet2012_seta")
    data = cohorts.cohort("physionet-2012", 1)
    assert data.X.shape == (4000, 24)
    assert data.y.sum() == 554


@pytest.mark.parametrize(
    ("score", "flagged", "sensitivity"),
    [
        ([4, 3, 2, 1], 0.5, 1 / 2),  # of the two on top one has the event
        ([4, 3, 2, 1], 0.75, 1.0),
        ([1, 1, 1, 1], 0.5, 1 / 2),
        ([2, 1, 1, 1], 0.5, 1 / 2 + 1 / 2 * 1 / 3),  # one of the three equal ones is flagged
    ],
)
def test_sensitivity_where_a_share_is_flagged(score, flagged, sensitivity):
    has_event = [True, False, True, False]
    assert accuracy.sensitivity_at(has_event, score, flagged) == pytest.approx(sensitivity)


def first_fold(name):
    """Training and test part of a cohort: the first fold of the first repeat."""
    data = cohorts.cohort(name, park.PROTOCOL["cohorts"]["seed"])
    train, test = next(iter(accuracy.parts(data.y.to_numpy() == 1, 0)))
    return (DataSet(data.X.iloc[rows], data.y.iloc[rows]) for rows in (train, test))


class Recorded:
    """Stands in for a classifier and keeps what it was made with."""

    def __init__(self, **options):
        self.options = options


def test_chains_and_alpha_trees_are_compared_with_the_settings_of_the_protocol(monkeypatch):
    for name in ("DecisionChainClassifier", "AlphaTreeClassifier"):
        monkeypatch.setattr(cw, name, Recorded)
    made = {name: method.make(14.0) for name, method in methods.available(OPTIONS).items()}
    lists = ["chain, 4", "chain, 8", "falling list, 4", "falling list, 8"]
    trees = ["α-tree, 1", "α-tree, 2", "α-tree, 4", "α-tree, 8"]
    assert [name for name in made if isinstance(made[name], Recorded)] == lists + trees
    assert made["chain, 8"].options == {"max_length": 8, "velocity": 0.1}
    assert made["falling list, 4"].options == {
        "max_length": 4,
        "start_alpha": 2,
        "direction": "falling",
    }
    assert made["α-tree, 8"].options == {
        "alpha": 8,
        "reference": "product",
        "max_depth": 3,
        "min_samples_leaf": 14.0,
    }
    others = methods.other_settings(OPTIONS)
    assert others["chain, 8, ν = 0.01"].make(14.0).options == {"max_length": 8, "velocity": 0.01}
    assert others["chain, 4, α from 64"].make(14.0).options["start_alpha"] == 64
    assert others["α-tree, 8, uniform"].make(14.0).options["reference"] == "uniform"


def test_the_paper_compares_information_gain_gini_and_alpha_trees_of_the_product():
    known = methods.available(OPTIONS) | methods.other_settings(OPTIONS)
    assert [name for name, method in known.items() if method.is_tree_of_the_paper] == [
        "information gain", "CART", "α-tree, 1", "α-tree, 2", "α-tree, 4", "α-tree, 8",
    ]  # fmt: skip


def test_what_is_told_the_noise_searches_divides_and_predicts_with_it():
    for method in methods.told(OPTIONS, 0.1).values():
        model = method.make(14.0)
        assert model.search_noise == model.propagation_noise == model.evaluation_noise == 0.1


def test_what_is_not_installed_is_named():
    lists = [name for name in methods.available(OPTIONS) if name.startswith("imodels")]
    absent = methods.absent(OPTIONS)
    assert absent == ([] if lists else ["GreedyRuleListClassifier of imodels"])


def test_a_repeat_scores_every_row_by_a_tree_that_did_not_see_it():
    whole = cohorts.cohort("septic-like", 1)
    data = DataSet(whole.X.iloc[:300], whole.y.iloc[:300])
    found = accuracy.repeat_results(data, methods.available(OPTIONS)["information gain"], 0)
    assert not np.isnan(found["score"]).any()
    assert [len(found[part]) for part in ("auc", "sensitivity", "n_rules")] == [5, 5, 5]
    assert max(found["n_rules"]) <= 8
    assert 0.5 < np.mean(found["auc"]) < 0.9


def test_a_leaf_holds_one_percent_of_the_rows_and_ten_at_least():
    assert accuracy.least_rows(500) == 10
    assert accuracy.least_rows(1087) == 11


def test_rows_are_told_the_fold_that_holds_them_out():
    has_event = np.arange(50) < 10
    fold_of = accuracy.tested_in(has_event, 2)
    for fold, (_, test) in enumerate(accuracy.parts(has_event, 2)):
        assert (np.flatnonzero(fold_of == fold) == test).all()


def test_methods_are_held_against_the_baseline_by_both_tests():
    rng = np.random.default_rng(0)
    has_event = np.arange(100) < 30
    good, bad = 2 * has_event + rng.normal(size=100), rng.normal(size=100)
    found = {
        "chain, 4": {"auc": [0.81, 0.79, 0.8, 0.8], "score": [good.tolist()] * 3},
        "CART": {"auc": [0.5, 0.49, 0.51, 0.5], "score": [bad.tolist()] * 3},
        "C4.5": {"auc": [0.81, 0.79, 0.8, 0.8], "score": [good.tolist()] * 3},
    }
    p_values = accuracy.p_values(found, "chain, 4", has_event)
    assert list(p_values) == ["CART", "C4.5"]
    assert max(p_values["CART"]) < 0.01
    assert p_values["C4.5"] == (1.0, 1.0)
    assert accuracy.verdict(found, "chain, 4", p_values, ["CART", "C4.5"]) == (
        "By the corrected t chain, 4 is better than CART; not clearly different from C4.5."
    )


def test_a_chain_of_the_septic_like_cohort_carves_high_pressures_first():
    train, test = first_fold("septic-like")
    model = methods.available(OPTIONS)["chain, 4"].make(0.0).fit(train.X, train.y)
    risks = [step.risk for step in model.steps_]
    assert len(risks) == 4
    assert all(a <= b for a, b in itertools.pairwise(risks))
    assert all(a >= b for a, b in itertools.pairwise(model.alphas_))
    assert model.tree_.features[int(model.tree_.column[0])].name == "SBP_last"
    assert model.tree_.threshold[0] == 126.5
    held_out = model.predict_proba(test.X)[:, 1]
    assert accuracy.auc(test.y == 1, held_out) == pytest.approx(0.765839, abs=1e-6)


def test_the_flag_is_cut_where_the_share_comes_nearest():
    scores = [0.1] * 4 + [0.2] * 3 + [0.5] * 3
    assert flips.flagging_cut(scores, 0.5) == 0.2  # 60 % are flagged; from 0.5 on it is 30 %
    assert flips.flagging_cut(scores, 0.4) == 0.5


def test_changes_between_readings_counted_by_hand():
    first = np.array([0.1, 0.2, 0.5, 0.5])
    again = np.array([[0.1, 0.5, 0.5, 0.2], [0.1, 0.1, 0.5, 0.5]])
    has_event = np.array([False, True, True, False])
    assert flips.shares(0.5, first, again, has_event) == {
        "stratum": 3 / 8,  # the second patient twice, the last one once
        "side": 2 / 8,
        "flagged": 2 / 4,
        "lost": 0.0,  # the event of the two that are flagged keeps its flag
    }
    assert flips.shares(0.2, first, again, has_event)["lost"] == 1 / 4


def test_noise_is_a_tenth_of_the_mean_or_that_of_the_vital_sign():
    noise = cohorts.noises(park.PROTOCOL["flips"], ["SBP_last", "SaO2_mean"])
    assert noise["10 %"] == {"SBP_last": MeanFraction(0.1), "SaO2_mean": MeanFraction(0.1)}
    assert noise["devices"] == {"SBP_last": Normal(6.3), "SaO2_mean": Normal(2.0)}


def test_patients_are_read_again_with_the_noise_of_the_training_rows():
    X = pd.DataFrame({"SBP_last": np.full(1000, 120.0)})
    training = pd.DataFrame({"SBP_last": [90.0, 110.0, np.nan]})
    again = flips.readings(X, training, {"SBP_last": MeanFraction(0.1)}, [1])
    assert len(again) == 20 * 1000
    assert (again["SBP_last"] - 120).mean() == pytest.approx(0, abs=0.3)
    assert (again["SBP_last"] - 120).std() == pytest.approx(10, rel=0.02)  # a tenth of 100


def test_the_chain_keeps_its_flags_where_the_tree_of_information_gain_does_not():
    data = cohorts.cohort("asystole-like", park.PROTOCOL["cohorts"]["seed"])
    known = methods.available(OPTIONS)
    compared = {name: known[name] for name in ("chain, 4", "information gain")}
    found = flips.repeat_shares("asystole-like", data, compared, "devices", 0)
    side = {name: statistics.mean(measures["side"]) for name, measures in found.items()}
    assert side == pytest.approx({"chain, 4": 0.0414, "information gain": 0.1426}, abs=1e-4)


def test_what_was_run_is_read_from_the_store_in_the_order_of_the_methods(monkeypatch):
    known = methods.available(OPTIONS)
    few = {name: known[name] for name in ("information gain", "CART")}
    monkeypatch.setattr(flips.methods, "available", lambda options: few)
    monkeypatch.setattr(flips.methods, "told", lambda options, noise: {})
    monkeypatch.setitem(flips.PROTOCOL["cross_validation"], "repeats", 1)
    store = Store()
    first = flips.results("septic-like", "devices", store)
    monkeypatch.setattr(flips, "repeat_shares", None)
    again = flips.results("septic-like", "devices", store)
    assert again == first
    assert list(again) == list(first) == ["information gain", "CART"]


def test_a_larger_alpha_cuts_off_a_smaller_and_purer_part():
    cuts = figures.first_cuts(figures.named("septic-like"), ("SBP_last", "RespRate_last"))
    assert cuts == {
        1: ("SBP_last", 101.5),
        2: ("SBP_last", 101.5),
        4: ("SBP_last", 101.5),
        16: ("SBP_last", 110.5),
        64: ("SBP_last", 127.5),
        256: ("RespRate_last", 7.5),
    }


def test_every_figure_of_the_paper_is_drawn(tmp_path, monkeypatch):
    known = methods.available(OPTIONS)
    few = {name: known[name] for name in ("chain, 4", "information gain", "α-tree, 8")}
    monkeypatch.setattr(figures.methods, "available", lambda options: few)
    monkeypatch.setitem(figures.PROTOCOL["cross_validation"], "repeats", 1)
    paths = list(figures.written("septic-like", tmp_path, Store()))
    assert [path.name for path in paths] == [
        "1_tree_beside_chain.svg", "2a_cutting_planes.svg", "2b_areas.svg", "3a_roc.svg",
        "3b_lift.svg", "5_pyramid.svg", "chain.html",
    ]  # fmt: skip
    assert {path.parent for path in paths} == {tmp_path / "septic-like"}
    drawn = {path.name: path.read_text(encoding="utf-8") for path in paths}
    for name in ("3a_roc.svg", "3b_lift.svg"):
        assert "held-out rows" in drawn[name]
        assert "training rows (optimistic)" in drawn[name]
    assert "Risk of shock" in drawn["5_pyramid.svg"]
    assert drawn["1_tree_beside_chain.svg"].count("<svg ") == 3


def test_two_pictures_beside_each_other_are_as_wide_as_both_and_the_gap():
    left = '<svg class="a" xmlns="http://www.w3.org/2000/svg" width="100" height="40"></svg>'
    right = '<svg xmlns="http://www.w3.org/2000/svg" width="50.5" height="60"></svg>'
    both = figures.beside(left, right)
    assert figures.size(both) == (100 + figures.GAP + 50.5, 60)
    assert f'<svg x="{100 + figures.GAP}" ' in both


@pytest.mark.paper
@pytest.mark.parametrize(
    ("name", "area_of_ours"),
    [("septic-like", 0.722), ("asystole-like", 0.748), ("physionet-2012", 0.606)],
)
def test_the_chain_is_neither_better_nor_worse_than_ordinary_trees(name, area_of_ours):
    if name == "physionet-2012":
        shared("data", "physionet2012_seta")
    data = cohorts.cohort(name, park.PROTOCOL["cohorts"]["seed"])
    known = methods.available(OPTIONS)
    found = accuracy.results(name, known, Store())
    p = accuracy.p_values(found, accuracy.BASELINE, data.y.to_numpy() == 1)
    area = {method: statistics.mean(values["auc"]) for method, values in found.items()}
    assert area["chain, 4"] == pytest.approx(area_of_ours, abs=5e-4)
    for tree in ("information gain", "CART", "α-tree, 1", "α-tree, 2"):
        assert p[tree][0] > 0.05
        assert abs(area["chain, 4"] - area[tree]) < 0.015
    assert p["α-tree, 8"][0] < 0.001

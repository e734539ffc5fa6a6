"""The experiment with chains: cohorts, measures, and which methods are compared."""

import numpy as np
import pytest

import clearwood as cw
from experiments.__main__ import load
from experiments.protocol.data import DataSet
from shared_data import shared

park = load("park-2018")
cohorts, methods = park.cohorts, park.methods
OPTIONS = park.PROTOCOL["methods"]


@pytest.mark.parametrize("name", cohorts.COURSES)
def test_a_simulated_cohort_has_the_papers_rows_and_events(name):
    data = cohorts.cohort(name, 1)
    expected = park.EXPECTED[(name,)]
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
    assert park.sensitivity_at(has_event, score, flagged) == pytest.approx(sensitivity)


class Recorded:
    """Stands in for a classifier and keeps what it was made with."""

    def __init__(self, **options):
        self.options = options


def test_chains_and_alpha_trees_are_compared_where_they_exist(monkeypatch):
    for name in ("DecisionChainClassifier", "AlphaTreeClassifier"):
        monkeypatch.setattr(cw, name, Recorded, raising=False)
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
    assert made["α-tree, 8"].options == {"alpha": 8, "max_depth": 3, "min_samples_leaf": 14.0}


def test_what_is_not_installed_is_named():
    assert set(methods.absent(OPTIONS)) <= {
        "DecisionChainClassifier",
        "AlphaTreeClassifier",
        "GreedyRuleListClassifier of imodels",
    }


def test_a_repeat_scores_every_row_by_a_tree_that_did_not_see_it():
    whole = cohorts.cohort("septic-like", 1)
    data = DataSet(whole.X.iloc[:300], whole.y.iloc[:300])
    found = park.repeat_results(data, methods.available(OPTIONS)["information gain"], 0)
    assert not np.isnan(found["score"]).any()
    assert [len(found[part]) for part in ("auc", "sensitivity", "n_rules")] == [5, 5, 5]
    assert max(found["n_rules"]) <= 8
    assert 0.5 < np.mean(found["auc"]) < 0.9


def test_a_leaf_holds_one_percent_of_the_rows_and_ten_at_least():
    assert park.least_rows(500) == 10
    assert park.least_rows(1087) == 11


def test_methods_are_held_against_the_baseline_by_both_tests():
    rng = np.random.default_rng(0)
    has_event = np.arange(100) < 30
    good, bad = 2 * has_event + rng.normal(size=100), rng.normal(size=100)
    found = {
        "information gain": {"auc": [0.81, 0.79, 0.8, 0.8], "score": [good.tolist()] * 3},
        "CART": {"auc": [0.5, 0.49, 0.51, 0.5], "score": [bad.tolist()] * 3},
        "C4.5": {"auc": [0.81, 0.79, 0.8, 0.8], "score": [good.tolist()] * 3},
    }
    p_values = park.compared(found, "information gain", has_event)
    assert list(p_values) == ["CART", "C4.5"]
    assert max(p_values["CART"]) < 0.01
    assert p_values["C4.5"] == (1.0, 1.0)
    assert park.verdict(found, "information gain", p_values) == (
        "By the corrected t information gain is better than CART."
    )

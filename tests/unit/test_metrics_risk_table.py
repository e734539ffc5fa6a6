"""The risk table against hand counts, scikit-learn and the row-by-row measures."""

import re
from dataclasses import replace
from math import inf, isnan, nan

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.metrics import precision_recall_curve as sklearn_precision_recall
from sklearn.metrics import roc_curve as sklearn_roc

import clearwood as cw
from clearwood.errors import ParameterError, TableError
from clearwood.metrics import (
    average_precision,
    calibration_points,
    decision_curve,
    delong,
    gains_curve,
    lift_curve,
    precision_recall_curve,
    risk_table,
    roc_curve,
    wilson,
)
from clearwood.metrics.risk_table_text import to_html
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels

FEATURES = [
    Feature("ef", "numeric", unit="%"),
    Feature("age", "numeric", unit="years"),
    Feature("sex", "nominal", levels=("f", "m")),
]
CLASSES = ["alive", "dead"]
CHAIN = build(
    cut(
        "ef",
        45,
        cut("age", 50, leaf([60, 6]), levels("sex", {"f": leaf([20, 10]), "m": leaf([10, 25])})),
        leaf([150, 2]),
    ),
    FEATURES,
    CLASSES,
)
RANDOM = np.random.default_rng(7)
N = 400
X = np.column_stack([RANDOM.normal(size=N), RANDOM.normal(size=N), RANDOM.normal(size=N)])
Y = (RANDOM.random(N) < 1 / (1 + np.exp(1.5 - X[:, 0] - X[:, 1] / 2))).astype(int)
GROWN = cw.CARTClassifier(max_depth=4, min_samples_leaf=5).fit(X[:200], Y[:200])
HELD_OUT = risk_table(GROWN, X[200:], Y[200:])
SCORE = GROWN.predict_proba(X[200:])[:, 1]


def stratum(table, rule_id):
    return next(found for found in table if found.rule_id == rule_id)


def test_a_chain_is_read_from_its_last_rule_to_its_first():
    table = risk_table(CHAIN)
    assert [found.rule_id for found in table] == ["step-4", "step-3", "step-2", "step-1"]
    assert [found.rule for found in table] == [
        "otherwise",
        "otherwise if sex is f",
        "otherwise if age <= 50 years",
        "if ef > 45 %",
    ]
    assert table.strata[1].conditions == 'ef <= 45 % and age > 50 years and sex in {"f"}'
    assert [(found.n, found.n_events) for found in table] == [(35, 25), (30, 10), (66, 6), (152, 2)]
    assert table.is_chain
    assert (table.source, table.event_name, table.n, table.n_events) == (
        "training",
        "dead",
        283,
        43,
    )


def test_a_tree_that_is_a_chain_by_chance_is_read_by_whole_conditions():
    rest = cut("ef", 25, leaf([60, 20]), leaf([90, 5]))
    by_chance = build(cut("ef", 45, rest, leaf([50, 10])), FEATURES, CLASSES)
    assert [(found.rule_id, found.rule) for found in risk_table(by_chance)] == [
        ("step-2", "ef <= 25 %"),
        ("step-1", "ef > 45 %"),
        ("step-3", "25 < ef <= 45 %"),
    ]
    meant = replace(by_chance, settings={"form": "chain"})
    assert [found.rule for found in risk_table(meant)] == [
        "otherwise if ef <= 25 %",
        "if ef > 45 %",
        "otherwise",
    ]


def test_flagging_down_to_a_step_gives_the_counts_of_a_two_by_two_table():
    found = stratum(risk_table(CHAIN), "step-3").flagged  # TP 35, FP 30, FN 8, TN 210
    assert (found.n, found.n_events) == (65, 35)
    assert found.share == wilson(65, 283)
    assert found.sensitivity == wilson(35, 43)
    assert found.specificity == wilson(210, 240)
    assert found.ppv == wilson(35, 65)
    assert found.npv == wilson(210, 218)
    assert found.likelihood_ratio_positive.value == pytest.approx((35 / 43) / (30 / 240))
    assert found.likelihood_ratio_negative.value == pytest.approx((8 / 43) / (210 / 240))
    assert found.number_needed_to_evaluate.value == pytest.approx(65 / 35)
    assert found.number_needed_to_evaluate.lower == pytest.approx(1 / wilson(35, 65).upper)
    assert found.flagged_per_1000 == pytest.approx(1000 * 65 / 283)
    assert found.missed_per_1000 == pytest.approx(1000 * 8 / 283)
    assert found.lift == pytest.approx((35 / 65) / (43 / 283))


def test_interval_of_a_likelihood_ratio_is_that_of_simel():
    ratio = stratum(risk_table(CHAIN), "step-3").flagged.likelihood_ratio_positive
    error = np.sqrt((8 / 43) / 35 + (210 / 240) / 30)  # (1 - p)/(n p) for each of the two shares
    assert np.log(ratio.upper / ratio.value) == pytest.approx(1.959963984540054 * error)
    assert np.log(ratio.value / ratio.lower) == pytest.approx(1.959963984540054 * error)


def test_held_out_rows_are_counted_at_the_leaf_they_reach():
    leaves, is_event = GROWN.apply(X[200:]), Y[200:] == 1
    for found in HELD_OUT:
        assert found.n == np.sum(leaves == found.leaf)
        assert found.n_events == np.sum(is_event[leaves == found.leaf])
    assert HELD_OUT.source == "held-out"
    assert not HELD_OUT.is_chain
    assert [found.step for found in HELD_OUT] == list(range(1, len(HELD_OUT) + 1))


def test_risks_never_rise_down_the_table_and_of_equals_the_later_leaf_comes_first():
    keys = [(-found.predicted, -found.leaf) for found in HELD_OUT]
    assert keys == sorted(keys)


def test_area_and_interval_are_those_of_delong_row_by_row():
    found = delong(Y[200:] == 1, SCORE)
    for name in ("value", "lower", "upper"):
        assert getattr(HELD_OUT.auc, name) == pytest.approx(getattr(found, name), abs=1e-12)
    assert HELD_OUT.auc.value == pytest.approx(roc_auc_score(Y[200:], SCORE), abs=1e-12)


def test_average_precision_is_that_of_scikit_learn():
    assert average_precision(HELD_OUT) == pytest.approx(
        average_precision_score(Y[200:], SCORE), abs=1e-12
    )


def last_of_equal_risk(curve):
    """The vertices at which a threshold on the risk can stop."""
    strata = [vertex.stratum for vertex in curve.vertices[1:]]
    return [
        vertex
        for vertex, here, below in zip(curve.vertices[1:], strata, [*strata[1:], None], strict=True)
        if below is None or below.predicted < here.predicted
    ]


def test_vertices_of_the_roc_curve_are_those_of_scikit_learn():
    fpr, tpr, _ = sklearn_roc(Y[200:], SCORE, drop_intermediate=False)
    ours = [(0.0, 0.0), *((v.x, v.y) for v in last_of_equal_risk(roc_curve(HELD_OUT)))]
    np.testing.assert_allclose(ours, np.column_stack([fpr, tpr]), atol=1e-12)


def test_vertices_of_precision_and_recall_are_those_of_scikit_learn():
    precision, recall, _ = sklearn_precision_recall(Y[200:], SCORE)
    ours = [(v.y, v.x) for v in last_of_equal_risk(precision_recall_curve(HELD_OUT))]
    np.testing.assert_allclose(
        ours, np.column_stack([precision[:-1], recall[:-1]])[::-1], atol=1e-12
    )


def test_lift_is_sensitivity_over_the_share_flagged():
    gains = {v.stratum.rule_id: v for v in gains_curve(HELD_OUT).vertices if v.stratum}
    for vertex in lift_curve(HELD_OUT).vertices[1:]:
        gain = gains[vertex.stratum.rule_id]
        assert vertex.x == gain.x
        assert vertex.y == pytest.approx(gain.y / gain.x)
    assert lift_curve(HELD_OUT).vertices[-1].y == pytest.approx(1.0)


def test_roc_curve_of_training_rows_is_concave():
    for table in (risk_table(CHAIN), risk_table(GROWN)):
        points = np.array([(v.x, v.y) for v in roc_curve(table).vertices])
        (dx, dy) = np.diff(points, axis=0).T
        assert (dy[:-1] * dx[1:] >= dy[1:] * dx[:-1] - 1e-12).all()  # slopes never rise


def test_calibration_compares_prediction_and_share_without_smoothing():
    leaves = GROWN.apply(X[200:])
    for vertex in calibration_points(HELD_OUT).vertices:
        rows = leaves == vertex.stratum.leaf
        assert vertex.x == pytest.approx(SCORE[rows].mean())
        assert vertex.y == pytest.approx(Y[200:][rows].mean())
        assert vertex.stratum.observed == wilson(int(Y[200:][rows].sum()), int(rows.sum()))


def test_weight_two_is_the_row_twice_but_for_the_interval():
    weights = np.full(200, 2.0)
    doubled = risk_table(GROWN, X[200:], Y[200:], sample_weight=weights)
    for one, two in zip(HELD_OUT, doubled, strict=True):
        assert two.n == 2 * one.n
        assert two.flagged.ppv.value == pytest.approx(one.flagged.ppv.value, nan_ok=True)
        assert two.flagged.sensitivity.lower == pytest.approx(one.flagged.sensitivity.lower)
    assert doubled.n_effective == pytest.approx(200)
    assert doubled.auc.lower == pytest.approx(HELD_OUT.auc.lower)
    assert doubled.is_weighted


def test_rows_of_weight_zero_are_absent():
    weights = np.repeat([1.0, 0.0], 100)
    left = risk_table(GROWN, X[200:], Y[200:], sample_weight=weights)
    right = risk_table(GROWN, X[200:300], Y[200:300])
    for one, two in zip(left.records(), right.records(), strict=True):
        for name, value in one.items():
            assert two[name] == pytest.approx(value, nan_ok=True), name


def test_unequal_weights_widen_the_interval_to_the_effective_number():
    weights = np.where(np.arange(200) % 2, 3.0, 1.0)
    table = risk_table(GROWN, X[200:], Y[200:], sample_weight=weights)
    assert table.n_effective == pytest.approx(400**2 / 1000)
    share = float(weights[Y[200:] == 1].sum() / 400)
    expected = wilson(share * 160, 160)
    assert table.prevalence.lower == pytest.approx(expected.lower)
    assert roc_auc_score(Y[200:], SCORE, sample_weight=weights) == pytest.approx(table.auc.value)


def test_training_weights_count_as_if_all_had_the_mean():
    heavy = build(
        cut("ef", 45, leaf([20, 60], n_rows=40), leaf([300, 20], n_rows=160)), FEATURES, CLASSES
    )
    table = risk_table(heavy)
    assert table.is_weighted
    assert table.n_effective == pytest.approx(200)
    assert table.strata[0].observed.lower == pytest.approx(wilson(30, 40).lower)


def test_what_cannot_be_counted_is_undefined_and_nothing_breaks():
    empty = build(cut("ef", 45, leaf([0, 0]), leaf([10, 0])), FEATURES, CLASSES)
    table = risk_table(empty)
    assert isnan(table.auc.value)
    assert all(isnan(found.flagged.sensitivity.value) for found in table)
    assert any(isnan(found.observed.value) for found in table)
    assert isnan(average_precision(table))
    assert roc_curve(table).vertices == ()
    assert "undefined" in str(table)
    single = risk_table(build(leaf([3, 1]), FEATURES, CLASSES))
    assert [found.rule for found in single] == ["always"]
    assert single.auc.value == 0.5
    assert table.strata[-1].flagged.number_needed_to_evaluate.value == inf


def test_rows_of_one_class_have_no_specificity():
    rows = {"ef": [30, 50], "age": [60, 60], "sex": ["m", "f"]}
    sick = risk_table(CHAIN, pd.DataFrame(rows), ["dead", "dead"])
    assert all(isnan(found.flagged.specificity.value) for found in sick)
    assert sick.strata[-1].flagged.sensitivity.value == 1
    assert roc_curve(sick).vertices == ()


def test_net_benefit_is_that_of_the_worked_example():
    # clinical worked values: n 1000, 10 % events, threshold 10 %, TP 80, FP 200
    tree = build(cut("ef", 45, leaf([200, 80]), leaf([700, 20])), FEATURES, CLASSES)
    curve = decision_curve(risk_table(tree), [0.1])
    assert curve.net_benefit[0] == pytest.approx(0.08 - 0.2 / 9)
    assert curve.flag_all[0] == pytest.approx(0, abs=1e-12)
    assert curve.avoided_per_100[0] == pytest.approx(52.0)
    rows = np.repeat([1.0, -1 / 9, 0.0], [80, 200, 720])  # what each row adds
    error = rows.std() / np.sqrt(1000)
    assert curve.upper[0] - curve.net_benefit[0] == pytest.approx(1.959963984540054 * error)
    assert curve.last_flagged[0].rule == "otherwise"


def test_a_row_is_flagged_where_its_risk_equals_the_threshold():
    tree = build(cut("ef", 45, leaf([70, 30]), leaf([95, 5])), FEATURES, CLASSES)
    curve = decision_curve(risk_table(tree), [0.05, 0.06, 0.3, 0.31])
    flagged = [None if s is None else s.rule_id for s in curve.last_flagged]
    assert flagged == ["step-1", "step-2", "step-2", None]
    assert curve.net_benefit[3] == 0
    assert curve.net_benefit[0] == curve.flag_all[0]


def test_default_thresholds_run_from_half_to_twice_the_prevalence():
    table = risk_table(build(cut("ef", 45, leaf([70, 30]), leaf([90, 10])), FEATURES, CLASSES))
    grid = decision_curve(table).thresholds  # prevalence 0.2
    np.testing.assert_allclose(grid, np.arange(10, 41) / 100)
    rare = risk_table(build(cut("ef", 45, leaf([95, 5]), leaf([895, 5])), FEATURES, CLASSES))
    np.testing.assert_allclose(decision_curve(rare).thresholds, np.arange(5, 21) / 1000)


@pytest.mark.parametrize("wrong", [[0.0], [1.0], [nan], []])
def test_a_threshold_outside_0_and_1_is_refused(wrong):
    with pytest.raises(ParameterError, match="thresholds must be a list of numbers between 0 and"):
        decision_curve(HELD_OUT, wrong)


def test_table_prints_its_numbers_aligned():
    text = str(risk_table(CHAIN)).splitlines()
    assert text[0] == (
        "risk of dead (the last class; event= names another): 283 training rows "
        "(optimistic), 43 events (15.2 % (11.5–19.8))"
    )
    assert text[3].split() == ["step", "n", "events", "predicted", "observed", "risk", "rule"]
    assert text[5].endswith("33.3 %  33.3 % (19.2–51.2)  otherwise if sex is f")
    assert 'data-rule="step-3"' in risk_table(CHAIN)._repr_html_()


def test_an_event_that_somebody_named_is_told_without_a_word_more():
    trained = replace(CHAIN, settings={"training": {"event": "alive"}})
    assert str(risk_table(trained)).startswith("risk of alive: 283")
    assert str(risk_table(CHAIN, event="dead")).startswith("risk of dead: 283")
    assert not risk_table(trained).is_event_assumed
    assert risk_table(CHAIN).is_event_assumed


def test_html_tells_the_stratum_from_flagging_and_explains_its_words():
    html = risk_table(CHAIN)._repr_html_()
    heads = re.findall(r"<th scope=\"col\">([^<]+)</th>", html)
    assert len(heads) == len(set(heads)) == 16
    groups = re.findall(r'<th scope="colgroup" colspan="(\d+)">([^<]+)</th>', html)
    assert groups == [("6", "each stratum"), ("10", "flagging from the top down, to this step")]
    assert "evaluate: rows flagged for each event found; per 1000" in html.split("<tfoot>")[1]
    assert to_html(risk_table(CHAIN), "a & b").count("<caption><b>a &amp; b</b><br>risk of") == 1


def test_a_model_that_was_not_fitted_is_refused_as_such():
    with pytest.raises(NotFittedError, match="DecisionChainClassifier instance is not fitted yet"):
        risk_table(cw.DecisionChainClassifier())


def test_records_are_flat_and_hold_every_interval():
    record = risk_table(CHAIN).records()[1]
    assert record["rule_id"] == "step-3"
    assert record["flagged_sensitivity"] == pytest.approx(35 / 43)
    assert record["flagged_sensitivity_lower"] == wilson(35, 43).lower
    assert record["flagged_per_1000"] == pytest.approx(1000 * 65 / 283)
    assert record["observed_upper"] == wilson(10, 30).upper
    assert all(isinstance(value, int | float | str) for value in record.values())


def test_what_does_not_fit_together_is_refused():
    with pytest.raises(ParameterError, match="X and y belong together"):
        risk_table(GROWN, X)
    with pytest.raises(ParameterError, match="sample_weight needs X and y"):
        risk_table(GROWN, sample_weight=[1.0])
    with pytest.raises(TableError, match="y holds 2, which is no class of the tree"):
        risk_table(GROWN, X[:2], [0, 2])
    with pytest.raises(TableError, match="X has 2 rows and y has 3"):
        risk_table(GROWN, X[:2], [0, 1, 1])
    three = build(leaf([1, 2, 3]), FEATURES, ["a", "b", "c"])
    with pytest.raises(ParameterError, match="event must be named where a tree has more than two"):
        risk_table(three)
    assert risk_table(three, event="b").prevalence.value == pytest.approx(2 / 6)


def test_the_training_rows_are_called_so_when_they_are_given():
    x = np.arange(12.0).reshape(-1, 1)
    y = np.array([0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1])
    model = cw.TreeClassifier(max_depth=1).fit(x, y)
    assert cw.risk_table(model, x, y, event=1).source == "training"
    assert cw.risk_table(model, x[:-1], y[:-1], event=1).source == "held-out"
    assert cw.risk_table(model, x, y[::-1], event=1).source == "held-out"

"""Rows that several leaves share: where they count, and whose area is told."""

from dataclasses import replace
from math import isnan, nan

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from clearwood.metrics import delong, risk_table
from clearwood.metrics.risk_table_text import to_html
from clearwood.tree.by_hand import build, cut, leaf
from unit.test_metrics_risk_table import CLASSES, FEATURES


def test_divided_rows_are_counted_and_the_area_is_that_of_the_model():
    tree = build(
        cut(
            "ef",
            45,
            leaf([20, 80]),
            cut("age", 50, leaf([95, 5]), leaf([60, 40]), missing=(0.5, 0.5)),
            missing=(0.4, 0.6),
        ),
        FEATURES,
        CLASSES,
    )
    ef = [30, 60, 60, nan, nan, 60, 30, 60]
    age = [40, 40, 60, 40, nan, nan, 60, 60]
    rows = pd.DataFrame({"ef": ef, "age": age, "sex": "f"})
    y = ["dead", "alive", "alive", "dead", "alive", "alive", "dead", "dead"]
    table = risk_table(tree, rows, y)
    own = tree.predict_proba(rows)[:, 1]
    assert own[3] == pytest.approx(0.4 * 0.8 + 0.6 * 0.05)  # at 0.35 below the leaf of 0.4
    expected = delong(np.array(y) == "dead", own)
    assert table.n_divided == 3
    for name in ("value", "lower", "upper"):
        assert getattr(table.auc, name) == pytest.approx(getattr(expected, name))
    strata = tree.distribution[tree.apply(rows), 1]
    assert table.strata_auc.value == pytest.approx(roc_auc_score(np.array(y) == "dead", strata))
    assert table.strata_auc.value != pytest.approx(table.auc.value)
    lines = str(table).splitlines()
    assert lines[1] == (
        f"AUC {table.auc} of the model's own risks, {table.strata_auc} of these strata"
    )
    assert lines[2] == (
        "3 of 8 rows were divided among leaves (missing values, noise or witnesses); each counts "
        "in the stratum of its largest share"
    )
    assert lines[2] in to_html(table)


def test_the_area_of_divided_rows_counts_their_weights():
    tree = build(
        cut("ef", 45, leaf([20, 80]), leaf([95, 5]), missing=(0.5, 0.5)), FEATURES, CLASSES
    )
    rows = pd.DataFrame({"ef": [30, nan, 60, nan, 30], "age": 40, "sex": "f"})
    is_event, weights = np.array([1, 1, 0, 0, 0]), np.array([1.0, 2, 3, 4, 5])
    y = np.where(is_event, "dead", "alive")
    table = risk_table(tree, rows, y, sample_weight=weights)
    assert table.n_divided == 6
    expected = roc_auc_score(is_event, tree.predict_proba(rows)[:, 1], sample_weight=weights)
    assert table.auc.value == pytest.approx(expected)


def test_training_rows_that_were_divided_are_told():
    whole, parts = leaf([20, 80], n_rows=100), leaf([95, 5], n_rows=101)
    divided = build(cut("ef", 45, whole, parts), FEATURES, CLASSES)
    divided = replace(divided, n_rows=np.array([200, *divided.n_rows[1:]]))
    table = risk_table(divided)
    assert isnan(table.n_divided)
    assert table.auc == table.strata_auc
    assert "rows that were divided among leaves count in each by their share" in str(table)

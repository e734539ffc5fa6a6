"""The fast search reaches what trying every split reaches, at every node of a tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.growing.criteria import AlphaDivergence
from clearwood.growing.grow import grow
from clearwood.growing.plan import Plan
from clearwood.table.column import Feature
from clearwood.table.table import Table
from reference.tree import Rows, Rule, best_gain, branch_of, gain, sent

NO_GAIN = 1e-9


@st.composite
def weighted_rows(draw, *, whole_weights=True):
    """Small tables with few values, so that ties, missing values and empty levels are common."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows, n_classes = draw(st.integers(2, 40)), draw(st.integers(2, 4))
    missing = draw(st.sampled_from([0.0, 0.2]))
    n_levels = draw(st.lists(st.sampled_from([0, 0, 2, 3, 5]), min_size=1, max_size=4))
    columns = [one_column(rng, n, n_rows, missing) for n in n_levels]
    classes = rng.integers(0, n_classes, n_rows).astype(np.int32)
    if whole_weights:
        weights = rng.integers(1, 4, n_rows).astype(float)
    else:
        weights = rng.uniform(0.1, 2.0, n_rows)
    return Rows(columns, n_levels, classes, n_classes, weights)


def one_column(rng, n_levels, n_rows, missing):
    absent = rng.random(n_rows) < missing
    if n_levels:
        return np.where(absent, -1, rng.integers(0, n_levels, n_rows)).astype(np.int32)
    return np.where(absent, np.nan, rng.integers(0, 8, n_rows) / 4)


def grown(rows, rule):
    features = tuple(
        Feature(f"x{j}", "nominal" if n else "numeric", tuple(range(n)))
        for j, n in enumerate(rows.n_levels)
    )
    table = Table(features, rows.columns, None, len(rows.classes))
    plan = Plan(
        criterion=rule.criterion, nominal=rule.nominal, min_samples_leaf=rule.min_samples_leaf
    )
    return grow(table, np.arange(rows.n_classes), rows.classes, rows.weights, plan)


RULES = st.builds(
    Rule,
    criterion=st.sampled_from(
        [
            "information_gain",
            "gini",
            "discernibility",
            AlphaDivergence(0.3),
            AlphaDivergence(1.5, "uniform"),
            AlphaDivergence(8.0),
            AlphaDivergence(16.0, "uniform"),
        ]
    ),
    nominal=st.sampled_from(["branches", "subset", "one_vs_rest"]),
    min_samples_leaf=st.sampled_from([1e-3, 1.0, 3.0]),
)


@pytest.mark.parametrize("whole_weights", [True, False])
@given(data=st.data(), rule=RULES)
def test_every_split_made_gains_as_much_as_the_best_one(data, rule, whole_weights):
    rows = data.draw(weighted_rows(whole_weights=whole_weights))
    tree = grown(rows, rule)
    for node, here in sent(tree, rows):
        if tree.column[node] >= 0:
            best = best_gain(here, rule)
            branch = branch_of(tree, node, here.columns[tree.column[node]])
            assert tree.gain[node] == pytest.approx(best, rel=1e-9, abs=1e-9)
            assert gain(here, branch, rule) == pytest.approx(best, rel=1e-9, abs=1e-9)


@given(data=st.data(), rule=RULES)
def test_a_leaf_is_too_light_or_pure_or_has_no_split_that_gains(data, rule):
    rows = data.draw(weighted_rows())
    tree = grown(rows, rule)
    for node, here in sent(tree, rows):
        if tree.column[node] < 0 and here.weights.sum() > 2.0 + 1e-9:
            assert best_gain(here, rule) <= NO_GAIN


@given(data=st.data(), rule=RULES)
def test_masses_are_the_weights_of_the_rows_sent_to_a_node(data, rule):
    rows = data.draw(weighted_rows(whole_weights=False))
    tree = grown(rows, rule)
    for node, here in sent(tree, rows):
        everyone = np.ones(len(here.classes), dtype=bool)
        assert tree.masses[node] == pytest.approx(here.masses(everyone), abs=1e-9)

"""What weights mean, and what the order of rows and columns does not mean."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.growing import Plan, grow
from clearwood.table import Column, read_labels, read_table
from estimators.classifiers import CLASSIFIERS, NOMINAL, name_of, same_bits, same_shape
from properties.small_tables import COMPLETE, small_tables

SETTINGS = st.builds(
    lambda classifier, nominal, leaf: classifier(nominal=nominal, min_samples_leaf=leaf),
    st.sampled_from(CLASSIFIERS),
    st.sampled_from(NOMINAL),
    st.sampled_from([1, 2]),
)


def repeated(table, weights):
    at = np.repeat(np.arange(table.n_rows), weights)
    return table.X.iloc[at], table.y[at]


@given(table=small_tables(), model=SETTINGS)
def test_rows_of_weight_zero_are_absent(table, model):
    """T10: weights of 0 and 1 against rows left out, to the last bit."""
    weights = (table.rng.random(table.n_rows) < 0.7).astype(float)
    weights[0] = 1.0
    used = weights > 0
    weighted = model.fit(table.X, table.y, weights).tree_
    assert same_bits(weighted, model.fit(table.X[used], table.y[used]).tree_)


@given(table=small_tables(), cut_at=st.sampled_from(["midpoint", "observed", "upper"]))
def test_the_core_leaves_rows_of_weight_zero_out(table, cut_at):
    """T10: as a class weight of 0 makes them; their values set no cut."""
    weights = (table.rng.random(table.n_rows) < 0.7).astype(float)
    weights[0] = 1.0
    used = weights > 0
    classes, codes = read_labels(table.y)
    plan = Plan(cut_at=cut_at)
    weighted = grow(read_table(table.X), classes, codes, weights, plan)
    dropped = grow(read_table(table.X[used]), classes, codes[used], weights[used], plan)
    assert same_bits(weighted, dropped)


@given(table=COMPLETE, model=SETTINGS)
def test_a_whole_weight_is_a_row_repeated(table, model):
    """T10: the same bits; only the number of rows differs."""
    weights = table.rng.integers(1, 4, table.n_rows)
    weighted = model.fit(table.X, table.y, weights).tree_
    assert same_bits(weighted, model.fit(*repeated(table, weights)).tree_, but=["n_rows"])


@given(table=small_tables(missing=st.just(0.2)), model=SETTINGS)
def test_a_whole_weight_is_a_row_repeated_where_values_are_missing(table, model):
    """T10: parts of rows are fractions, whose sums may be rounded otherwise."""
    model.set_params(min_samples_leaf=0.999, min_samples_split=1.999)  # no sum lies here
    weights = table.rng.integers(1, 4, table.n_rows)
    weighted = model.fit(table.X, table.y, weights).tree_
    assert same_shape(weighted, model.fit(*repeated(table, weights)).tree_)


@given(
    table=small_tables(),
    criterion=st.sampled_from(
        ["information_gain", "gini", cw.AlphaDivergence(0.5), cw.AlphaDivergence(32)]
    ),
    nominal=st.sampled_from(["branches", "subset", "one_vs_rest"]),
    factor=st.sampled_from([1.1, 1 / 3, 1e3 / 7]),
)
def test_scaling_all_weights_changes_no_condition(table, criterion, nominal, factor):
    """T10: without minima of weight, penalty and pruning."""
    model = cw.TreeClassifier(
        criterion=criterion, nominal=nominal, min_samples_leaf=1e-6, min_samples_split=1e-6
    )
    weights = table.rng.integers(1, 4, table.n_rows)
    tree = model.fit(table.X, table.y, weights).tree_
    scaled = model.fit(table.X, table.y, factor * weights).tree_
    assert np.array_equal(scaled.column, tree.column)
    assert np.array_equal(scaled.threshold, tree.threshold, equal_nan=True)
    assert np.array_equal(scaled.level_branch, tree.level_branch)
    assert scaled.masses == pytest.approx(factor * tree.masses)


@given(table=COMPLETE, model=SETTINGS)
def test_the_order_of_rows_changes_no_bit(table, model):
    """T11: whole weights.

    But where pruning raises a branch, rows of levels that its subsets leave out become fractions.
    """
    order = table.rng.permutation(table.n_rows)
    weights = table.rng.integers(1, 4, table.n_rows)
    tree = model.fit(table.X, table.y, weights).tree_
    permuted = model.fit(table.X.iloc[order], table.y[order], weights[order]).tree_
    has_fractions = model.pruning == "error_based" and model.nominal == "subset"
    assert (same_shape if has_fractions else same_bits)(tree, permuted)


@given(table=small_tables(missing=st.just(0.2)), model=SETTINGS)
def test_the_order_of_rows_with_missing_values_changes_no_condition(table, model):
    """T11: parts of rows are fractions, whose sums may be rounded otherwise."""
    model.set_params(min_samples_leaf=0.999, min_samples_split=1.999)
    order = table.rng.permutation(table.n_rows)
    tree = model.fit(table.X, table.y).tree_
    assert same_shape(tree, model.fit(table.X.iloc[order], table.y[order]).tree_)


@given(table=small_tables(), model=SETTINGS)
def test_of_identical_columns_the_first_is_named(table, model):
    """T11: and every fit names the same one."""
    twice = pd.concat([table.X, table.X.add_suffix("_again"), table.X.add_suffix("_more")], axis=1)
    tree = model.fit(twice, table.y).tree_
    assert same_bits(tree, model.fit(twice, table.y).tree_)
    if model.criterion != "gain_ratio":  # copies change the average gain
        assert same_bits(tree, model.fit(table.X, table.y).tree_)
    assert tree.column.max(initial=-1) < table.X.shape[1]


@given(table=small_tables(), model=SETTINGS)
def test_of_identical_columns_the_cheapest_is_named(table, model):
    """T11: a declared cost decides before the order does."""
    cheap = table.X.add_suffix("_cheap")
    twice = pd.concat([table.X, cheap], axis=1)
    model.set_params(columns={name: Column(cost=0.5) for name in cheap.columns})
    tree = model.fit(twice, table.y).tree_
    assert set(tree.column[~tree.is_leaf]) <= set(range(cheap.shape[1], twice.shape[1]))


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)
def test_columns_in_another_order_give_the_same_predictions(classifier):
    """T11: by name; the table is large enough that no two columns gain the same."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(400, 5)), columns=list("abcde"))
    X["f"] = pd.Categorical.from_codes(rng.integers(-1, 3, 400), ["u", "v", "w"])
    X = X.mask(rng.random(X.shape) < 0.05)
    y = (X["c"].fillna(0) + rng.normal(size=400) > 0) ^ (X["f"] == "v")
    order = list("fcadbe")
    model = classifier(max_depth=3).fit(X, y)
    permuted = classifier(max_depth=3).fit(X[order], y)
    assert permuted.predict_proba(X[order]) == pytest.approx(model.predict_proba(X), abs=1e-12)
    names = [model.tree_.features[c].name for c in model.tree_.column if c >= 0]
    assert names == [permuted.tree_.features[c].name for c in permuted.tree_.column if c >= 0]

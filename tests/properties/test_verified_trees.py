"""Verified trees of the core against the slow reference, and the laws they promise."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.tree.predict import asked
from properties.small_tables import COMPLETE, small_tables
from reference import verified as slow
from reference.tree import Rows

SETTINGS = st.fixed_dictionaries(
    {
        "n_verifiers": st.sampled_from([0, 1, 2, 3, 5]),
        "agreement": st.sampled_from([0.3, 0.5, 0.75, 0.9]),
        "orientation": st.sampled_from(["both", "same"]),
        "disagreement": st.sampled_from(["any", "all"]),
        "min_purity": st.sampled_from([1.0, 0.8]),
        "max_dup_fraction": st.sampled_from([0.25, 0.5, 1.0]),
    }
)


def rows_of(table, weights=None):
    columns, n_levels = [], []
    for _, column in table.X.items():
        is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
        columns.append(np.asarray(column.cat.codes if is_nominal else column))
        n_levels.append(len(column.cat.categories) if is_nominal else 0)
    weights = np.ones(table.n_rows) if weights is None else weights
    classes = np.unique(table.y, return_inverse=True)[1]
    return Rows(columns, n_levels, classes, int(classes.max()) + 1, weights)


def grown(table, **settings):
    return cw.VerifiedTreeClassifier(**settings).fit(table.X, table.y)


def slowly_grown(rows, conflict="paper", **settings):
    return slow.grow(rows, slow.Options(**settings))


def condition_of(tree, node):
    """Column, threshold or level, as the reference writes a main condition."""
    if tree.kind[node] == 1:
        return int(tree.column[node]), float(tree.threshold[node]), False
    return int(tree.column[node]), int(np.flatnonzero(tree.levels(node) == 0)[0]), True


def is_same_tree(model, root, rows):
    """Same conditions, witnesses and masses, node for node; a cut may lie anywhere in its gap."""
    tree, witnesses = model.tree_, model.tree_.evaluation
    nodes = list(root.preorder())
    assert tree.n_nodes == len(nodes)
    for node, expected in enumerate(nodes):
        assert np.array_equal(tree.masses[node], expected.masses)
        first, last = witnesses.start[node], witnesses.start[node + 1]
        if expected.main is None:
            assert tree.is_leaf[node]
            assert first == last
            continue
        column, place, is_level = condition_of(tree, node)
        assert (column, is_level) == (expected.main.column, expected.main.is_level)
        assert same_place(place, expected.main, rows)
        assert tree.shares(node)[0] == pytest.approx(expected.first_share, abs=1e-12)
        assert last - first == len(expected.witnesses)
        for i, witness in zip(range(first, last), expected.witnesses, strict=True):
            assert witnesses.column[i] == witness.condition.column
            assert witnesses.is_reversed[i] == witness.condition.is_mirrored
            assert witnesses.agreement[i] == pytest.approx(witness.score, abs=1e-12)
            own = witnesses.level[i] if witness.condition.is_level else witnesses.threshold[i]
            assert same_place(own, witness.condition, rows)


def same_place(place, condition, rows):
    """Whether a cut parts the values of a column as the reference's does."""
    if condition.is_level:
        return place == condition.cut
    values = rows.columns[condition.column]
    lower = values[values < min(place, condition.cut)]
    return np.array_equal(values < place, values < condition.cut) or lower.size == 0


@given(table=small_tables(), settings=SETTINGS)
def test_the_core_grows_the_tree_of_the_slow_reference(table, settings):
    rows = rows_of(table)
    is_same_tree(grown(table, **settings), slowly_grown(rows, **settings), rows)


@given(
    table=small_tables(),
    settings=SETTINGS,
    conflict=st.sampled_from(["paper", "main", "probability"]),
)
def test_rows_are_decided_as_the_slow_reference_decides(table, settings, conflict):
    rows = rows_of(table)
    model = grown(table, conflict=conflict, **settings)
    root = slowly_grown(rows, **settings)
    table_rows = np.column_stack(rows.columns)
    expected = [slow.probabilities(root, row, conflict) for row in table_rows]
    assert model.predict_proba(table.X) == pytest.approx(np.array(expected), abs=1e-12)
    labels = np.unique(table.y)[[slow.classify(root, row, conflict) for row in table_rows]]
    assert np.array_equal(model.predict(table.X), labels)


@given(table=small_tables(), settings=SETTINGS)
def test_a_fraction_of_weight_counts_as_that_part_of_a_row(table, settings):
    weights = np.maximum(table.rng.integers(0, 12, table.n_rows), 4) / 4.0
    rows = rows_of(table, weights)
    model = cw.VerifiedTreeClassifier(**settings).fit(table.X, table.y, weights)
    is_same_tree(model, slowly_grown(rows, **settings), rows)


@given(
    table=small_tables(),
    settings=SETTINGS,
    name=st.sampled_from(["search_noise", "propagation_noise"]),
    noise=st.sampled_from([0.05, 0.3, 1.0]),
)
def test_noise_hides_no_witness(table, settings, name, noise):
    rows = rows_of(table)
    tree = grown(table, **settings, **{name: noise}).tree_
    if tree.is_leaf[0]:
        return
    main = slow.Condition(*condition_of(tree, 0))
    expected = slow.kept_witnesses(rows, main, slow.Options(**settings))
    witnesses, own = tree.evaluation, slice(0, tree.evaluation.start[1])
    assert witnesses.column[own].tolist() == [each.condition.column for each in expected]
    assert witnesses.agreement[own] == pytest.approx([each.score for each in expected])


@pytest.mark.filterwarnings("ignore:the tree has reached max_nodes")
@given(table=small_tables(), settings=SETTINGS, max_nodes=st.integers(1, 12))
def test_a_full_tree_lacks_its_lowest_nodes(table, settings, max_nodes):
    rows = rows_of(table)
    settings = settings | {"max_nodes": max_nodes}
    is_same_tree(grown(table, **settings), slowly_grown(rows, **settings), rows)


def test_a_full_tree_says_so():
    X = np.arange(8.0).reshape(-1, 1)
    with pytest.warns(cw.errors.ClearwoodWarning, match="max_nodes=3"):
        cw.VerifiedTreeClassifier(max_nodes=3).fit(X, [0, 1] * 4)


@given(table=COMPLETE)
def test_without_witnesses_the_tree_is_that_of_local_discretization(table):
    plain = cw.TreeClassifier(criterion="discernibility", nominal="one_vs_rest", max_depth=50)
    expected = plain.fit(table.X, table.y).tree_
    tree = grown(table, n_verifiers=0).tree_
    assert tree.n_nodes == expected.n_nodes
    for name in ("kind", "column", "masses", "label", "gain", "n_rows"):
        assert np.array_equal(getattr(tree, name), getattr(expected, name), equal_nan=True)
    assert not tree.evaluation.column.size


@given(table=small_tables(), settings=SETTINGS)
def test_every_branch_holds_fewer_rows_than_its_parent(table, settings):
    tree = grown(table, **settings).tree_
    assert (tree.n_rows[1:] < tree.n_rows[tree.parent[1:]]).all()


@given(table=small_tables(), settings=SETTINGS)
def test_a_weight_of_two_is_the_row_twice(table, settings):
    weights = table.rng.integers(1, 3, table.n_rows)
    weighted = cw.VerifiedTreeClassifier(**settings).fit(table.X, table.y, weights).tree_
    twice = np.repeat(np.arange(table.n_rows), weights)
    repeated = cw.VerifiedTreeClassifier(**settings).fit(table.X.iloc[twice], table.y[twice]).tree_
    assert np.array_equal(weighted.masses, repeated.masses)
    assert weighted.evaluation == repeated.evaluation


@given(table=small_tables(), settings=SETTINGS)
def test_threads_change_nothing(table, settings):
    one = cw.VerifiedTreeClassifier(**settings, n_jobs=1).fit(table.X, table.y)
    two = cw.VerifiedTreeClassifier(**settings, n_jobs=2).fit(table.X, table.y)
    assert one.tree_ == two.tree_


@given(table=small_tables(), settings=SETTINGS)
def test_prediction_is_a_mean_of_leaves(table, settings):
    model = grown(table, **settings)
    tree = model.tree_
    columns, evaluation = asked(tree, table.X)
    indptr, leaves, shares = tree.predictor.leaf_weights(columns, evaluation=evaluation)
    proba = model.predict_proba(table.X)
    for row in range(table.n_rows):
        own = slice(indptr[row], indptr[row + 1])
        assert tree.is_leaf[leaves[own]].all()
        assert shares[own].sum() == pytest.approx(1, abs=1e-12)
        assert shares[own] @ tree.distribution[leaves[own]] == pytest.approx(proba[row], abs=1e-12)
        assert model.apply(table.X)[row] == leaves[own][shares[own].argmax()]

"""Laws of growth: of weight, of limits, of scales and of awkward values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from estimators.classifiers import CLASSIFIERS, NOMINAL, same_bits
from properties.small_tables import COMPLETE, small_tables
from reference import tree_walk

CRITERIA = ["information_gain", "gain_ratio", "gini", "discernibility"]
DIVERGENCES = [cw.AlphaDivergence(1), cw.AlphaDivergence(0, smoothing=0.5), cw.AlphaDivergence(64)]
PRESETS = st.builds(
    lambda classifier, nominal: classifier(nominal=nominal, min_samples_leaf=1),
    st.sampled_from(CLASSIFIERS),
    st.sampled_from(NOMINAL),
)
UNPRUNED = st.builds(
    lambda criterion, nominal: cw.TreeClassifier(criterion=criterion, nominal=nominal),
    st.sampled_from(CRITERIA),
    st.sampled_from(NOMINAL),
) | st.builds(
    lambda criterion, nominal: cw.TreeClassifier(criterion=criterion, nominal=nominal),
    st.sampled_from(DIVERGENCES),
    st.sampled_from(["branches", "subset", "one_vs_rest"]),
)
BINARY = st.builds(
    lambda criterion, nominal: cw.TreeClassifier(criterion=criterion, nominal=nominal),
    st.sampled_from(CRITERIA + DIVERGENCES),
    st.sampled_from(["subset", "one_vs_rest"]),
)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


def coded(X):
    """Numbers and level codes, row by row."""
    return np.column_stack(
        [
            column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column
            for _, column in X.items()
        ]
    ).tolist()


def is_pruning_of(smaller, larger, node=0, twin=0):
    """Whether the smaller tree is the larger one with some inner nodes made leaves."""
    todo = [(0, 0)]
    while todo:
        node, twin = todo.pop()
        assert np.array_equal(smaller.masses[node], larger.masses[twin])
        if smaller.is_leaf[node]:
            continue
        same = (
            smaller.column[node] == larger.column[twin]
            and np.array_equal(smaller.threshold[node], larger.threshold[twin], equal_nan=True)
            and np.array_equal(smaller.levels(node), larger.levels(twin))
        )
        if not same:
            return False
        todo.extend(zip(smaller.children(node), larger.children(twin), strict=True))
    return True


@given(
    table=small_tables(),
    classifier=st.sampled_from(CLASSIFIERS),
    nominal=st.sampled_from(["branches", "one_vs_rest"]),
)
def test_renaming_classes_permutes_probabilities(table, classifier, nominal):
    model = classifier(nominal=nominal)
    n_classes = table.y.max() + 1
    new_name = table.rng.permutation(n_classes)
    proba = model.fit(table.X, table.y).predict_proba(table.X)
    place = {label: i for i, label in enumerate(model.classes_.tolist())}
    renamed = model.fit(table.X, new_name[table.y])
    order = [place[int(np.flatnonzero(new_name == label)[0])] for label in renamed.classes_]
    assert renamed.predict_proba(table.X) == pytest.approx(proba[:, order], abs=1e-12)


@given(table=small_tables(), model=PRESETS)
def test_children_hold_the_weight_of_their_parent(table, model):
    weights = table.rng.uniform(1.0, 2.0, table.n_rows)
    tree = model.fit(table.X, table.y, weights).tree_
    for node in np.flatnonzero(~tree.is_leaf):
        children = tree.children(node)
        assert tree.masses[children].sum(axis=0) == pytest.approx(tree.masses[node], abs=1e-9)
        assert tree.shares(node).sum() == pytest.approx(1.0)


@given(table=small_tables(), model=UNPRUNED, weighted=st.booleans())
def test_leaves_hold_the_rows_that_the_tree_sends_there(table, model, weighted):
    weights = table.rng.uniform(1.0, 2.0, table.n_rows) if weighted else np.ones(table.n_rows)
    tree = model.fit(table.X, table.y, weights if weighted else None).tree_
    masses = np.zeros_like(tree.masses)
    class_of = np.searchsorted(model.classes_, table.y)
    for row, label, weight in zip(coded(table.X), class_of, weights, strict=True):
        for leaf, share in tree_walk.leaf_shares(tree, row).items():
            masses[leaf, label] += weight * share
    assert masses[tree.is_leaf] == pytest.approx(tree.masses[tree.is_leaf], abs=1e-9)


@given(table=COMPLETE, model=UNPRUNED)
def test_a_leaf_counts_the_training_rows_that_apply_finds_there(table, model):
    tree = model.fit(table.X, table.y).tree_
    counts = np.bincount(model.apply(table.X), minlength=tree.n_nodes)
    assert counts[tree.is_leaf].tolist() == tree.n_rows[tree.is_leaf].tolist()
    paths = np.asarray(model.decision_path(table.X).sum(axis=0)).ravel()
    assert paths.tolist() == tree.n_rows.tolist()


@given(table=small_tables(), model=UNPRUNED)
def test_apply_is_the_last_node_of_the_decision_path_of_a_known_row(table, model):
    model.fit(table.X, table.y)
    leaves, paths = model.apply(table.X), model.decision_path(table.X)
    for row, leaf in enumerate(leaves):
        passed = paths.indices[paths.indptr[row] : paths.indptr[row + 1]]
        shares = tree_walk.leaf_shares(model.tree_, coded(table.X)[row])
        assert set(shares) == set(passed[model.tree_.is_leaf[passed]].tolist())
        assert shares[leaf] == max(shares.values())
        assert np.all(np.diff(passed) > 0)


@given(table=small_tables(), model=PRESETS)
def test_best_first_growth_without_an_effective_limit_is_depth_first_growth(table, model):
    tree = model.fit(table.X, table.y).tree_
    assert same_bits(tree, model.set_params(max_leaf_nodes=10_000).fit(table.X, table.y).tree_)


@given(table=small_tables(), model=UNPRUNED, limit=st.integers(2, 12))
def test_max_leaf_nodes_is_never_exceeded(table, model, limit):
    model.set_params(max_leaf_nodes=limit).fit(table.X, table.y)
    assert model.get_n_leaves() <= limit


@given(table=small_tables(), model=BINARY, limit=st.integers(2, 12))
def test_a_tree_of_fewer_leaves_is_a_pruning_of_a_tree_of_more(table, model, limit):
    smaller = model.set_params(max_leaf_nodes=limit).fit(table.X, table.y).tree_
    larger = model.set_params(max_leaf_nodes=limit + 3).fit(table.X, table.y).tree_
    whole = model.set_params(max_leaf_nodes=None).fit(table.X, table.y).tree_
    assert is_pruning_of(smaller, larger)
    assert is_pruning_of(larger, whole)
    assert smaller.n_leaves == min(limit, whole.n_leaves)


@given(table=small_tables(), model=UNPRUNED, depth=st.integers(1, 4))
def test_a_tree_of_limited_depth_is_the_top_of_the_whole_tree(table, model, depth):
    whole = model.fit(table.X, table.y).tree_
    top = model.set_params(max_depth=depth).fit(table.X, table.y).tree_
    assert is_pruning_of(top, whole)
    assert top.depth == min(depth, whole.depth)


@given(table=small_tables(), model=BINARY, least=st.sampled_from([1, 1.5, 2, 3, 7]))
def test_no_branch_is_lighter_than_min_samples_leaf(table, model, least):
    weights = table.rng.uniform(1.0, 2.0, table.n_rows)
    model.set_params(min_samples_leaf=least * 0.01).fit(table.X, table.y, weights)
    tree = model.tree_
    assert (tree.masses.sum(axis=1) >= least * 0.01 - 1e-12).all()


@given(table=COMPLETE, model=UNPRUNED, least=st.sampled_from([1, 1.5, 2, 3, 7]))
def test_two_branches_at_least_reach_min_samples_leaf(table, model, least):
    tree = model.set_params(min_samples_leaf=least).fit(table.X, table.y).tree_
    for node in np.flatnonzero(~tree.is_leaf):
        assert np.count_nonzero(tree.masses[tree.children(node)].sum(axis=1) >= least) >= 2


@given(table=COMPLETE, model=UNPRUNED, least=st.sampled_from([2, 3.5, 8]))
def test_no_node_lighter_than_min_samples_split_is_split(table, model, least):
    tree = model.set_params(min_samples_split=least).fit(table.X, table.y).tree_
    assert (tree.masses[~tree.is_leaf].sum(axis=1) >= least).all()


@given(
    table=small_tables(),
    model=PRESETS,
    shift=st.sampled_from([0.0, -1e6, 0.1]),
    factor=st.sampled_from([1e-200, 0.1, 3.0, 1e200]),
)
def test_the_scale_of_a_column_does_not_change_who_goes_where(table, model, shift, factor):
    numeric = [name for name in table.X if name.startswith("x")]
    scaled = table.X.assign(**{name: factor * (shift + table.X[name]) for name in numeric})
    leaves = model.fit(table.X, table.y).apply(table.X)
    masses = model.tree_.masses
    assert model.fit(scaled, table.y).apply(scaled).tolist() == leaves.tolist()
    assert np.array_equal(model.tree_.masses, masses)


@given(
    x=st.lists(FINITE, min_size=2, max_size=60),
    data=st.data(),
    cut_at=st.sampled_from(["midpoint", "observed", "upper"]),
)
def test_values_of_any_size_are_told_apart_and_nothing_else_is(x, data, cut_at):
    y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(x), max_size=len(x))))
    X = np.array(x).reshape(-1, 1)
    model = cw.TreeClassifier(cut_at=cut_at).fit(X, y)
    proba = model.predict_proba(X)
    for row, value in enumerate(x):
        equal = np.array(x) == value  # -0.0 equals 0.0
        shares = [np.mean(y[equal] == label) for label in model.classes_]
        if max(shares) == 1.0:
            assert proba[row].tolist() == shares
    assert np.isfinite(model.tree_.threshold[model.tree_.kind == 1]).all()
    on_training = np.bincount(model.apply(X), minlength=model.tree_.n_nodes)
    assert on_training[model.tree_.is_leaf].tolist() == (
        model.tree_.n_rows[model.tree_.is_leaf].tolist()
    )


@given(table=small_tables(), model=PRESETS)
def test_importances_are_shares(table, model):
    model.fit(table.X, table.y)
    importances = model.feature_importances_
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1.0 if model.get_n_leaves() > 1 else 0.0)
    unused = np.setdiff1d(np.arange(table.X.shape[1]), model.tree_.column)
    assert (importances[unused] == 0).all()

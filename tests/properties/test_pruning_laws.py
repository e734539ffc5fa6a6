"""Laws of every pruning method on any tree: grown or by hand, with missing values and parts."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.pruning import (
    CostComplexity,
    CriticalValue,
    MinimumError,
    OptimalSize,
    PessimisticError,
    ReducedError,
    TreeSize,
    optimal_sizes,
    reduced_error,
)
from clearwood.pruning.cost_complexity import cost_complexity_path
from clearwood.pruning.errors_below import (
    errors_as_leaf,
    errors_ending,
    errors_left,
    subtree_errors,
)
from clearwood.pruning.menu import METHODS
from clearwood.pruning.rows import PruningRows, node_masses
from clearwood.tree import LEAF, rebuild
from properties.small_tables import COMPLETE, small_tables
from reference.random_trees import random_tree

seeds = st.integers(0, 2**32 - 1)
BY_MASSES = [
    TreeSize(c=0.1),
    TreeSize(c=0.5),
    PessimisticError(),
    MinimumError(),
    MinimumError(m=3.0),
    CostComplexity(alpha=0.05, risk="error"),
    CostComplexity(alpha=0.05),
    ReducedError(),
    ReducedError(strict=True),
    CriticalValue(value=0.2),
    OptimalSize(n_leaves=4),
]


def scored_tree(seed, n_inner=10):
    """A tree by hand whose splits have scores, with parts of rows and missing values."""
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, rng.normal(size=4), n_inner=n_inner)
    score = np.where(tree.is_leaf, np.nan, rng.random(tree.n_nodes))
    return dataclasses.replace(tree, score=score, gain=score)


def decided(tree, options, masses=None):
    method = next(m for m in METHODS.values() if isinstance(options, m.options))
    return method.decide(tree, tree.masses if masses is None else masses, options)


@pytest.mark.parametrize("options", BY_MASSES, ids=repr)
@given(seed=seeds)
def test_the_result_is_a_pruning_of_the_input(options, seed):
    tree = scored_tree(seed)
    replacement = decided(tree, options)
    is_same = replacement == np.arange(tree.n_nodes)
    assert (is_same | ((replacement == LEAF) & ~tree.is_leaf)).all()
    pruned = rebuild(tree, replacement)
    assert 1 <= pruned.n_nodes <= tree.n_nodes
    assert pruned.masses[0].tolist() == tree.masses[0].tolist()


@pytest.mark.parametrize(
    "options", [o for o in BY_MASSES if not isinstance(o, PessimisticError)], ids=repr
)
@given(seed=seeds)
def test_pruning_again_by_the_same_rows_changes_nothing(options, seed):
    tree = scored_tree(seed)
    once = rebuild(tree, decided(tree, options))
    assert rebuild(once, decided(once, options)) == once


@given(seed=seeds)
def test_a_larger_critical_value_gives_a_pruning_of_the_pruning(seed):
    tree = scored_tree(seed)
    cut = [decided(tree, CriticalValue(value)) == LEAF for value in (0.2, 0.5, 0.8)]
    assert (cut[0] <= cut[1]).all()
    assert (cut[1] <= cut[2]).all()


def prunings(tree, node=0):
    """Every pruning of a subtree, as the set of nodes cut in it."""
    children = [int(child) for child in tree.children(node)]
    if not children:
        return [frozenset()]
    below = itertools.product(*(prunings(tree, child) for child in children))
    return [frozenset({node}), *(frozenset().union(*parts) for parts in below)]


def size_and_errors(tree, cut, as_leaf, ending):
    replacement = np.arange(tree.n_nodes)
    replacement[list(cut)] = LEAF
    pruned = rebuild(tree, replacement)
    return pruned.n_leaves, errors_left(tree, replacement, as_leaf, ending)


@given(seed=seeds, n_inner=st.integers(1, 7))
def test_opt_is_the_best_of_all_prunings_of_each_size(seed, n_inner):
    tree = scored_tree(seed, n_inner)
    as_leaf, ending = errors_as_leaf(tree, tree.masses), errors_ending(tree, tree.masses)
    least = {}
    for cut in prunings(tree):
        n_leaves, errors = size_and_errors(tree, cut, as_leaf, ending)
        least[n_leaves] = min(errors, least.get(n_leaves, np.inf))
    sizes = optimal_sizes(tree, tree.masses)
    assert dict(zip(sizes.n_leaves.tolist(), sizes.errors.tolist(), strict=True)) == pytest.approx(
        least
    )
    for n_leaves, errors in least.items():
        replacement = sizes.replacement(n_leaves)
        made = errors_left(tree, replacement, as_leaf, ending)
        assert made == pytest.approx(errors)
        assert rebuild(tree, replacement).n_leaves == n_leaves


@given(seed=seeds, most=st.integers(1, 12))
def test_a_limit_of_leaves_changes_nothing_below_it(seed, most):
    tree = scored_tree(seed)
    all_sizes, few = optimal_sizes(tree, tree.masses), optimal_sizes(tree, tree.masses, most)
    within = all_sizes.n_leaves <= most
    assert few.n_leaves.tolist() == all_sizes.n_leaves[within].tolist()
    assert few.errors == pytest.approx(all_sizes.errors[within])
    as_leaf, ending = errors_as_leaf(tree, tree.masses), errors_ending(tree, tree.masses)
    for n_leaves, errors in zip(few.n_leaves.tolist(), few.errors.tolist(), strict=True):
        assert errors_left(tree, few.replacement(n_leaves), as_leaf, ending) == pytest.approx(
            errors
        )


@given(seed=seeds)
def test_cost_complexity_trees_by_errors_are_optimal_for_their_size(seed):
    tree = scored_tree(seed)
    sizes = optimal_sizes(tree, tree.masses)
    least = dict(zip(sizes.n_leaves.tolist(), sizes.errors.tolist(), strict=True))
    path = cost_complexity_path(tree, "error")
    total = max(tree.masses[0].sum(), 1e-300)
    for n_leaves, risk in zip(path.n_leaves.tolist(), path.risks.tolist(), strict=True):
        assert risk * total == pytest.approx(least[n_leaves], abs=1e-9)


@given(seed=seeds, n_inner=st.integers(1, 7))
def test_reduced_error_pruning_is_the_smallest_of_the_most_accurate(seed, n_inner):
    tree = scored_tree(seed, n_inner)
    rng = np.random.default_rng(seed)
    own = np.where(tree.is_leaf[:, None], rng.integers(0, 4, (tree.n_nodes, 3)), 0).astype(float)
    masses = np.array([own[n : tree.subtree_end[n]].sum(axis=0) for n in range(tree.n_nodes)])
    as_leaf, ending = errors_as_leaf(tree, masses), errors_ending(tree, masses)
    best = min(
        (errors, n_leaves)
        for n_leaves, errors in (
            size_and_errors(tree, cut, as_leaf, ending) for cut in prunings(tree)
        )
    )
    found = reduced_error(tree, masses, ReducedError())
    assert (errors_left(tree, found, as_leaf, ending), rebuild(tree, found).n_leaves) == best


@given(small=small_tables())
def test_node_masses_of_the_training_rows_are_those_of_training(small):
    tree = cw.TreeClassifier().fit(small.X, small.y).tree_
    rows = cw.pruning.read_rows(tree, small.X, small.y)
    assert np.allclose(node_masses(tree, rows), tree.masses)


@given(small=COMPLETE)
def test_errors_below_are_the_rows_that_the_tree_predicts_wrongly(small):
    half = small.n_rows // 2 + 1
    model = cw.TreeClassifier().fit(small.X[:half], small.y[:half])
    known = np.isin(small.y, model.classes_)
    rows = cw.pruning.read_rows(model.tree_, small.X[known], small.y[known])
    errors = subtree_errors(model.tree_, node_masses(model.tree_, rows))[0]
    assert errors == (model.predict(small.X[known]) != small.y[known]).sum()


@given(small=small_tables(), c=st.sampled_from([0.0, 0.1, 0.3, 0.7]))
def test_tree_size_without_raising_is_the_same_by_masses_and_by_rows(small, c):
    from clearwood.pruning.tree_size import tree_size, tree_size_raising

    tree = cw.TreeClassifier().fit(small.X, small.y).tree_
    rows = cw.pruning.read_rows(tree, small.X, small.y)
    by_masses = rebuild(tree, tree_size(tree, tree.masses, TreeSize(c)))
    by_rows = tree_size_raising(tree, rows, TreeSize(c, raising=False))
    assert by_masses.column.tolist() == by_rows.column.tolist()
    assert np.allclose(by_masses.masses, by_rows.masses)


@given(small=small_tables())
def test_raising_by_tree_size_keeps_all_rows(small):
    tree = cw.TreeClassifier().fit(small.X, small.y).tree_
    rows = cw.pruning.read_rows(tree, small.X, small.y)
    raised = cw.prune(tree, TreeSize(0.1, raising=True), small.X, small.y)
    assert np.allclose(raised.masses[0], tree.masses[0])
    assert raised.n_nodes <= tree.n_nodes
    assert np.allclose(node_masses(raised, PruningRows(rows.table, rows.codes)), raised.masses)

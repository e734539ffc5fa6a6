"""Pruning under noise agrees with a slow version that sends every row every time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clearwood.noise.standard_form import StandardForm
from clearwood.pruning.error_based import ErrorBased, error_based
from clearwood.table.table import Table
from clearwood.tree.rebuild import LEAF
from reference.random_trees import FEATURES, random_tree
from reference.soft_pruning import Rules, prune

VALUES = np.linspace(-2.0, 2.0, 9)
NEAR = 1e-7


def normal(sd):
    return StandardForm("identity", 0.0, sd, "normal") if sd else None


def random_columns(rng, n_rows, missing):
    """Values of `FEATURES`, off the cuts for half of the rows."""
    columns = []
    for feature in FEATURES:
        absent = rng.random(n_rows) < missing
        if feature.kind == "numeric":
            values = rng.choice(VALUES, n_rows) + rng.choice([0.0, 0.1], n_rows)
        else:
            values = rng.integers(0, feature.n_levels, n_rows)
        none, dtype = (-1, np.int32) if feature.is_nominal else (np.nan, np.float64)
        columns.append(np.where(absent, none, values).astype(dtype))
    return tuple(columns)


@st.composite
def cases(draw):
    """A tree, a table with labels and weights, and rules to prune by."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tree = random_tree(rng, VALUES, n_inner=draw(st.integers(1, 9)))
    n_rows = draw(st.integers(1, 30))
    columns = random_columns(rng, n_rows, draw(st.sampled_from([0.0, 0.2])))
    sd = [draw(st.sampled_from([0.0, 0.5, 1.5])) for _ in range(2)]
    rules = Rules(
        sd=(*sd, 0.0, 0.0, 0.0),
        joint=draw(st.booleans()),
        eta=draw(st.sampled_from([0.0, 1e-6, 0.05])),
        laplace=draw(st.booleans()),
        slack=draw(st.sampled_from([0.0, 0.1])),
        raising=draw(st.sampled_from(["none", "heaviest", "best"])),
    )
    weights = rng.uniform(0.5, 2.0, n_rows)
    return tree, columns, rng.integers(0, 3, n_rows).astype(np.int32), weights, rules


def pruned_by(tree, columns, codes, weights, rules):
    return error_based(
        tree,
        Table(FEATURES, columns, None, len(codes)),
        codes,
        weights,
        ErrorBased(bound="exact", laplace=rules.laplace, slack=rules.slack, raising=rules.raising),
        noise=[normal(sd) for sd in rules.sd],
        joint=rules.joint,
        eta=rules.eta,
    )


def standing(replacement, node):
    while replacement[node] not in (node, LEAF):
        node = int(replacement[node])
    return node


def assert_same(pruning, expected, tree, grown=0, pruned=0):
    """The node of `expected` stands at `grown`, and all below it; `pruned` is its new number."""
    node = standing(pruning.replacement, grown)
    assert node == expected.id
    children = pruning.tree.children(pruned)
    assert len(children) == len(expected.branches)
    if expected.masses is not None:
        assert_allclose(pruning.tree.masses[pruned], expected.masses, rtol=NEAR, atol=NEAR)
        assert pruning.estimate[node] == pytest.approx(expected.estimate, rel=NEAR, abs=NEAR)
    for k, branch in enumerate(expected.branches):
        assert_same(pruning, branch, tree, int(tree.children(node)[k]), int(children[k]))


@given(cases())
def test_core_prunes_as_the_slow_version(case):
    tree, columns, codes, weights, rules = case
    expected = prune(tree, columns, codes, weights, rules)
    assert_same(pruned_by(*case), expected, tree)


def assert_mass_goes_on(tree, node):
    """The branches of a reached node share out its mass; shares are 0 where none is reached."""
    children = tree.children(node)
    shares = tree.missing_share[tree.child_start[node] : tree.child_start[node + 1]]
    reached = children[shares > 0]
    if len(children) > 0:
        assert_allclose(tree.masses[reached].sum(axis=0), tree.masses[node], atol=1e-12)
    for child in reached:
        assert_mass_goes_on(tree, int(child))


@given(cases())
def test_the_branches_of_a_node_share_out_its_mass(case):
    _, _, codes, weights, _ = case
    pruned = pruned_by(*case).tree
    assert_allclose(pruned.masses[0], np.bincount(codes, weights, 3), rtol=1e-12)
    assert_mass_goes_on(pruned, 0)


@given(cases(), st.booleans())
def test_a_scale_of_zero_is_the_hard_pruning_to_the_bit(case, joint):
    tree, columns, codes, weights, _ = case
    table = Table(FEATURES, columns, None, len(codes))
    hard = error_based(tree, table, codes, weights)
    zero = [StandardForm("identity", 0.0, 0.0, "normal") for _ in range(2)] + [None] * 3
    for noise in ([None] * 5, zero):
        soft = error_based(tree, table, codes, weights, noise=noise, joint=joint)
        assert soft.tree == hard.tree
        assert_array_equal(soft.replacement, hard.replacement)
        assert_array_equal(soft.estimate, hard.estimate)
